"""Use a part of an expression: one branch of a conditional, the iterable of a comprehension."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.mutants.operator import Operator, Proposal, enclosed

__all__ = ["UNWRAPPED"]


def _propose(node: cst.CSTNode) -> Iterator[Proposal]:
    if isinstance(node, cst.IfExp):
        yield enclosed(node.body)
        yield enclosed(node.orelse)
    elif isinstance(node, cst.ListComp) and node.for_in.ifs == () and node.for_in.inner_for_in is None:
        yield cst.Call(cst.Name("list"), [cst.Arg(node.for_in.iter)])


UNWRAPPED = Operator(
    "unwrapped",
    _propose,
    (
        ("x = a if b else c\n", "x = a\n"),
        ("x = a if b else c\n", "x = c\n"),
        ("x = [f(y) for y in z]\n", "x = list(z)\n"),
    ),
)
