"""Edits of steps: operations on one object, each dropped, repeated, moved, put in or given other arguments as a whole.

The name of a method is never edited: a scenario's table holds the methods that there are.
"""

from collections.abc import Callable, Iterable, Iterator

from authoring.model.wire import Wire, sort_key
from authoring.scenario.inputs.edits import Materials, edits, places, rearranged
from authoring.scenario.steps import names_steps

__all__ = ["arguments", "is_steps", "known_steps", "may_be_steps", "put_in", "step_edits", "with_arguments"]

_PLACES_CAP = 6
_KNOWN_CAP = 8
_ITEMS_CAP = 10


def is_steps(name: Wire, wire: Wire) -> bool:
    """Return whether a parameter's value is a list of steps with some step in it."""
    return may_be_steps(name, wire) and bool(wire["list"])


def may_be_steps(name: Wire, wire: Wire) -> bool:
    """Return whether a parameter's value is a list of steps, or of nothing."""
    return names_steps(name) and type(wire) is dict and all(map(_is_step, wire.get("list", [None])))


def _is_step(wire: Wire) -> bool:
    if type(wire) is not dict or len(wire.get("list", ())) not in (2, 3):
        return False
    name, args, *options = wire["list"]
    tags = [next(iter(part)) if type(part) is dict else "" for part in (args, *options)]
    return type(name) is str and tags == ["list", "dict"][: len(tags)]


def known_steps(wires: Iterable[Wire]) -> tuple[Wire, ...]:
    """Return the steps of some lists of steps, each once."""
    return tuple({sort_key(step): step for wire in wires for step in wire["list"]}.values())


def arguments(wire: Wire) -> Wire:
    """Return the arguments and keywords of steps, without the names of methods."""
    return {"list": [part for step in wire["list"] for part in step["list"][1:]]}


def with_arguments(wire: Wire, change: Callable[[Wire], Wire]) -> Wire:
    """Return the steps with each step's arguments, and the values of its keywords, changed."""
    return {"list": [{"list": [step["list"][0], *_changed(step, change)]} for step in wire["list"]]}


def _changed(step: Wire, change: Callable[[Wire], Wire]) -> list[Wire]:
    _, args, *options = step["list"]
    pairs = [{"dict": [[key, change(item)] for key, item in each["dict"]]} for each in options]
    return [{"list": [change(one) for one in args["list"]]}, *pairs]


def step_edits(wire: Wire, materials: Materials) -> Iterator[Wire]:
    """Yield the steps with one dropped, repeated, swapped, put in, replaced or called otherwise; and all twice."""
    body = wire["list"]
    known = materials.steps[:_KNOWN_CAP]
    for items in rearranged(body):
        yield {"list": items}
    for at in places(len(body) + 1, _PLACES_CAP):
        for step in known:
            yield {"list": put_in(body, at, step)}
    if body:
        yield {"list": body + body}
    for at in places(len(body), _ITEMS_CAP):
        for step in [*(one for one in known if one != body[at]), *called_otherwise(body[at], materials)]:
            yield {"list": [*body[:at], step, *body[at + 1 :]]}


def put_in(body: list[Wire], at: int, step: Wire) -> list[Wire]:
    """Return the steps with one more at a place."""
    return [*body[:at], step, *body[at:]]


def called_otherwise(step: Wire, materials: Materials) -> Iterator[Wire]:
    """Yield the step with one argument edited, as many as before; a keyword may be left out or edited."""
    name, args, *options = step["list"]
    given = args["list"]
    for at in range(len(given)):
        for other in edits(given[at], materials):
            yield {"list": [name, {"list": [*given[:at], other, *given[at + 1 :]]}, *options]}
    for pairs in [each["dict"] for each in options]:
        for at, (key, item) in enumerate(pairs):
            yield {"list": [name, args, {"dict": pairs[:at] + pairs[at + 1 :]}]}
            for other in edits(item, materials):
                yield {"list": [name, args, {"dict": [*pairs[:at], [key, other], *pairs[at + 1 :]]}]}
