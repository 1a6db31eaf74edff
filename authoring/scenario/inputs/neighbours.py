"""Inputs next to an input, and mixtures of inputs, from a seed."""

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from authoring.model.wire import Wire, WireError, decode, encode, sort_key
from authoring.scenario.inputs.edits import Materials, edits, rearranged
from authoring.scenario.inputs.leaves import leaves, with_leaf
from authoring.scenario.inputs.palette import Palette
from authoring.scenario.inputs.steps import (
    arguments,
    is_steps,
    may_be_steps,
    put_in,
    step_edits,
    with_arguments,
)

__all__ = ["cross", "in_order", "mixtures", "mutate", "neighbours", "with_pieces"]

_CORPUS_CAP = 64
_PIECES = 6
_WORD = re.compile(r"\w+")
_WORDS_CAP = 4
_TURNS = 2
"""Times that pieces are tried for each input that is wanted."""
_NESTED = ("list", "tuple", "set", "frozenset", "dict")


def in_order(params: Wire) -> Wire:
    """Return the parameters sorted by name, so that one input has one form."""
    return {"dict": sorted(params["dict"], key=lambda pair: str(pair[0]))}


def neighbours(params: Wire, palette: Palette, limit: int = 200) -> list[Wire]:
    """Return the inputs one small edit of one parameter away, parameters in turn, without repeats.

    Another word for one that several parameters share is one edit too: a route and the path that it matches.
    """
    streams = [_edited(params, index, palette) for index in range(len(params["dict"]))]
    streams.append(_reworded(params, palette))
    found: dict[str, Wire] = {sort_key(params): params}
    for row in zip_longest(*streams):
        for other in row:
            if other is not None:
                found.setdefault(sort_key(other), other)
        if len(found) > limit:
            break
    return list(found.values())[1 : limit + 1]


def mutate(params: Wire, seed: int, palette: Palette) -> Wire:
    """Return the input after one to three random edits, the same for the same seed on every Python."""
    rng = random.Random(seed)
    for _ in range(1 + _below(rng, 3)):
        if not params["dict"]:
            break
        pairs = params["dict"]
        index = _below(rng, len(pairs))
        name, value = pairs[index]
        materials = _materials(name, palette, rng)
        edit = _edit_steps if materials.steps and may_be_steps(name, value) else _edit_somewhere
        other = edit(value, materials, rng)
        params = {"dict": [*pairs[:index], [name, other], *pairs[index + 1 :]]}
    return params


def cross(left: Wire, right: Wire, seed: int) -> Wire:
    """Return an input that takes each parameter from one of two inputs."""
    rng = random.Random(seed)
    others = {sort_key(name): value for name, value in right["dict"]}
    return {
        "dict": [
            [name, _either(name, value, others[sort_key(name)], rng) if sort_key(name) in others else value]
            for name, value in left["dict"]
        ]
    }


def _either(name: Wire, mine: Wire, other: Wire, rng: random.Random) -> Wire:
    """Return one of two values of a parameter; of two lists of steps now and then the first of one, then the last of
    the other.
    """
    if is_steps(name, mine) and is_steps(name, other) and _below(rng, 2):
        head, tail = mine["list"], other["list"]
        return {"list": head[: _below(rng, len(head) + 1)] + tail[_below(rng, len(tail) + 1) :]}
    return other if _below(rng, 2) else mine


def mixtures(stock: Sequence[Wire], seed: int, palette: Palette) -> Iterator[Wire]:
    """Yield mutated and crossed inputs without end, if there is anything to start from.

    Now and then a result joins what later ones start from, unless it has grown far beyond the stock.
    """
    rng = random.Random(seed)
    corpus = list(stock)
    longest = 2 * max((len(sort_key(params)) for params in stock), default=0) + 40
    while corpus:
        params = corpus[_below(rng, len(corpus))]
        if _below(rng, 3) == 0:
            params = cross(params, corpus[_below(rng, len(corpus))], _below(rng, 1 << 30))
        params = mutate(params, _below(rng, 1 << 30), palette)
        if _below(rng, 4) == 0 and len(corpus) < len(stock) + _CORPUS_CAP and len(sort_key(params)) < longest:
            corpus.append(params)
        yield params


def with_pieces(stock: Sequence[Wire], seed: int, palette: Palette, count: int) -> list[Wire]:
    """Return inputs into which the palette's texts and numbers are put, each of these in turn, without repeats.

    An input takes in one text or number, at a random place of a random input of the stock: a number in place of one, a
    text in place of a text or of a word in it, or before, in or after it.
    """
    rng = random.Random(seed)
    rows = zip_longest(palette.texts, palette.numbers)
    pieces = [piece for row in rows for piece in row if piece is not None]
    found: dict[str, Wire] = {}
    for _ in range(_TURNS * -(-count // len(pieces)) if pieces and stock else 0):
        for piece in pieces:
            if len(found) >= count:
                break
            params = stock[_below(rng, len(stock))]
            places = [(path, leaf) for path, leaf in leaves(params, keys=True) if _takes(leaf, piece)]
            if places:
                path, leaf = places[_below(rng, len(places))]
                other = _valid(with_leaf(params, path, _put(leaf, piece, rng)), params)
                if other != params:
                    found.setdefault(sort_key(other), other)
    return list(found.values())


def _takes(leaf: Wire, piece: str | int) -> bool:
    return type(leaf) is str if isinstance(piece, str) else type(leaf) is dict


def _put(leaf: Wire, piece: str | int, rng: random.Random) -> Wire:
    if not isinstance(piece, str) or type(leaf) is not str:
        return encode(piece)
    words = list(_WORD.finditer(leaf))
    if words and _WORD.fullmatch(piece) and _below(rng, 2):
        start, end = words[_below(rng, len(words))].span()
        return leaf[:start] + piece + leaf[end:]
    start = _below(rng, len(leaf) + 1)
    end = start + _below(rng, 2)
    options = (piece, piece + leaf, leaf + piece, leaf[:start] + piece + leaf[end:])
    return options[_below(rng, len(options))]


def _below(rng: random.Random, end: int) -> int:
    return int(rng.random() * end)


def _edited(params: Wire, index: int, palette: Palette) -> Iterator[Wire]:
    pairs = params["dict"]
    name, value = pairs[index]
    materials = _materials(name, palette, None)
    edit = step_edits if materials.steps and may_be_steps(name, value) else edits
    for other in edit(value, materials):
        yield {"dict": [*pairs[:index], [name, other], *pairs[index + 1 :]]}


def _reworded(params: Wire, palette: Palette) -> Iterator[Wire]:
    """Yield the inputs with another word in all places of one that several parameters hold."""
    holding = Counter(word for name, value in params["dict"] for word in set(_words_of(name, value)))
    shared = sorted((word for word, count in holding.items() if count > 1), key=lambda one: (-len(one), one))
    for word in shared[:_WORDS_CAP]:
        others = [word[:-1], word[1:], word + word[-1], *palette.texts]
        for other in dict.fromkeys(one for one in others if _WORD.fullmatch(one) and one != word):
            yield {"dict": [[name, _reworded_in(name, value, word, other)] for name, value in params["dict"]]}


def _words_of(name: Wire, value: Wire) -> Iterator[str]:
    return _words(arguments(value) if is_steps(name, value) else value)


def _reworded_in(name: Wire, value: Wire, word: str, other: str) -> Wire:
    if is_steps(name, value):
        return with_arguments(value, lambda one: _with_word(one, word, other))
    return _with_word(value, word, other)


def _words(value: Wire) -> Iterator[str]:
    if type(value) is str:
        yield from _WORD.findall(value)
    elif type(value) is dict:
        ((tag, body),) = value.items()
        for one in body if tag in ("list", "tuple", "dict") else ():
            yield from _words({"list": one} if tag == "dict" else one)


def _with_word(value: Wire, word: str, other: str) -> Wire:
    if type(value) is str:
        return _WORD.sub(lambda found: other if found.group() == word else found.group(), value)
    if type(value) is not dict:
        return value
    ((tag, body),) = value.items()
    if tag == "dict":
        return _valid({tag: [[_with_word(part, word, other) for part in pair] for pair in body]}, value)
    return {tag: [_with_word(one, word, other) for one in body]} if tag in ("list", "tuple") else value


def _materials(name: str, palette: Palette, rng: random.Random | None) -> Materials:
    """Return what a parameter may take in: all of it, or a few pieces picked at random."""
    texts = (*palette.texts, *palette.tokens.get(name, ()))
    if rng is not None and len(texts) > _PIECES:
        texts = tuple(texts[_below(rng, len(texts))] for _ in range(_PIECES))
    return Materials(
        texts, palette.numbers, palette.kinds.get(name, frozenset()), palette.steps.get(name, ())
    )


def _edit_steps(wire: Wire, materials: Materials, rng: random.Random) -> Wire:
    """Return the steps in another order, with one put in, or with an argument of one edited at a random depth."""
    body = wire["list"]
    what = _below(rng, 3) if body else 1
    if what == 0:
        return {"list": _picked(list(rearranged(body)), body, rng)}
    if what == 1:
        return {"list": put_in(body, _below(rng, len(body) + 1), _picked(list(materials.steps), None, rng))}
    at = _below(rng, len(body))
    name, *given = body[at]["list"]
    place = _below(rng, len(given))
    tag = "dict" if place else "list"
    items = given[place][tag]
    if not items:
        return {"list": put_in(body, at, body[at])}
    which = _below(rng, len(items))
    item = items[which]
    anew = (
        [item[0], _edit_somewhere(item[1], materials, rng)]
        if place
        else _edit_somewhere(item, materials, rng)
    )
    given[place] = {tag: [*items[:which], anew, *items[which + 1 :]]}
    return {"list": [*body[:at], {"list": [name, *given]}, *body[at + 1 :]]}


def _edit_somewhere(wire: Wire, materials: Materials, rng: random.Random) -> Wire:
    """Return the value with one random edit at a random depth, or as it was where that gives no value."""
    tag = next(iter(wire)) if type(wire) is dict else ""
    body = wire[tag] if tag in _NESTED else []
    if tag not in _NESTED or not body:
        return _picked(list(edits(wire, materials)), wire, rng)
    if tag in ("list", "dict") and _below(rng, 3) == 0:
        return _valid({tag: _picked(list(rearranged(body)), body, rng)}, wire)
    at = _below(rng, len(body))
    return _valid(_with_item(tag, body, at, materials, rng), wire)


def _with_item(tag: str, body: list[Wire], at: int, materials: Materials, rng: random.Random) -> Wire:
    if tag != "dict":
        items = [*body[:at], _edit_somewhere(body[at], materials, rng), *body[at + 1 :]]
        return {tag: sorted(items, key=sort_key) if tag in ("set", "frozenset") else items}
    key, item = body[at]
    if _below(rng, 3):
        return {tag: [*body[:at], [key, _edit_somewhere(item, materials, rng)], *body[at + 1 :]]}
    other = [_edit_somewhere(key, materials, rng), item]
    return {tag: [*body[:at], other, *body[at + 1 :]] if _below(rng, 2) else [*body, other]}


def _picked(options: list[Wire], otherwise: Wire, rng: random.Random) -> Wire:
    return options[_below(rng, len(options))] if options else otherwise


def _valid(wire: Wire, otherwise: Wire) -> Wire:
    """Return the first value, or the second where the first holds equal keys or items."""
    try:
        decode(wire)
    except WireError:
        return otherwise
    return wire
