"""Inputs next to an input, and mixtures of inputs, from a seed."""

import random
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from authoring.model.wire import Wire, sort_key
from authoring.scenario.inputs.edits import Materials, edits
from authoring.scenario.inputs.palette import Palette

__all__ = ["cross", "in_order", "mixtures", "mutate", "neighbours"]


_CORPUS_CAP = 64


def in_order(params: Wire) -> Wire:
    """Return the parameters sorted by name, so that one input has one form."""
    return {"dict": sorted(params["dict"], key=lambda pair: str(pair[0]))}


def neighbours(params: Wire, palette: Palette, limit: int = 200) -> list[Wire]:
    """Return the inputs one small edit of one parameter away, parameters in turn, without repeats."""
    streams = [_edited(params, index, palette) for index in range(len(params["dict"]))]
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
        stream = list(_edited(params, _below(rng, len(params["dict"])), palette))
        if stream:
            params = stream[_below(rng, len(stream))]
    return params


def cross(left: Wire, right: Wire, seed: int) -> Wire:
    """Return an input that takes each parameter from one of two inputs."""
    rng = random.Random(seed)
    others = {sort_key(name): value for name, value in right["dict"]}
    return {
        "dict": [
            [name, others[sort_key(name)] if sort_key(name) in others and _below(rng, 2) else value]
            for name, value in left["dict"]
        ]
    }


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


def _below(rng: random.Random, end: int) -> int:
    return int(rng.random() * end)


def _edited(params: Wire, index: int, palette: Palette) -> Iterator[Wire]:
    pairs = params["dict"]
    name, value = pairs[index]
    texts = (*palette.texts, *palette.tokens.get(name, ()))
    materials = Materials(texts, palette.numbers, palette.kinds.get(name, frozenset()))
    for other in edits(value, materials):
        yield {"dict": [*pairs[:index], [name, other], *pairs[index + 1 :]]}
