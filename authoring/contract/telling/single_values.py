"""Traits of one value: classes of inputs, with boundaries of the changed code before all others."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from authoring.contract.telling.example import Example
from authoring.contract.telling.trait import Trait
from authoring.scenario.domain import (
    ChangedCode,
    Constants,
    InputClass,
    Place,
    clause,
    is_met,
    pieces_of,
    place_words,
    places_in,
    values_at,
)

__all__ = ["single_values"]

_PLACES_CAP = 24
_PIECES_CAP = 60
_LENGTH_CAP = 24
_AMONG_CAP = 6
_LONGEST = 64
_PLAIN, _OF_CHANGE, _OF_CODE = 3.0, 4.0, 7.0
"""Bits of what anybody would think of, of what the changed lines name, of what any other line names."""
_RANGES = (("0", "9"), ("A", "Z"), ("a", "z"), ("\x00", "\x1f"), ("\x80", "\U0010ffff"))
_THRESHOLDS = {"at least": 0.0, "below": 0.0, "is": 0.0, "above": 0.1, "at most": 0.1}
"""How relations to a boundary read, with more bits for what is said otherwise where no input tells the two apart."""
_FAR = ("far", "near")
_LENGTHS = ("longer", "shorter", "long")
_WITH_MARK = (re.compile(r"[^\W\d_]{2,16}[^\w\s]"), re.compile(r"[^\w\s][^\W\d_]{2,16}"))
"""A word with the mark right after it, or before it."""
_PARTS = ("holds", "begins", "ends", "lacks")

Test = tuple[str, Any, float]


def single_values(examples: Sequence[Example], code: ChangedCode) -> Iterator[Trait]:
    """Yield a trait for all that is said of some value of some example of a fault."""
    places: dict[Place, list[Any]] = {}
    for example in examples:
        for place, value in places_in(example.params):
            known = places.setdefault(place, [])
            if example.is_fault:
                known.append(value)
    chosen = sorted(places, key=lambda place: (len(place), place_words(place)))[:_PLACES_CAP]
    more = math.log2(len(chosen)) if chosen else 0.0
    for place in chosen:
        here = [tuple(values_at(example.params, *place)) for example in examples]
        for test, than, bits in dict.fromkeys(_tests(place, places[place], code)):
            one = InputClass(place, test, than)
            members = sum(1 << at for at, seen in enumerate(here) if any(is_met(one, each) for each in seen))
            yield Trait(clause(one), bits + more, members)


def _tests(place: Place, values: Sequence[Any], code: ChangedCode) -> Iterator[Test]:
    yield "is None", None, 2
    yield "empty", None, 2
    if len(place) > 1 and type(place[-1]) is str:
        yield "given", None, _PLAIN
    kinds = dict.fromkeys(type(value) for value in values)
    for kind in kinds:
        if kind in (bool, bytes, dict, float, int, list, set, str, tuple):
            yield "kind", kind.__name__, _PLAIN + 1
    if bool in kinds:
        yield from (("is", value, 2) for value in (True, False))
    if int in kinds or float in kinds:
        yield from _of_numbers([value for value in values if type(value) in (int, float)], code)
    if any(hasattr(value, "__len__") for value in values):
        yield from _of_lengths([len(value) for value in values if hasattr(value, "__len__")], code)
    if str in kinds:
        yield from _of_texts([value for value in values if type(value) is str], code)
    if bytes in kinds:
        held = {piece for value in values if type(value) is bytes for piece in pieces_of(value)}
        yield from _of_pieces(
            sorted(held, key=lambda piece: (len(piece), piece))[:_PIECES_CAP], _OF_CODE, _PARTS[:3]
        )


def _of_numbers(values: Sequence[float], code: ChangedCode) -> Iterator[Test]:
    yield "below", 0, 2
    yield "above", 0, _PLAIN
    yield "is", 0, 2
    yield "not whole", None, _PLAIN
    for number, bits in _known(code, _numbers):
        if number > 1 and type(number) is int:
            yield from ((test, number, bits + 1) for test in ("multiple", "power", "power far"))
        if number > 0:
            yield from ((test, number, bits + 1) for test in _FAR)
        yield from ((test, number, bits + more) for test, more in _THRESHOLDS.items())
    finite = sorted({value for value in values if value - value == 0})
    each = _OF_CODE + math.log2(len(finite) or 1)
    for number in dict.fromkeys([*finite[:1], *finite[-1:]]):
        yield from ((test, number, each + more) for test, more in _THRESHOLDS.items())
    for number in sorted({abs(value) for value in finite})[:1]:
        yield "far", number, each + 1
    yield from _among(finite, code)


def _numbers(constants: Constants) -> Iterable[float]:
    return (*constants.numbers, *constants.floats)


def _lengths(constants: Constants) -> Iterable[int]:
    return (number for number in constants.numbers if 0 < number <= _LONGEST)


def _known(code: ChangedCode, named: Any) -> Iterator[tuple[Any, float]]:
    """Yield what the changed lines name, then what the other lines do, each with its bits."""
    changed = list(named(code.changed))
    yield from ((each, _OF_CHANGE) for each in changed)
    yield from ((each, _OF_CODE) for each in named(code.all) if each not in changed)


def _among(values: Sequence[Any], code: ChangedCode) -> Iterator[Test]:
    """Yield the few values that there are, as one class; each costs what it takes to name it."""
    if 0 < len(values) <= _AMONG_CAP:
        named = {*code.changed.numbers, *code.changed.texts}
        bits = sum(_OF_CHANGE if value in named else _OF_CODE for value in values)
        if len(values) == 1:
            yield "is", values[0], _PLAIN + bits
        else:
            yield "among", tuple(values), _PLAIN + bits


def _of_lengths(lengths: Sequence[int], code: ChangedCode) -> Iterator[Test]:
    for number, bits in [(1, _PLAIN), *_known(code, _lengths)]:
        yield from ((test, number, bits + 1) for test in _LENGTHS)
    distinct = sorted({*lengths})
    each = _OF_CODE + math.log2(len(distinct) or 1)
    for number in dict.fromkeys([*distinct[:1], *distinct[-1:]]):
        yield "long", number, each
        yield "longer", number - 1, each
        yield "shorter", number + 1, each


def _of_texts(texts: Sequence[str], code: ChangedCode) -> Iterator[Test]:
    yield "blank", None, _PLAIN
    for span in _RANGES:
        yield "between", span, _OF_CHANGE
        yield "none between", span, _OF_CHANGE + 1
    named: set[str] = set()
    for constants, bits in ((code.changed, _OF_CHANGE), (code.all, _OF_CODE)):
        pieces = [one for one in (*constants.texts, *constants.characters) if one not in named]
        pieces = [one for one in dict.fromkeys(pieces) if one and len(one) <= _LENGTH_CAP][:_PIECES_CAP]
        named.update(pieces)
        yield from _of_pieces(pieces, bits + (0 if constants is code.changed else 1))
    seen = {str(piece) for text in texts for piece in pieces_of(text)} - named
    seen |= {piece for text in texts for matcher in _WITH_MARK for piece in matcher.findall(text)} - named
    pieces = sorted(seen, key=lambda piece: (len(piece), piece))[:_PIECES_CAP]
    yield from _of_pieces(pieces, _PLAIN + 2 + math.log2(len(pieces) or 1), _PARTS[:3])
    yield from _among(sorted({text for text in texts if len(text) <= _LENGTH_CAP}), code)


def _of_pieces(pieces: Sequence[Any], bits: float, tests: Sequence[str] = _PARTS) -> Iterator[Test]:
    """Yield what texts do with pieces; that one lacks a piece counts where the code names that only."""
    for piece in pieces:
        yield from ((test, piece, bits + (test != "holds")) for test in tests)
