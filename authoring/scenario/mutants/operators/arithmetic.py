"""Compute otherwise: the opposite operation, a sign lost, one operand alone."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.mutants.operator import Operator, Proposal, enclosed

__all__ = ["ARITHMETIC"]

_INSTEAD: dict[type[cst.CSTNode], tuple[type[cst.BaseBinaryOp], ...]] = {
    cst.Add: (cst.Subtract,),
    cst.Subtract: (cst.Add,),
    cst.Multiply: (cst.Divide, cst.Add),
    cst.Divide: (cst.Multiply, cst.FloorDivide),
    cst.FloorDivide: (cst.Divide,),
    cst.Modulo: (cst.FloorDivide,),
    cst.Power: (cst.Multiply,),
    cst.LeftShift: (cst.RightShift,),
    cst.RightShift: (cst.LeftShift,),
    cst.BitAnd: (cst.BitOr,),
    cst.BitOr: (cst.BitAnd,),
    cst.BitXor: (cst.BitOr,),
}
_ASSIGNED: dict[type[cst.CSTNode], type[cst.BaseAugOp]] = {
    cst.AddAssign: cst.SubtractAssign,
    cst.SubtractAssign: cst.AddAssign,
    cst.MultiplyAssign: cst.DivideAssign,
    cst.DivideAssign: cst.MultiplyAssign,
    cst.FloorDivideAssign: cst.MultiplyAssign,
    cst.ModuloAssign: cst.FloorDivideAssign,
    cst.BitOrAssign: cst.BitAndAssign,
    cst.BitAndAssign: cst.BitOrAssign,
}


def _propose(node: cst.CSTNode) -> Iterator[Proposal]:
    if isinstance(node, cst.BinaryOperation):
        for other in _INSTEAD.get(type(node.operator), ()):
            yield node.with_changes(operator=other())
        yield enclosed(node.left)
        yield enclosed(node.right)
    elif isinstance(node, cst.UnaryOperation) and not isinstance(node.operator, cst.Not):
        yield enclosed(node.expression)
    elif isinstance(node, cst.AugAssign):
        if type(node.operator) in _ASSIGNED:
            yield node.with_changes(operator=_ASSIGNED[type(node.operator)]())
        yield cst.Assign([cst.AssignTarget(node.target)], node.value)


ARITHMETIC = Operator(
    "arithmetic",
    _propose,
    (
        ("x = a + b\n", "x = a - b\n"),
        ("x = a // b\n", "x = a / b\n"),
        ("x = a * (b - 1)\n", "x = (b - 1)\n"),
        ("x = -a\n", "x = a\n"),
        ("x += a\n", "x -= a\n"),
        ("x += a\n", "x = a\n"),
    ),
)
