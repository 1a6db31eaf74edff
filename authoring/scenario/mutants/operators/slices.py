"""Cut elsewhere: a bound left out or moved by one, an index moved by one."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.mutants.operator import Operator, Proposal, enclosed

__all__ = ["SLICES"]


def _propose(node: cst.CSTNode) -> Iterator[Proposal]:
    if isinstance(node, cst.Slice):
        for bound in ("lower", "upper", "step"):
            value = getattr(node, bound)
            if value is None:
                continue
            if bound == "step":
                yield node.with_changes(step=None, second_colon=cst.MaybeSentinel.DEFAULT)
                continue
            yield node.with_changes(**{bound: None})
            if not isinstance(value, cst.Integer):
                yield node.with_changes(**{bound: _moved(value)})
    elif isinstance(node, cst.Index) and isinstance(node.value, cst.Name | cst.BinaryOperation):
        yield node.with_changes(value=_moved(node.value))


def _moved(value: cst.BaseExpression) -> cst.BaseExpression:
    return cst.BinaryOperation(enclosed(value), cst.Add(), cst.Integer("1"))


SLICES = Operator(
    "slice",
    _propose,
    (
        ("x = a[1:]\n", "x = a[:]\n"),
        ("x = a[:n]\n", "x = a[:n + 1]\n"),
        ("x = a[::2]\n", "x = a[:]\n"),
        ("x = a[i]\n", "x = a[i + 1]\n"),
    ),
)
