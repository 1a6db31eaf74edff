"""Move a negation into or out of ``and`` and ``or``, where only the truth of the result counts."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.mutants.operator import Instead, negated
from authoring.scenario.rewrites.rewrite import Rewrite

__all__ = ["DE_MORGAN"]


def _propose(node: cst.CSTNode) -> Iterator[cst.CSTNode | Instead]:
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
        if isinstance(node.expression, cst.BooleanOperation):
            yield _turned(node.expression)
    elif isinstance(node, cst.If | cst.While | cst.IfExp) and isinstance(node.test, cst.BooleanOperation):
        yield Instead(node.test, cst.UnaryOperation(cst.Not(), _turned(node.test)))


def _turned(node: cst.BooleanOperation) -> cst.BaseExpression:
    """Return the operation on negated sides, in parentheses: equal to its negation."""
    other = cst.Or() if isinstance(node.operator, cst.And) else cst.And()
    return cst.BooleanOperation(
        negated(node.left), other, negated(node.right), lpar=[cst.LeftParen()], rpar=[cst.RightParen()]
    )


DE_MORGAN = Rewrite(
    "de-morgan",
    _propose,
    (
        ("x = not (a and b)\n", "x = ((not a) or (not b))\n"),
        ("if a or b:\n    c()\n", "if not ((not a) and (not b)):\n    c()\n"),
    ),
)
