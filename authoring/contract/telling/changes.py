"""By what one change every value of a list of pairs becomes the other: sorted, negated, with a text before it."""

from collections.abc import Callable, Sequence
from typing import Any

from authoring.contract.telling.example import are_same
from authoring.scenario.domain import literal

__all__ = ["change_words"]

_CAP = 12
_LEAST = 3
"""Fewer pairs than these show a replaced piece or a distance by chance."""
Pairs = Sequence[tuple[Any, Any]]


def change_words(pairs: Pairs, *, is_plain: bool = False) -> str:
    """Return the one change that makes the second value of every pair of the first, with ``{}`` for that; else nothing.

    Nothing where a pair is equal already: it would be no change. ``is_plain`` leaves out what pairs may show by chance:
    replaced pieces, distances and parts.
    """
    if not pairs or any(are_same(*pair) for pair in pairs):
        return ""
    for words, made in _MADE.items():
        if all(_is_made(made, one, other) for one, other in pairs):
            return words
    words = _affix(pairs)
    if words or is_plain:
        return words
    words = (_replaced(pairs) or _moved(pairs)) if len(pairs) >= _LEAST else ""
    return words or next((words for words, test in _PARTLY.items() if all(test(*pair) for pair in pairs)), "")


def _is_made(make: Callable[[Any], Any], one: Any, other: Any) -> bool:
    try:
        return are_same(make(one), other)
    except (TypeError, ValueError, AttributeError, IndexError, OverflowError, KeyError):
        return False


def _as_number(value: Any) -> Any:
    if type(value) not in (int, float):
        raise TypeError
    return value


def _as_text(value: Any) -> Any:
    if type(value) not in (str, bytes):
        raise TypeError
    return value


def _as_items(value: Any) -> Any:
    if type(value) not in (list, tuple):
        raise TypeError
    return value


def _once(value: Any) -> Any:
    items = _as_items(value)
    return type(value)(item for at, item in enumerate(items) if item not in items[:at])


_MADE: dict[str, Callable[[Any], Any]] = {
    "the negative of {}": lambda v: -_as_number(v),
    "{}, without its sign": lambda v: abs(_as_number(v)),
    "{} as a whole number": lambda v: int(_as_number(v)),
    "{} as a float": lambda v: float(_as_number(v)),
    "{} as text": str,
    "{} as a list": lambda v: list(v) if type(v) in (tuple, set) else None,
    "{} as a tuple": lambda v: tuple(v) if type(v) is list else None,
    "{}, sorted": lambda v: type(v)(sorted(_as_items(v))),
    "{}, in reverse order": lambda v: _as_items(v)[::-1],
    "{}, each item once": _once,
    "{}, without blanks at its ends": lambda v: _as_text(v).strip(),
    "{}, without blanks at its end": lambda v: _as_text(v).rstrip(),
    "{} in small letters": lambda v: _as_text(v).lower(),
    "{} in capitals": lambda v: _as_text(v).upper(),
    "{}, without its first item": lambda v: _as_items(v)[1:],
    "{}, without its last item": lambda v: _as_items(v)[:-1],
    "the only item of {}": lambda v: v[0] if len(_as_items(v)) == 1 else v,
    "a list whose only item is {}": lambda v: [v],
    "the opposite of {}": lambda v: not v if type(v) is bool else v,
}


def _affix(pairs: Pairs) -> str:
    one, other = pairs[0]
    if type(one) is not type(other) or type(one) not in (str, bytes):
        return ""
    if other.endswith(one) or other.startswith(one):
        before = other.endswith(one)
        more = other[: len(other) - len(one)] if before else other[len(one) :]
        if all(type(w) is type(more) and v == (more + w if before else w + more) for w, v in pairs):
            return (
                f"{{}} with {_said(more)} {'before' if before else 'after'} it" if len(more) <= _CAP else ""
            )
    if one.endswith(other) or one.startswith(other):
        before = one.endswith(other)
        less = one[: len(one) - len(other)] if before else one[len(other) :]
        if all(type(v) is type(less) and w == (less + v if before else v + less) for w, v in pairs):
            return f"{{}} without the {_said(less)} at its {'beginning' if before else 'end'}"
    return ""


def _replaced(pairs: Pairs) -> str:
    """Return that every piece of one kind is another piece, found where the first pair differs."""
    if any(type(each) is not str for pair in pairs for each in pair):
        return ""
    one, other = min(pairs, key=lambda pair: (len(pair[0]) + len(pair[1]), pair))
    old, new = _difference(one, other)
    if not old or max(len(old), len(new)) > _CAP:
        return ""
    if all(type(w) is str and type(v) is str and w.replace(old, new) == v for w, v in pairs):
        return f"{{}} with {_said(new)} for every {_said(old)}" if new else f"{{}} without any {_said(old)}"
    return ""


def _difference(one: str, other: str) -> tuple[str, str]:
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    end = 0
    while end < min(len(one), len(other)) - start and one[-1 - end] == other[-1 - end]:
        end += 1
    return one[start : len(one) - end], other[start : len(other) - end]


def _moved(pairs: Pairs) -> str:
    if any(type(each) not in (int, float) or each - each != 0 for pair in pairs for each in pair):
        return ""
    distances = {other - one for one, other in pairs}
    if len(distances) != 1:
        return ""
    (distance,) = distances
    return f"{_said(abs(distance))} {'more' if distance > 0 else 'less'} than {{}}"


def _is_part(one: Any, other: Any) -> bool:
    """Tell whether a list holds some of the other's items only, in their order, or a dict some of its keys."""
    if type(one) is dict and type(other) is dict:
        return all(key in one and are_same(one[key], value) for key, value in other.items())
    if type(one) is not type(other) or type(one) not in (list, tuple):
        return False
    left = iter(one)
    return all(any(are_same(each, item) for each in left) for item in other)


_PARTLY: dict[str, Callable[[Any, Any], bool]] = {
    "some of {}, as its public checks show, and nothing else": _is_part,
    "more than {}, which is all there": lambda one, other: _is_part(other, one),
}


def _said(value: Any) -> str:
    return literal(value)
