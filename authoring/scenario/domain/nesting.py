"""Whether a value is of a kind that nests: a list in lists, a dict in dicts, a tuple in tuples, however far down."""

from typing import Any

__all__ = ["nests_itself"]

_DEPTH_CAP = 12
"""Of deeper values none deeper is drawn: what is asked of a program may be nested some fifty deep."""


def nests_itself(value: Any) -> bool:
    """Return whether somewhere inside a container lies another of its own kind, and no part of it lies very deep."""
    kinds = _kinds_inside(value)
    return type(value) in set().union(*kinds) and len(kinds) < _DEPTH_CAP


def _kinds_inside(value: Any) -> list[set[type]]:
    """Return the kinds of containers inside a value, level by level."""
    levels: list[set[type]] = []
    inside = [value]
    while inside and len(levels) < _DEPTH_CAP:
        inside = [item for one in inside for item in _items(one) if type(item) in (list, tuple, dict)]
        levels.append(set(map(type, inside)))
    return levels


def _items(value: Any) -> list[Any]:
    if type(value) is dict:
        return list(value.values())
    return list(value) if type(value) in (list, tuple) else []
