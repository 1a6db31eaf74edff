"""All small edits of a wire value, in a fixed order: the steps from one input to those next to it."""

import datetime
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from authoring.model.wire import Wire, WireError, decode, encode, sort_key

__all__ = ["Materials", "edits", "places", "rearranged"]

_PLACES_CAP = 16
_ITEMS_CAP = 10
_WORDS_CAP = 4
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Materials:
    """What may be put in: texts and numbers, and the kinds that the place may hold."""

    texts: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    kinds: frozenset[str] = frozenset()
    steps: tuple[Wire, ...] = ()
    """Where the value is a list of steps: the steps seen."""


def edits(wire: Wire, materials: Materials) -> Iterator[Wire]:
    """Yield every small edit of a value; opaque values (injected functions, handles) have none.

    Numbers move by one, double, halve, and become the given numbers; texts lose, repeat, swap and take in
    pieces, and have a word replaced; containers lose, repeat and swap items, and have one edited; another kind only
    where it was seen.
    """
    if wire is None or type(wire) is bool:
        yield from _other_kinds(wire, materials)
        return
    yield from _sized_edits(wire, materials)
    if "null" in materials.kinds:
        yield None


def _sized_edits(wire: Wire, materials: Materials) -> Iterator[Wire]:
    if type(wire) is str:
        yield from _text_edits(wire, materials.texts)
        return
    ((tag, body),) = wire.items()
    build = _EDITS.get(tag)
    if build is not None:
        yield from build(body, materials)


def _other_kinds(wire: Wire, materials: Materials) -> Iterator[Wire]:
    if type(wire) is bool:
        yield not wire
    if "null" in materials.kinds and wire is not None:
        yield None
    if "bool" in materials.kinds and wire is None:
        yield from (False, True)
    if "int" in materials.kinds:
        yield encode(int(wire or 0))
    if "text" in materials.kinds:
        yield ""


def _int_edits(body: str, materials: Materials) -> Iterator[Wire]:
    number = int(body, 16)
    near = [number + 1, number - 1, number * 2, number // 2, number * 10, 0, 1, -1, *materials.numbers]
    near += [number + 2, number - 2, number + 10, number * 3 + 1, number * 7]
    if "negative" in materials.kinds:
        near += [-number, *(-other for other in materials.numbers)]
    floor = None if "negative" in materials.kinds else -1
    for other in dict.fromkeys(near):
        if other != number and (floor is None or other >= floor):
            yield from _encoded(other)
    if "bool" in materials.kinds and number in (0, 1):
        yield bool(number)
    if "float" in materials.kinds:
        yield from _encoded(float(number))


def _float_edits(body: str, materials: Materials) -> Iterator[Wire]:
    number = float.fromhex(body) if body != "nan" else float("nan")
    near = [number + 1, number - 1, number * 2, number / 2, number + 0.5, number - 0.001, 0.0, 1.0, 0.1]
    if "negative" in materials.kinds:
        near += [-number, -0.0]
    for other in [*near, *map(float, materials.numbers)]:
        yield from _encoded(other)


def _encoded(value: object) -> Iterator[Wire]:
    """Yield the wire form, or nothing where the value has grown beyond what the wire holds."""
    try:
        yield encode(value)
    except WireError:
        return


def _text_edits(text: str, texts: tuple[str, ...]) -> Iterator[str]:
    for at in places(len(text)):
        yield text[:at] + text[at + 1 :]
        yield text[:at] + text[at] + text[at:]
        if at + 1 < len(text):
            yield text[:at] + text[at + 1] + text[at] + text[at + 2 :]
        yield text[:at] + text[at].swapcase() + text[at + 1 :]
    for piece in texts:
        yield text + piece
        yield piece + text
        for at in places(len(text), 4):
            yield text[:at] + piece + text[at:]
            yield text[:at] + piece + text[at + 1 :]
    yield from _with_other_words(text, texts)
    if text:
        yield ""
        yield text + text
        yield from texts


def _with_other_words(text: str, texts: tuple[str, ...]) -> Iterator[str]:
    """Yield the text with one of its words replaced by one of the words that may be put in."""
    words = list(_WORD.finditer(text))
    others = [piece for piece in texts if _WORD.fullmatch(piece)]
    for at in places(len(words), _WORDS_CAP):
        start, end = words[at].span()
        yield from (text[:start] + other + text[end:] for other in others if other != text[start:end])


def places(length: int, cap: int = _PLACES_CAP) -> list[int]:
    """Return at most ``cap`` places, evenly spread, the first and the last among them."""
    if length <= cap:
        return list(range(length))
    return sorted({round(step * (length - 1) / (cap - 1)) for step in range(cap)})


def _sequence_edits(tag: str) -> Callable[[list[Wire], Materials], Iterator[Wire]]:
    def build(body: list[Wire], materials: Materials) -> Iterator[Wire]:
        for items in rearranged(body):
            yield {tag: items}
        for at in places(len(body), _ITEMS_CAP):
            for item in edits(body[at], materials):
                yield {tag: [*body[:at], item, *body[at + 1 :]]}

    return build


def rearranged(body: list[Wire]) -> Iterator[list[Wire]]:
    """Yield the items with one dropped, repeated or swapped with the next, reversed, and none of them."""
    for at in places(len(body), _ITEMS_CAP):
        yield body[:at] + body[at + 1 :]
    for at in places(len(body), _ITEMS_CAP):
        yield body[: at + 1] + body[at:]
    for at in places(len(body) - 1, _ITEMS_CAP):
        yield [*body[:at], body[at + 1], body[at], *body[at + 2 :]]
    if len(body) > 2:
        yield body[::-1]
    if body:
        yield []


def _tuple_edits(body: list[Wire], materials: Materials) -> Iterator[Wire]:
    """Yield tuples of the same length: a tuple's places have their own meanings."""
    for at in places(len(body), _ITEMS_CAP):
        for item in edits(body[at], materials):
            yield {"tuple": [*body[:at], item, *body[at + 1 :]]}


def _dict_edits(body: list[list[Wire]], materials: Materials) -> Iterator[Wire]:
    for at in places(len(body), _ITEMS_CAP):
        yield {"dict": body[:at] + body[at + 1 :]}
        if at + 1 < len(body):
            yield {"dict": [*body[:at], body[at + 1], body[at], *body[at + 2 :]]}
    for at in places(len(body), _ITEMS_CAP):
        key, item = body[at]
        for other in edits(item, materials):
            yield {"dict": [*body[:at], [key, other], *body[at + 1 :]]}
        for other in edits(key, materials):
            yield from _decodable({"dict": [*body[:at], [other, item], *body[at + 1 :]]})
            yield from _decodable({"dict": [*body, [other, item]]})


def _decodable(wire: Wire) -> Iterator[Wire]:
    try:
        decode(wire)
    except WireError:
        return
    yield wire


def _set_edits(tag: str) -> Callable[[list[Wire], Materials], Iterator[Wire]]:
    def build(body: list[Wire], materials: Materials) -> Iterator[Wire]:
        for at in places(len(body), _ITEMS_CAP):
            rest = body[:at] + body[at + 1 :]
            yield {tag: rest}
            for item in edits(body[at], materials):
                yield from _decodable({tag: sorted([*rest, item], key=sort_key)})

    return build


def _bytes_edits(body: str, materials: Materials) -> Iterator[Wire]:
    text = bytes.fromhex(body).decode("latin-1")
    texts = tuple(piece for piece in materials.texts if all(ord(character) < 256 for character in piece))
    for other in _text_edits(text, texts):
        if all(ord(character) < 256 for character in other):
            yield encode(other.encode("latin-1"))


_DAYS = [datetime.timedelta(days=days) for days in (1, -1, 7, 28, 29, 30, 31, -31, 365, 366, -366)]
_SPANS = [*_DAYS, *(datetime.timedelta(seconds=s) for s in (1, -1, 60, 3600, -3600))]
_MICRO = datetime.timedelta(microseconds=1)


def _moved(tag: str, steps: list[datetime.timedelta]) -> Callable[[Wire, Materials], Iterator[Wire]]:
    def build(body: Wire, _: Materials) -> Iterator[Wire]:
        value = decode({tag: body})
        for step in steps:
            try:
                yield encode(value + step)
            except OverflowError:
                continue
        if tag == "timedelta":
            yield encode(-value)

    return build


def _decimal_edits(body: Wire, _: Materials) -> Iterator[Wire]:
    value = decode({"decimal": body})
    if value.is_finite():
        for other in (value + 1, value - 1, -value, value * 10, value / 2, Decimal(0)):
            yield encode(other)


_EDITS: dict[str, Callable[..., Iterator[Wire]]] = {
    "int": _int_edits,
    "float": _float_edits,
    "bytes": _bytes_edits,
    "list": _sequence_edits("list"),
    "tuple": _tuple_edits,
    "dict": _dict_edits,
    "set": _set_edits("set"),
    "frozenset": _set_edits("frozenset"),
    "date": _moved("date", _DAYS),
    "datetime": _moved("datetime", [*_SPANS, _MICRO, -_MICRO]),
    "timedelta": _moved("timedelta", [*_SPANS, _MICRO, -_MICRO]),
    "decimal": _decimal_edits,
}
