"""Whether a value is of a kind that nests: a list in lists, a dict in dicts, a tuple in tuples, however far down."""

from collections.abc import Iterator
from typing import Any

__all__ = ["nests_itself"]


def nests_itself(value: Any) -> bool:
    """Return whether somewhere inside a container lies another of its own kind."""
    kind = type(value)
    return kind in (list, tuple, dict) and any(type(inner) is kind for inner in _inside(value))


def _inside(value: Any) -> Iterator[Any]:
    items = list(value.values()) if type(value) is dict else value
    for item in items if type(value) in (list, tuple, dict) else ():
        yield item
        yield from _inside(item)
