"""Take a branch always or never, or the other one."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.mutants.operator import Instead, Operator, Proposal, negated

__all__ = ["CONDITIONS"]


def _propose(node: cst.CSTNode) -> Iterator[Proposal]:
    if isinstance(node, cst.If | cst.IfExp):
        yield Instead(node.test, cst.Name("True"))
        yield Instead(node.test, cst.Name("False"))
        yield Instead(node.test, negated(node.test))
    elif isinstance(node, cst.While):
        yield Instead(node.test, cst.Name("False"))
    elif isinstance(node, cst.CompIf):
        yield Instead(node.test, cst.Name("True"))
        yield Instead(node.test, negated(node.test))


CONDITIONS = Operator(
    "condition",
    _propose,
    (
        ("if a:\n    b()\n", "if True:\n    b()\n"),
        ("if a < 1:\n    b()\n", "if (not (a < 1)):\n    b()\n"),
        ("x = b if a else c\n", "x = b if False else c\n"),
        ("while a:\n    b()\n", "while False:\n    b()\n"),
        ("x = [y for y in z if y]\n", "x = [y for y in z if True]\n"),
    ),
)
