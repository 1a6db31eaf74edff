"""Compare otherwise: move the boundary, turn the direction, negate equality, membership and identity."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.mutants.operator import Operator, Proposal

__all__ = ["COMPARISONS"]

_INSTEAD: dict[type[cst.BaseCompOp], tuple[type[cst.BaseCompOp], ...]] = {
    cst.LessThan: (cst.LessThanEqual, cst.GreaterThanEqual),
    cst.LessThanEqual: (cst.LessThan, cst.GreaterThan),
    cst.GreaterThan: (cst.GreaterThanEqual, cst.LessThanEqual),
    cst.GreaterThanEqual: (cst.GreaterThan, cst.LessThan),
    cst.Equal: (cst.NotEqual,),
    cst.NotEqual: (cst.Equal,),
    cst.In: (cst.NotIn,),
    cst.NotIn: (cst.In,),
    cst.Is: (cst.IsNot, cst.Equal),
    cst.IsNot: (cst.Is, cst.NotEqual),
}


def _propose(node: cst.CSTNode) -> Iterator[Proposal]:
    if isinstance(node, cst.ComparisonTarget):
        for other in _INSTEAD.get(type(node.operator), ()):
            yield node.with_changes(operator=other())


COMPARISONS = Operator(
    "comparison",
    _propose,
    (
        ("x = a < b\n", "x = a <= b\n"),
        ("x = a < b\n", "x = a >= b\n"),
        ("x = a == b\n", "x = a != b\n"),
        ("x = a not in b\n", "x = a in b\n"),
        ("x = a is None\n", "x = a is not None\n"),
    ),
)
