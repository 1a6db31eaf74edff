"""Iterate over one thing alone where a loop takes it beside another: an index, a key, what ``zip`` brings."""

from collections.abc import Iterator

import libcst as cst

from authoring.reduction.edits import Edit, Splice
from authoring.reduction.expressions import LineTree, Span
from authoring.reduction.passes.base import Example, Pass, lines
from authoring.reduction.view import View

__all__ = ["EXAMPLES", "PASS"]

EXAMPLES: tuple[Example, ...] = (
    ("for i, a in enumerate(b):\n    f(a)\n", "for a in b:\n    f(a)\n"),
    ("x = [a for i, a in enumerate(b, 1)]\n", "x = [a for a in b]\n"),
    ("for k, v in a.b().items():\n    f(v)\n", "for v in a.b().values():\n    f(v)\n"),
    ("x = {k for k, v in a.items()}\n", "x = {k for k in a}\n"),
    ("for (a, b) in zip(c, d):\n    f(a)\n", "for a in c:\n    f(a)\n"),
    ("for a, b in zip(c, d):\n    f(b)\n", "for b in d:\n    f(b)\n"),
)


def candidates(view: View) -> Iterator[Edit]:
    """Yield an edit for each of two targets; where its name is read, the edit is refused for leaving it unbound."""
    for number, line, tree in lines(view):
        for target in tree.spans:
            if target.field != "target" or not isinstance(target.node, cst.Tuple):
                continue
            names = [tree.source(one) for one in tree.children(target) if isinstance(one.node, cst.Element)]
            iterated = next((one for one in tree.children(target.parent) if one.field == "iter"), None)
            if iterated is None or len(names) != 2:
                continue
            for name, alone in zip(names, _alone(tree, iterated), strict=False):
                if alone:
                    splices = (
                        Splice(number, line.versions, target.start, target.end, name),
                        Splice(number, line.versions, iterated.start, iterated.end, alone),
                    )
                    yield Edit(splices, 3)


def _alone(tree: LineTree, iterated: Span) -> tuple[str, ...]:
    """Return what gives the first of each pair alone, and what gives the second; empty where nothing does."""
    call = iterated.node
    if not isinstance(call, cst.Call):
        return ()
    given = [tree.source(one) for one in tree.children(iterated) if isinstance(one.node, cst.Arg)]
    match call.func:
        case cst.Name("enumerate") if given:
            return "", given[0]
        case cst.Name("zip") if len(given) == 2:
            return given[0], given[1]
        case cst.Attribute(attr=cst.Name("items")) if not given:
            held = tree.source(iterated).rpartition(".items")[0]
            return held, f"{held}.values()"
    return ()


PASS = Pass("lone targets", candidates, hope=0.3)
