"""Inputs that reach what tables of the flat programs hold: their texts and numbers in the place of lifted ones.

A row of a table (a name, a unit, a power) is looked at by the inputs that name it and by no others. Drawn inputs
seldom do, so that rows would go from a program for want of a question about them.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from authoring.model.execution import How, Observed, Program, Request, Runner
from authoring.model.wire import Wire
from authoring.scenario.inputs import Path, leaves, with_leaf

__all__ = ["Scalars", "probes_of", "scalars_of"]

_SCENARIO = """\
def tables(program, p, seen):
    import sys
    texts, numbers = set(), set()
    def take(value, depth):
        if type(value) is str and 0 < len(value) <= 40:
            texts.add(value)
        elif type(value) is int:
            numbers.add(value)
        elif type(value) in (list, tuple, set, frozenset, dict) and depth:
            for one in value:
                take(one, depth - 1)
            for one in value.values() if type(value) is dict else ():
                take(one, depth - 1)
    module = sys.modules["program"]
    classes = [one for one in vars(module).values() if type(one) is type and one.__module__ == "program"]
    for owner in [module, *classes]:
        for name, value in list(vars(owner).items()):
            if not name.startswith("__") and type(value) in (list, tuple, set, frozenset, dict) and len(value) > 2:
                take(value, 3)
    seen([one for one in sorted(texts) if not any("\\ud800" <= c <= "\\udfff" for c in one)])
    seen(sorted(numbers))
"""
_TEXTS, _NUMBERS = 120, 60
"""Texts and numbers of tables that are tried, at most."""
_PLACES = 4
"""Places of lifted inputs in which each of them is tried, at most."""

Kind = Literal["text", "int"]
Scalars = dict[Kind, list[Wire]]
"""What tables hold, sorted, by kind."""


def scalars_of(runner: Runner, sources: Sequence[str], how: How) -> Scalars:
    """Return the texts and whole numbers in tables of programs, at module level and of classes; each once."""
    found: Scalars = {"text": [], "int": []}
    for source in sources:
        (outcome,) = runner.observe(
            Program(source, "program", _SCENARIO), [Request("tables", {"dict": []})], how
        )
        if isinstance(outcome, Observed) and len(outcome.observations) == 2:
            texts, numbers = (one.get("value", {"list": []})["list"] for one in outcome.observations)
            found["text"] += [one for one in texts if one not in found["text"]]
            found["int"] += [one for one in numbers if one not in found["int"]]
    return {"text": found["text"][:_TEXTS], "int": found["int"][:_NUMBERS]}


def probes_of(scalars: Mapping[Kind, Sequence[Wire]], requests: Sequence[Request]) -> list[Request]:
    """Return lifted requests with a scalar of a table in the place of one of their own of its kind."""
    places: dict[tuple[str, int, Kind], tuple[Request, Path]] = {}
    for request in requests:
        for path, leaf in leaves(request.params):
            kind: Kind = "text" if type(leaf) is str else "int"
            places.setdefault((request.scenario, path[0], kind), (request, path))
    return [
        Request(request.scenario, with_leaf(request.params, path, scalar))
        for kind, found in scalars.items()
        for scalar in found
        for request, path in [place for (_, _, own), place in places.items() if own == kind][:_PLACES]
    ]
