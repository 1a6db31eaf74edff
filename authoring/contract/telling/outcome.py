"""Say in words what the reference gives on all inputs of a class, and what the broken program does there."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from authoring.contract.telling.changes import change_words
from authoring.contract.telling.example import KINDS, UNKNOWN, Example, are_same, kind_of, value_of
from authoring.model.observation import Observation
from authoring.scenario.domain import literal, place_words, places_in, values_at

__all__ = ["GENERIC", "right_words", "wrong_words"]

GENERIC = "gives what its public checks show"
"""What is said where the results have nothing in common."""

_LITERAL_CAP = 40
_AFFIX_CAP = 12


def right_words(examples: Sequence[Example], near: Callable[[], str] = str) -> str:
    """Return what the reference does on all of the examples: ``raises KeyError``, ``gives `default```.

    ``near`` compares with neighbouring inputs where nothing plainer is found. What says which value it is comes before
    what says only of which kind it is.
    """
    for words in (_raised, _same, _arguments):
        found = words(examples)
        if found:
            return found
    return _parameter(examples) or near() or _changed(examples) or _alike(examples) or GENERIC


def wrong_words(examples: Sequence[Example]) -> str:
    """Return what the broken program does there: ``does not end``, ``raises IndexError or gives another value``."""
    ways = sorted({kind_of(one.now) for one in examples})
    if ways == ["gives"]:
        values = [_wrong_value(one) for one in examples]
        if all(_is_of_arguments(one) for one in examples):
            return "leaves them otherwise"
        return f"gives {_said(values[0])}" if _is_one(values) else "gives another value"
    named = [way for way in ways if way != "gives"][:3]
    return " or ".join([*named, "gives another value"] if "gives" in ways else named)


def _wrong_value(one: Example) -> Any:
    return value_of(one.wrong)


def _raised(examples: Sequence[Example]) -> str:
    kinds = sorted({kind_of(one.wanted) for one in examples})
    return " or ".join(kinds) if "gives" not in kinds and len(kinds) <= 3 else ""


def _same(examples: Sequence[Example]) -> str:
    values = [value_of(one.right) for one in examples]
    return f"gives {_said(values[0])}" if _is_one(values) else ""


def _is_one(values: Sequence[Any]) -> bool:
    first = values[0]
    return first is not UNKNOWN and _said(first) != "" and all(are_same(first, each) for each in values)


def _said(value: Any) -> str:
    try:
        text = literal(value)
    except TypeError:
        return ""
    return text if len(text) <= _LITERAL_CAP else ""


def _arguments(examples: Sequence[Example]) -> str:
    if not all(_is_of_arguments(one) for one in examples):
        return ""
    if not any("args_after" in one.right for one in examples):
        return "leaves its arguments as they are"
    return "changes its arguments as its public checks show"


def _is_of_arguments(one: Example) -> bool:
    wrong = one.wrong
    if wrong is None or one.now is None or len(one.now) != len(one.wanted):
        return False
    return _without_arguments(one.right) == _without_arguments(wrong) and one.right != wrong


def _without_arguments(observation: Observation) -> Observation:
    return {name: part for name, part in observation.items() if name != "args_after"}


def _parameter(examples: Sequence[Example]) -> str:
    """Return which part of its input the reference gives, the same place in all."""
    first = value_of(examples[0].right)
    if first is UNKNOWN:
        return ""
    for place, value in places_in(examples[0].params):
        if are_same(value, first) and all(
            any(are_same(value_of(one.right), each) for each in values_at(one.params, *place))
            for one in examples
        ):
            return f"gives {place_words(place)}" + (" as it is" if len(place) == 1 else "")
    return ""


def _changed(examples: Sequence[Example]) -> str:
    pairs = [(_wrong_value(one), value_of(one.right)) for one in examples]
    if any(UNKNOWN in (one, other) for one, other in _by_identity(pairs)):
        return ""
    found = change_words(pairs)
    return f"gives {found.format('what the broken one gives')}" if found else ""


def _by_identity(pairs: Sequence[tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
    """Yield pairs of which only what is unknown is kept: values may not compare."""
    for one, other in pairs:
        yield (one if one is UNKNOWN else None, other if other is UNKNOWN else None)


def _alike(examples: Sequence[Example]) -> str:
    """Return what kind of value the reference gives, where that says something: the broken one's is another."""
    values = [value_of(one.right) for one in examples]
    kinds = {type(value) for value in values}
    kind = KINDS.get(next(iter(kinds))) if len(kinds) == 1 else None
    if kind is None:
        return ""
    if kind == "text":
        wrong = [_wrong_value(one) for one in examples]
        for affix, words in ((_prefix, "begins"), (_suffix, "ends")):
            shared = affix(values)
            if shared and not any(type(each) is str and affix([each, shared]) == shared for each in wrong):
                return f"gives text that {words} with {literal(shared)}"
    is_told = all(type(_wrong_value(one)) not in kinds for one in examples)
    return f"gives {kind}, as its public checks show" if is_told else ""


def _prefix(texts: Sequence[str]) -> str:
    least, most = min(texts), max(texts)
    end = next(
        (at for at, pair in enumerate(zip(least, most, strict=False)) if pair[0] != pair[1]), len(least)
    )
    return least[:end][:_AFFIX_CAP]


def _suffix(texts: Sequence[str]) -> str:
    return _prefix([text[::-1] for text in texts])[::-1]
