"""Which classes inputs fall into, as far as a person would name them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from authoring.model.wire import Wire, WireError, decode
from authoring.scenario.domain.input_class import InputClass, Place

__all__ = ["classes_of", "pieces_of", "places_in"]

_DEPTH_CAP = 4
_PIECES_CAP = 40
_OPTION_LENGTH_CAP = 24
_OF_TEXT = ("is", "holds", "begins", "ends")
_RANGES = (("0", "9"), ("A", "Z"), ("a", "z"), ("\x00", "\x1f"), ("\x80", "\U0010ffff"))
"""Digits, letters, control characters, and what is not ASCII."""

_Bounds = Mapping[Place, tuple[float, float, int]]
"""By place: the least and the greatest number there, and the greatest length."""


def classes_of(params: Sequence[Wire], kept: frozenset[int]) -> dict[InputClass, frozenset[int]]:
    """Return the classes that hold some of the inputs and none of those at the positions ``kept``.

    Of every class the positions of its inputs. Thresholds are the greatest and least values of the kept inputs. What a
    text is or holds counts where two inputs share it: a piece of one mutated text names no class. An input that has no
    value outside a box is in no class.
    """
    values = [_decoded(one) for one in params]
    bounds = _bounds([values[at] for at in sorted(kept)])
    found: dict[InputClass, set[int]] = {}
    for at, value in enumerate(values):
        if value is not None:
            for one in _classes(value, (), bounds):
                found.setdefault(one, set()).add(at)
    return {
        one: frozenset(held)
        for one, held in found.items()
        if not held & kept and len(held) >= (2 if one.test in _OF_TEXT else 1)
    }


def _decoded(params: Wire) -> dict[Any, Any] | None:
    try:
        value = decode(params)
    except WireError:
        return None
    return value if type(value) is dict else None


def _bounds(values: Sequence[Any]) -> dict[Place, tuple[float, float, int]]:
    found: dict[Place, tuple[float, float, int]] = {}
    for value in values:
        for place, each in places_in(value):
            low, high, length = found.get(place, (0, 0, 0))
            if type(each) in (int, float) and each - each == 0:
                low, high = min(low, each), max(high, each)
            if hasattr(each, "__len__"):
                length = max(length, len(each))
            found[place] = (low, high, length)
    return found


def places_in(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Yield every value at any depth with the way to it."""
    if place:
        yield place, value
    if len(place) > _DEPTH_CAP:
        return
    if type(value) is dict:
        for key, item in value.items():
            if type(key) is str:
                yield from places_in(item, (*place, key))
    elif type(value) is tuple:
        for at, item in enumerate(value):
            yield from places_in(item, (*place, at))
    elif type(value) in (list, set, frozenset):
        for item in value:
            yield from places_in(item, (*place, None))


def _classes(value: Any, start: Place, bounds: _Bounds) -> Iterator[InputClass]:
    for place, each in places_in(value, start):
        if len(place) > 1 and type(place[-1]) is str:
            yield InputClass(place, "given")
        for test, than in _tests(each, bounds.get(place, (0, 0, 0))):
            yield InputClass(place, test, than)


def _tests(value: Any, bounds: tuple[float, float, int]) -> Iterator[tuple[str, Any]]:
    low, high, length = bounds
    if value is None:
        yield "is None", None
        return
    if type(value) in (bool, bytes, dict, float, int, list, set, str, tuple):
        yield "kind", type(value).__name__
    if type(value) is bool:
        yield "is", value
    elif type(value) in (int, float):
        yield from _of_number(value, low, high)
    elif hasattr(value, "__len__"):
        if not len(value):
            yield "empty", None
        if len(value) > length > 0:
            yield "longer", length
    if type(value) in (str, bytes):
        yield from _of_text(value)


def _of_number(value: float, low: float, high: float) -> Iterator[tuple[str, Any]]:
    if value == 0:
        yield "is", abs(value)
    if value < 0:
        yield "below", 0
    if value < low < 0:
        yield "below", low
    if value > 0:
        yield "above", 0
    if value > high > 0:
        yield "above", high
    if type(value) is float and value % 1 != 0:
        yield "not whole", None


def _of_text(value: str | bytes) -> Iterator[tuple[str, Any]]:
    """Yield what a text holds, except single letters: nobody would name inputs by one."""
    if not value:
        return
    if len(value) <= _OPTION_LENGTH_CAP:
        yield "is", value
    for piece in pieces_of(value):
        yield "holds", piece
    for test, edge in (("begins", value[:1]), ("ends", value[-1:])):
        if not edge.isalpha():
            yield test, edge
    if type(value) is str:
        for low, high in _RANGES:
            if any(low <= character <= high for character in value):
                yield "between", (low, high)


def pieces_of(value: str | bytes) -> list[str | bytes]:
    """Return what a text holds that a person would name inputs by: marks, doubled letters, and words."""
    single = [value[at : at + 1] for at in range(len(value))]
    pieces: list[str | bytes] = [piece for piece in single if not piece.isalpha()]
    pieces += [value[at : at + 2] for at in range(len(value) - 1) if value[at] == value[at + 1]]
    pieces += _words(value)
    return list(dict.fromkeys(pieces[:_PIECES_CAP]))


def _words(value: str | bytes) -> list[str | bytes]:
    """Return the runs of ASCII letters that are longer than one."""
    text = value.decode("latin-1") if isinstance(value, bytes) else value
    runs = "".join(character if character.isascii() and character.isalpha() else " " for character in text)
    found = [run for run in runs.split() if len(run) > 1]
    return [run.encode("latin-1") if isinstance(value, bytes) else run for run in found]
