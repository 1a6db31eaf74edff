"""Let a comparison of the fix hold for neighbours too: beside the value, at the boundary, for all that is empty."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.mutants.fix import Fix
from authoring.scenario.mutants.operator import Instead, enclosed, negated
from authoring.scenario.mutants.over_correction import OverCorrection

__all__ = ["WIDEN_COMPARISON"]


def _propose(fix: Fix) -> Iterator[Instead]:
    for node in fix.nodes:
        if isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
            for by in _wider(node.left, node.comparisons[0]):
                yield Instead(node, by)


def _wider(left: cst.BaseExpression, target: cst.ComparisonTarget) -> Iterator[cst.BaseExpression]:
    right = target.comparator
    match target.operator:
        case cst.Equal() if isinstance(right, cst.SimpleString):
            yield cst.Comparison(right, [cst.ComparisonTarget(cst.In(), enclosed(left))])
        case cst.Equal():
            yield _compared(left, cst.GreaterThanEqual(), right)
            yield _compared(left, cst.LessThanEqual(), right)
        case cst.LessThan():
            yield _compared(left, cst.LessThanEqual(), right)
        case cst.GreaterThan():
            yield _compared(left, cst.GreaterThanEqual(), right)
        case cst.LessThanEqual() if not isinstance(right, cst.SimpleString):
            yield _compared(left, cst.LessThanEqual(), _moved(right, 1))
        case cst.GreaterThanEqual() if not isinstance(right, cst.SimpleString):
            yield _compared(left, cst.GreaterThanEqual(), _moved(right, -1))
        case cst.Is() if _is_none(right):
            yield negated(left)
        case cst.IsNot() if _is_none(right):
            yield enclosed(left)


def _compared(
    left: cst.BaseExpression, operator: cst.BaseCompOp, right: cst.BaseExpression
) -> cst.Comparison:
    return cst.Comparison(left, [cst.ComparisonTarget(operator, right)])


def _moved(node: cst.BaseExpression, by: int) -> cst.BaseExpression:
    """Return a number one further, or the sum of what is no literal."""
    if isinstance(node, cst.Integer):
        return cst.parse_expression(str(node.evaluated_value + by))
    sign = cst.Add() if by > 0 else cst.Subtract()
    return cst.BinaryOperation(enclosed(node), sign, cst.Integer(str(abs(by))))


def _is_none(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) and node.value == "None"


WIDEN_COMPARISON = OverCorrection(
    "widen-comparison",
    _propose,
    (
        ("x = 1\n", "x = a == 1\n", "x = a >= 1\n"),
        ("x = 1\n", "x = a == 'b'\n", "x = 'b' in a\n"),
        ("x = a < 1\n", "x = a <= 1\n", "x = a <= 2\n"),
        ("x = a\n", "x = a < b\n", "x = a <= b\n"),
        ("x = a\n", "x = a >= b\n", "x = a >= b - 1\n"),
        ("x = a\n", "x = a is None\n", "x = (not a)\n"),
        ("x = b\n", "x = a is not None\n", "x = a\n"),
    ),
)
