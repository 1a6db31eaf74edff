"""Count one more or one less."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.mutants.operator import Operator, Proposal

__all__ = ["NUMBERS"]


def _propose(node: cst.CSTNode) -> Iterator[Proposal]:
    if isinstance(node, cst.Integer):
        value = node.evaluated_value
        yield cst.Integer(str(value + 1))
        if value > 0:
            yield cst.Integer(str(value - 1))
        else:
            yield cst.UnaryOperation(
                cst.Minus(), cst.Integer("1"), lpar=[cst.LeftParen()], rpar=[cst.RightParen()]
            )
    elif isinstance(node, cst.Float):
        yield cst.Float(repr(float(node.evaluated_value) + 1.0))
        yield cst.Float(repr(float(node.evaluated_value) / 2 + 0.0625))


NUMBERS = Operator(
    "number",
    _propose,
    (
        ("x = 10\n", "x = 11\n"),
        ("x = 10\n", "x = 9\n"),
        ("x = 0\n", "x = (-1)\n"),
        ("x = 1.5\n", "x = 2.5\n"),
    ),
)
