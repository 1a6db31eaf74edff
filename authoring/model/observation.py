"""Observations compared as data: what one run saw against what another saw (DESIGN.md 5.3)."""

import builtins
import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

from pydantic import Field

from authoring.model.digest import keyed_digest
from authoring.model.document import Part
from authoring.model.wire import Wire, float_text, sort_key

__all__ = [
    "Compare",
    "ExceptionBase",
    "FloatTolerance",
    "Observation",
    "equal",
    "is_of",
    "normalised",
    "observations_digest",
]

Observation = dict[str, Wire]


class FloatTolerance(Part):
    """Floats are equal within a relative difference."""

    rel: float = Field(gt=0, lt=1)
    """The largest relative difference that counts as equal."""


class ExceptionBase(Part):
    """Exceptions are equal where both are of a built-in class, or both are the same."""

    base: str
    """The name of the built-in class."""
    types: tuple[str, ...] = ()
    """Names of exceptions of the program's own that are of it."""


class Compare(Part):
    """How the observations of a scenario are compared; the defaults are the strictest."""

    exception: Literal["type", "type+message"] | ExceptionBase = "type"
    """Whether an exception's message counts; a class named, whether more than that class does."""
    floats: Literal["exact"] | FloatTolerance = "exact"
    """Bit for bit (the sign of zero counts), or within a tolerance."""
    order: Literal["kept", "any"] = "kept"
    """Whether the order of lists, tuples and dict items counts."""
    args: Literal["compared", "ignored"] = "compared"
    """Whether arguments that the program changed count."""
    nothing: Literal["kept", "same"] = Field(default="kept", exclude_if=lambda nothing: nothing == "kept")
    """Whether it counts which of None, False, the empty text and an empty container a value is; left out where it
    does."""


def equal(left: Sequence[Observation], right: Sequence[Observation], compare: Compare | None = None) -> bool:
    """Return whether two lists of observations are the same as far as ``compare`` looks.

    Both sides must have passed :func:`authoring.model.wire.check`.
    """
    how = compare or Compare()
    if len(left) != len(right):
        return False
    return all(_same_observation(one, other, how) for one, other in zip(left, right, strict=True))


def normalised(observations: Sequence[Observation], compare: Compare) -> list[Observation]:
    """Return the observations without all that ``compare`` ignores."""
    return [_seen(observation, compare) for observation in observations]


def observations_digest(
    key: bytes, purpose: str, observations: Sequence[Observation], compare: Compare, *parts: Any
) -> str:
    """Return the keyed digest of ``[purpose, *parts, observations]`` as far as ``compare`` looks.

    A float tolerance has no digest: raise ``ValueError``.
    """
    if isinstance(compare.floats, FloatTolerance):
        raise ValueError("observations that are compared within a tolerance have no digest")
    return keyed_digest(key, purpose, *parts, normalised(observations, compare))


def _seen(observation: Observation, how: Compare) -> Observation:
    kept: Observation = {}
    for name, part in observation.items():
        if name == "args_after" and how.args == "ignored":
            continue
        if name == "raised":
            kept[name] = _raised(part, how)
        elif name == "calls":
            kept[name] = [[double, [_ordered(item, how) for item in args]] for double, args in part]
        else:
            kept[name] = _ordered(part, how)
    if how.nothing == "same" and "value" in kept and _is_nothing(kept["value"]):
        kept["value"] = None
    return kept


def _raised(part: Wire, how: Compare) -> Wire:
    if isinstance(how.exception, ExceptionBase):
        return {"type": how.exception.base if is_of(part["type"], how.exception) else part["type"]}
    return part if how.exception == "type+message" else {"type": part["type"]}


def is_of(name: str, wanted: ExceptionBase) -> bool:
    """Return whether an exception of that name is of a class: it is named so, or is built in and a subclass of it."""
    kinds = (getattr(builtins, each, None) for each in (name, wanted.base))
    kind, base = (each if isinstance(each, type) else None for each in kinds)
    return name in (wanted.base, *wanted.types) or (
        kind is not None and base is not None and issubclass(kind, base)
    )


def _is_nothing(wire: Wire) -> bool:
    if isinstance(wire, dict):
        ((tag, body),) = wire.items()
        return tag in _EMPTY and not body
    return wire is None or wire is False or wire == ""


_EMPTY = frozenset({"list", "tuple", "dict", "set", "frozenset", "bytes"})


def _ordered(wire: Wire, how: Compare) -> Wire:
    """Return the wire with floats in one form and, where order does not count, sequences sorted."""
    if type(wire) is not dict:
        return wire
    ((tag, body),) = wire.items()
    rewrite = _REWRITES.get(tag)
    return wire if rewrite is None else {tag: rewrite(body, how)}


def _items(body: Any, how: Compare) -> list[Any]:
    items = [_ordered(item, how) for item in body]
    return sorted(items, key=sort_key) if how.order == "any" else items


def _pairs(body: Any, how: Compare) -> list[Any]:
    pairs = [[_ordered(key, how), _ordered(item, how)] for key, item in body]
    return sorted(pairs, key=sort_key) if how.order == "any" else pairs


def _set(body: Any, how: Compare) -> list[Any]:
    return sorted((_ordered(item, how) for item in body), key=sort_key)


_REWRITES: dict[str, Callable[[Any, Compare], Any]] = {
    "float": lambda body, _: _exact(body),
    "complex": lambda body, _: [_exact(part) for part in body],
    "list": _items,
    "tuple": _items,
    "set": _set,
    "frozenset": _set,
    "dict": _pairs,
    "record": lambda body, how: [body[0], [[field, _ordered(item, how)] for field, item in body[1]]],
    "iter": lambda body, how: [[_ordered(item, how) for item in body[0]], body[1]],
}


def _exact(text: str) -> str:
    """Return one spelling of a float's hexadecimal text (``0x1p+0`` and ``0x1.0p+0`` are the same)."""
    return float_text(float.fromhex(text))


def _same_observation(left: Observation, right: Observation, how: Compare) -> bool:
    one, other = _seen(left, how), _seen(right, how)
    if one == other:
        return True
    if how.floats == "exact" or one.keys() != other.keys():
        return False
    return all(_close(one[name], other[name], how.floats.rel) for name in one)


def _close(left: Any, right: Any, rel: float) -> bool:
    if type(left) is not type(right):
        return False
    if isinstance(left, list):
        return len(left) == len(right) and all(_close(a, b, rel) for a, b in zip(left, right, strict=True))
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(
            _close_part(key, left[key], right[key], rel) for key in left
        )
    return bool(left == right)


def _close_part(key: str, left: Any, right: Any, rel: float) -> bool:
    if key == "float":
        return _close_text(left, right, rel)
    if key == "complex":
        return all(_close_text(a, b, rel) for a, b in zip(left, right, strict=True))
    return _close(left, right, rel)


def _close_text(left: str, right: str, rel: float) -> bool:
    if left == right:
        return True
    if left.endswith(("nan", "inf")) or right.endswith(("nan", "inf")):
        return False
    return math.isclose(float.fromhex(left), float.fromhex(right), rel_tol=rel)
