"""Say ``x += 1`` as ``x = x + 1``, for numbers only: a list would no longer be changed in place."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.rewrites.rewrite import Rewrite

__all__ = ["EXPAND_ASSIGNMENT"]

_OPERATORS: dict[type[cst.BaseAugOp], type[cst.BaseBinaryOp]] = {
    cst.AddAssign: cst.Add,
    cst.SubtractAssign: cst.Subtract,
    cst.MultiplyAssign: cst.Multiply,
    cst.DivideAssign: cst.Divide,
    cst.FloorDivideAssign: cst.FloorDivide,
    cst.ModuloAssign: cst.Modulo,
}


def _propose(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if not isinstance(node, cst.AugAssign) or not isinstance(node.target, cst.Name):
        return
    operator = _OPERATORS.get(type(node.operator))
    is_list_safe = operator is not None and operator is not cst.Multiply
    if operator is not None and is_list_safe and isinstance(node.value, cst.BaseNumber):
        yield cst.Assign(
            [cst.AssignTarget(node.target)], cst.BinaryOperation(node.target, operator(), node.value)
        )


EXPAND_ASSIGNMENT = Rewrite("expand-assignment", _propose, (("x += 1\n", "x = x + 1\n"),))
