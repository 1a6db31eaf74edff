"""Decide otherwise: ``and`` for ``or``, one side alone, a ``not`` more or less."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.mutants.operator import Operator, Proposal, enclosed

__all__ = ["BOOLEANS"]


def _propose(node: cst.CSTNode) -> Iterator[Proposal]:
    if isinstance(node, cst.BooleanOperation):
        other = cst.Or() if isinstance(node.operator, cst.And) else cst.And()
        yield node.with_changes(operator=other)
        yield enclosed(node.left)
        yield enclosed(node.right)
    elif isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
        yield enclosed(node.expression)


BOOLEANS = Operator(
    "boolean",
    _propose,
    (
        ("x = a and b\n", "x = a or b\n"),
        ("x = a and b\n", "x = a\n"),
        ("x = a or b == 1\n", "x = (b == 1)\n"),
        ("x = not a\n", "x = a\n"),
    ),
)
