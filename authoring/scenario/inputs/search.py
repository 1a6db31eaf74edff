"""The search for an input that tells two programs apart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, zip_longest

from authoring.model.execution import Observed, Outcome, Subject
from authoring.model.observation import Compare
from authoring.model.wire import Wire, sort_key
from authoring.scenario.inputs.neighbours import mixtures, neighbours
from authoring.scenario.inputs.observing import Input, Observer, is_same
from authoring.scenario.inputs.palette import Palette

__all__ = ["Distinguished", "Stock", "Undistinguished", "candidates", "search"]


@dataclass(frozen=True, slots=True)
class Distinguished:
    """An input on which the programs differ."""

    input: Input
    left: Outcome
    right: Outcome
    effort: int
    """Inputs tried up to and with this one's batch."""


@dataclass(frozen=True, slots=True)
class Undistinguished:
    """No input told the programs apart: they are presumed equivalent, with this effort."""

    effort: int


@dataclass(frozen=True, slots=True)
class Stock:
    """Where a scenario's inputs start from, and what edits of them draw on."""

    inputs: Sequence[Wire]
    palette: Palette
    compare: Compare = field(default_factory=Compare)


def candidates(stock: Mapping[str, Stock], seed: int, count: int) -> list[Input]:
    """Return ``count`` distinct inputs: the stock, then systematic neighbours, then mutated and crossed ones.

    Scenarios take turns, so that each gets its share of a small budget.
    """
    found: dict[str, Input] = {}
    streams = [_stream(name, stock[name], seed, count) for name in sorted(stock)]
    for row in zip_longest(*streams):
        for one in row:
            if one is not None:
                found.setdefault(one.key, one)
    return list(found.values())[:count]


def _stream(scenario: str, stock: Stock, seed: int, count: int) -> list[Input]:
    wires = list(stock.inputs)[: count // 2 + 1]
    around = [wire for params in stock.inputs[:12] for wire in neighbours(params, stock.palette, 40)]
    wires += around[: count // 4 + 1]
    found = {sort_key(wire): wire for wire in wires}
    for wire in islice(mixtures(stock.inputs, seed, stock.palette), 4 * count):
        if len(found) >= count:
            break
        found.setdefault(sort_key(wire), wire)
    return [Input(scenario, wire) for wire in found.values()]


def search(
    observer: Observer,
    left: Subject,
    right: Subject,
    stock: Mapping[str, Stock],
    *,
    seed: int,
    budget: int = 400,
    tried: Sequence[Input] = (),
) -> Distinguished | Undistinguished:
    """Look for an input inside the domain on which two programs differ; the same for the same seed.

    ``right`` says what is inside the domain: inputs on which it does not come to an end are passed over.
    ``tried`` are asked first. Batches grow; the search ends with the first batch that holds a difference,
    and returns its first one.
    """
    already = {one.key for one in tried}
    waiting = [*tried, *(one for one in candidates(stock, seed, budget) if one.key not in already)]
    at, size = 0, 32
    while at < len(waiting):
        batch = waiting[at : at + size]
        at, size = at + len(batch), size * 2
        answers = zip(batch, observer.outcomes(right, batch), strict=True)
        inside = [(one, answer) for one, answer in answers if isinstance(answer, Observed)]
        others = observer.first_outcomes(left, [one for one, _ in inside])
        for one, answer in inside:
            other = others.get(one.key, answer)
            if not is_same(other, answer, stock[one.scenario].compare):
                return Distinguished(one, other, answer, at)
    return Undistinguished(at)
