"""The same input at other sizes: long texts and sequences cut or repeated, large whole numbers scaled."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TypeVar

from authoring.model.wire import Wire, encode, sort_key

__all__ = ["LARGER", "SIZES", "at_larger_sizes", "at_sizes", "scaled"]

SIZES = (
    *(Fraction(*each) for each in ((1, 1), (3, 4), (1, 2), (3, 8), (1, 4), (3, 16), (1, 8), (3, 32))),
    *(Fraction(1, 1 << power) for power in range(4, 13)),
)
"""The size itself, then smaller ones."""

LARGER = tuple(Fraction(1 << power) for power in range(1, 9))
"""Larger sizes, the smallest first."""

_LEAST_LENGTH, _LEAST_ITEMS, _LEAST_NUMBER = 24, 8, 24
_MOST = 1 << 17
_LENGTH_CAP = 1 << 16
"""Letters of larger parameters on the wire, at most."""
_Items = TypeVar("_Items", str, bytes, list[Wire])


def at_sizes(params: Wire) -> Iterator[Wire]:
    """Yield the parameters, then what they are at every smaller size at which they differ from those before."""
    yield from _different(params, SIZES)


def at_larger_sizes(params: Wire) -> Iterator[Wire]:
    """Yield what the parameters are at every larger size at which they differ from those before, until one is long."""
    for wire in list(_different(params, (Fraction(1), *LARGER)))[1:]:
        if len(sort_key(wire)) > _LENGTH_CAP:
            break
        yield wire


def _different(params: Wire, sizes: Sequence[Fraction]) -> Iterator[Wire]:
    known: set[str] = set()
    for size in sizes:
        wire = params if size == 1 else scaled(params, size)
        text = sort_key(wire)
        if text not in known:
            known.add(text)
            yield wire


def scaled(wire: Wire, size: Fraction) -> Wire:
    """Return a value of about so many times the size; what is small or of another kind stays."""
    if isinstance(wire, str):
        return _cut(wire, size) if len(wire) >= _LEAST_LENGTH else wire
    return _tagged(wire, size) if isinstance(wire, dict) else wire


def _tagged(wire: Wire, size: Fraction) -> Wire:
    ((tag, body),) = wire.items()
    match tag:
        case "dict":
            return {"dict": [[key, scaled(item, size)] for key, item in body]}
        case "list" | "tuple" if len(body) >= _LEAST_ITEMS:
            return {tag: _cut(body, size)}
        case "list" | "tuple":
            return {tag: [scaled(item, size) for item in body]}
        case "bytes" if len(body) >= 2 * _LEAST_LENGTH:
            return {"bytes": _cut(bytes.fromhex(body), size).hex()}
        case "int" if _LEAST_NUMBER <= int(body, 16) <= _MOST:
            return encode(min(int(int(body, 16) * size), _MOST))
        case _:
            return wire


def _cut(items: _Items, size: Fraction) -> _Items:
    length = int(len(items) * size)
    return (items * math.ceil(size))[:length]
