"""A smaller input of which the same holds, found greedily in batches."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from authoring.model.wire import Wire, WireError, decode, sort_key
from authoring.scenario.inputs.steps import is_steps

__all__ = ["shrink", "weight"]

Holds = Callable[[Sequence[Wire]], Sequence[bool]]
"""Says of a batch of inputs, of each, whether what matters still holds."""

_BATCH = 48


def weight(wire: Wire) -> tuple[int, int, str]:
    """Return a total order on inputs: short ones first, then those of small numbers, then by their text."""
    text = sort_key(wire)
    return len(text), sum(map(ord, text)), text


def shrink(params: Wire, holds: Holds, rounds: int = 12) -> Wire:
    """Return an input that is no larger and of which ``holds`` is true, if it is true of ``params``.

    Each round asks about at most 48 simpler inputs in one batch and goes on from the smallest that holds.
    """
    for _ in range(rounds):
        simpler = sorted({sort_key(w): w for w in _simpler(params)}.values(), key=weight)
        simpler = [wire for wire in simpler if weight(wire) < weight(params)][:_BATCH]
        if not simpler:
            return params
        verdicts = holds(simpler)
        better = next((wire for wire, verdict in zip(simpler, verdicts, strict=True) if verdict), None)
        if better is None:
            return params
        params = better
    return params


def _simpler(params: Wire) -> Iterator[Wire]:
    pairs = params["dict"]
    for index, (name, value) in enumerate(pairs):
        for other in _reduced_steps(value["list"]) if is_steps(name, value) else _reduced(value):
            yield {"dict": [*pairs[:index], [name, other], *pairs[index + 1 :]]}


def _reduced_steps(body: list[Wire]) -> Iterator[Wire]:
    """Yield fewer steps, and the same ones with smaller arguments."""
    yield from ({"list": items} for items in _shorter(body, []))
    for at, step in enumerate(body):
        name, args, *options = step["list"]
        calls = [[args_, *options] for args_ in _inside("list", args["list"])]
        calls += [[args, other] for each in options for other in _with_smaller_items(each["dict"])]
        for call in calls:
            yield {"list": [*body[:at], {"list": [name, *call]}, *body[at + 1 :]]}


def _with_smaller_items(pairs: list[list[Wire]]) -> Iterator[Wire]:
    yield from ({"dict": some} for some in _shorter(pairs, []))
    for at, (key, item) in enumerate(pairs):
        yield from ({"dict": [*pairs[:at], [key, other], *pairs[at + 1 :]]} for other in _reduced(item))


def _reduced(wire: Wire) -> Iterator[Wire]:
    if wire is None or type(wire) is bool:
        return
    if type(wire) is str:
        yield from _shorter(wire, "")
        return
    ((tag, body),) = wire.items()
    if tag == "int":
        yield from _nearer_zero(int(body, 16))
    elif tag in ("list", "set", "frozenset"):
        yield from ({tag: items} for items in _shorter(body, []))
        yield from _inside(tag, body)
    elif tag == "tuple":
        yield from _inside(tag, body)
    elif tag == "dict":
        yield from ({tag: pairs} for pairs in _shorter(body, []))
        for at, (key, item) in enumerate(body):
            yield from _valid({tag: [*body[:at], [key, other], *body[at + 1 :]]} for other in _reduced(item))
            yield from _valid({tag: [*body[:at], [other, item], *body[at + 1 :]]} for other in _reduced(key))
    elif tag == "bytes":
        yield from (
            {tag: text.encode("latin-1").hex()}
            for text in _shorter(bytes.fromhex(body).decode("latin-1"), "")
        )


def _inside(tag: str, body: list[Wire]) -> Iterator[Wire]:
    for at, item in enumerate(body):
        for other in _reduced(item):
            items = [*body[:at], other, *body[at + 1 :]]
            yield from _valid([{tag: sorted(items, key=sort_key) if "set" in tag else items}])


def _valid(wires: Iterator[Wire] | list[Wire]) -> Iterator[Wire]:
    for wire in wires:
        try:
            decode(wire)
        except WireError:
            continue
        yield wire


def _shorter(body: Any, empty: Any) -> Iterator[Any]:
    """Yield the body without each stretch of half, a quarter ... its length."""
    if body:
        yield empty
    step = len(body) // 2
    while step:
        for at in range(0, len(body), step):
            yield body[:at] + body[at + step :]
        step //= 2


def _nearer_zero(number: int) -> Iterator[Wire]:
    for other in {0, 1, number // 2, number // 10, abs(number), number - 1 if number > 0 else number + 1}:
        if abs(other) <= abs(number):
            yield {"int": hex(other)}
