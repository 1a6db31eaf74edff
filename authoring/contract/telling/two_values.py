"""Traits of two parameters: one equals the other, comes before or after it, is as long, stands in it."""

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from typing import Any

from authoring.contract.telling.example import Example
from authoring.contract.telling.trait import Trait

__all__ = ["two_values"]

_NAMES_CAP = 6
_BITS = 5.0


def two_values(examples: Sequence[Example]) -> Iterator[Trait]:
    """Yield a trait for every relation between two parameters that some example of a fault has."""
    names = sorted({name for example in examples for name in example.params})[:_NAMES_CAP]
    for one, other in permutations(names, 2):
        pairs = [
            (example.params[one], example.params[other]) if {one, other} <= example.params.keys() else None
            for example in examples
        ]
        for relation, words in _RELATIONS.items():
            if relation in _MUTUAL and one > other:
                continue
            members = sum(1 << at for at, pair in enumerate(pairs) if pair is not None and relation(*pair))
            yield Trait(words.format(f"`{one}`", f"`{other}`"), _BITS, members)


def _are_equal(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def _differ(one: Any, other: Any) -> bool:
    return type(one) is type(other) and one is not None and bool(one != other)


def _is_after(one: Any, other: Any) -> bool:
    return _is_ordered(one, other) and bool(one > other)


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)


def _is_ordered(one: Any, other: Any) -> bool:
    return (_is_number(one) and _is_number(other)) or (type(one) is type(other) and type(one) in (str, bytes))


def _is_past(one: Any, other: Any) -> bool:
    return type(one) is int and hasattr(other, "__len__") and one >= len(other)


def _is_length(one: Any, other: Any) -> bool:
    return type(one) is int and hasattr(other, "__len__") and one == len(other)


def _is_before_first(one: Any, other: Any) -> bool:
    return type(one) is int and hasattr(other, "__len__") and one < -len(other)


def _stands_in(one: Any, other: Any) -> bool:
    if type(other) in (str, bytes):
        return type(one) is type(other) and one in other
    return type(other) in (list, tuple) and any(_are_equal(one, each) for each in other)


def _is_key(one: Any, other: Any) -> bool:
    return type(other) is dict and type(one) in (str, int) and one in other


_RELATIONS: dict[Callable[[Any, Any], bool], str] = {
    _are_equal: "{0} equals {1}",
    _differ: "{0} is not {1}",
    _is_after: "{0} comes after {1}",
    _is_length: "{0} is the length of {1}",
    _is_past: "{0} is the length of {1} or more",
    _is_before_first: "{0} is below minus the length of {1}",
    _stands_in: "{0} stands in {1}",
    _is_key: "{0} is a key of {1}",
}
_MUTUAL = (_are_equal, _differ)
