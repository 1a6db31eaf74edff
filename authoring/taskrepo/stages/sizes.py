"""The same input at other sizes: long texts and sequences cut, large whole numbers scaled."""

from collections.abc import Iterator
from fractions import Fraction
from typing import TypeVar

from authoring.model.wire import Wire, encode, sort_key

__all__ = ["SIZES", "at_sizes", "scaled"]

SIZES = (
    *(Fraction(*each) for each in ((1, 1), (3, 4), (1, 2), (3, 8), (1, 4), (3, 16), (1, 8), (3, 32))),
    *(Fraction(1, 1 << power) for power in range(4, 13)),
)
"""The size itself, then smaller ones."""

_LEAST_LENGTH, _LEAST_ITEMS, _LEAST_NUMBER = 24, 8, 24
_MOST = 1 << 17
_Items = TypeVar("_Items", str, bytes, list[Wire])


def at_sizes(params: Wire) -> Iterator[Wire]:
    """Yield the parameters, then what they are at every smaller size at which they differ from those before."""
    known: set[str] = set()
    for size in SIZES:
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
            return encode(int(int(body, 16) * size))
        case _:
            return wire


def _cut(items: _Items, size: Fraction) -> _Items:
    length = int(len(items) * size)
    return items[:length]
