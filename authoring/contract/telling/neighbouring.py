"""Compare what the reference gives on an input with what it gives on one that is changed in a single parameter.

Only neighbours count on which broken is right: there a reader sees what the program gives.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from authoring.contract.telling.changes import change_words
from authoring.contract.telling.example import UNKNOWN, Example, are_same, value_of
from authoring.model.observation import Observation
from authoring.model.wire import WireError, encode
from authoring.scenario.inputs import Input

__all__ = ["Ask", "near_words"]

_FIRST, _ALL = 4, 30
_NAMES_CAP = 4
Ask = Callable[[Sequence[Input]], Mapping[str, Sequence[Observation]]]
"""Returns what the reference observes, by the key of the input, where broken observes the same."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A change of one parameter."""

    name: str
    words: str
    make: Callable[[Any], Any]


def near_words(examples: Sequence[Example], ask: Ask) -> str:
    """Return how the reference's values compare with those for neighbouring inputs, the same way in all; else nothing.

    The first step that holds for four examples is tried on thirty.
    """
    names = sorted({name for one in examples for name in one.params})[:_NAMES_CAP]
    for name in names:
        for words, make in _STEPS.items():
            step = _Step(name, words, make)
            if _told(examples[:_FIRST], step, ask) and (found := _told(examples[:_ALL], step, ask)):
                return found
    return ""


def _told(examples: Sequence[Example], step: _Step, ask: Ask) -> str:
    moved = [_moved(one, step) for one in examples]
    known = [one for one in moved if one is not None]
    if len(known) < len(examples):
        return ""
    seen = ask(known)
    pairs = list(_pairs(examples, known, seen))
    if len(pairs) < len(examples) or any(UNKNOWN is each for pair in pairs for each in pair):
        return ""
    what = f"what it gives for `{step.name}` {step.words}"
    if all(are_same(one, other) for one, other in pairs):
        return f"gives {what}"
    changed = change_words(pairs, is_plain=True)
    return f"gives {changed.format(what)}" if changed else ""


def _pairs(
    examples: Sequence[Example], moved: Sequence[Input], seen: Mapping[str, Sequence[Observation]]
) -> Iterator[tuple[Any, Any]]:
    for one, other in zip(examples, moved, strict=True):
        there = seen.get(other.key)
        if there is not None and len(there) == len(one.wanted):
            yield value_of(there[one.turn]), value_of(one.right)


def _moved(example: Example, step: _Step) -> Input | None:
    """Return the input with its parameter changed; None where the step does not apply or changes nothing."""
    value = example.params.get(step.name, UNKNOWN)
    if value is UNKNOWN:
        return None
    try:
        made = step.make(value)
        wire = encode(made)
    except (TypeError, ValueError, IndexError, OverflowError, WireError):
        return None
    if are_same(made, value):
        return None
    pairs = [[name, wire if name == step.name else old] for name, old in example.input.params["dict"]]
    return Input(example.input.scenario, {"dict": pairs})


def _as(value: Any, *kinds: type) -> Any:
    if type(value) not in kinds:
        raise TypeError
    return value


def _without_sign(value: Any) -> Any:
    text = _as(value, str)
    return text[1:] if text[:1] == "-" and text[1:2].isdigit() else text


def _negated(value: Any) -> Any:
    if type(value) is str:
        return _without_sign(value)
    return -_as(value, int, float)


_STEPS: dict[str, Callable[[Any], Any]] = {
    "without its minus sign": lambda v: abs(v) if type(v) in (int, float) else _without_sign(v),
    "negated": _negated,
    "as a whole number": lambda v: int(_as(v, float)),
    "as a float": lambda v: float(_as(v, int)),
    "one further from 0": lambda v: _as(v, int, float) + (1 if v >= 0 else -1),
    "one nearer to 0": lambda v: _as(v, int, float) - (0 if v == 0 else 1 if v > 0 else -1),
    "one more": lambda v: _as(v, int, float) + 1,
    "one less": lambda v: _as(v, int, float) - 1,
    "without blanks at its ends": lambda v: _as(v, str, bytes).strip(),
    "in small letters": lambda v: _as(v, str).lower(),
    "in capitals": lambda v: _as(v, str).upper(),
    "without its first character": lambda v: _as(v, str, bytes)[1:],
    "without its last character": lambda v: _as(v, str, bytes)[:-1],
    "as a list": lambda v: list(_as(v, tuple)),
    "as a tuple": lambda v: tuple(_as(v, list)),
    "in reverse order": lambda v: _as(v, list, tuple)[::-1],
    "sorted": lambda v: sorted(_as(v, list)),
    "without its first item": lambda v: _as(v, list, tuple)[1:],
    "without its last item": lambda v: _as(v, list, tuple)[:-1],
    "left empty": lambda v: type(_as(v, str, bytes, list, tuple, dict))(),
    "None": lambda _: None,
}
