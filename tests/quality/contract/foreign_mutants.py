"""Mutants made another way than the product makes them, to measure its checks by: a tree walk over ``ast``."""

import ast
import copy
from collections.abc import Iterator

__all__ = ["foreign_mutants"]

_COMPARED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_COMPUTED = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.Div,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


def foreign_mutants(source: str) -> list[str]:
    """Return distinct programs that differ from the source at one node of its tree."""
    tree = ast.parse(source)
    count = sum(1 for _ in ast.walk(tree))
    found: dict[str, None] = {}
    for index in range(count):
        for turn in range(4):
            made = copy.deepcopy(tree)
            node = list(ast.walk(made))[index]
            if not _change(node, turn):
                break
            text = ast.unparse(ast.fix_missing_locations(made))
            try:
                compile(text, "foreign", "exec")
            except (SyntaxError, ValueError):
                continue
            found.setdefault(text)
    found.pop(ast.unparse(tree), None)
    return list(found)


def _change(node: ast.AST, turn: int) -> bool:
    """Change the node in place in the given way; say whether there is such a way."""
    changes = list(_changes(node))
    if turn >= len(changes):
        return False
    field, value = changes[turn]
    setattr(node, field, value)
    return True


def _changes(node: ast.AST) -> Iterator[tuple[str, object]]:
    match node:
        case ast.Compare(ops=[op, *rest]) if type(op) in _COMPARED:
            yield "ops", [_COMPARED[type(op)](), *rest]
        case ast.BinOp(op=op) if type(op) in _COMPUTED:
            yield "op", _COMPUTED[type(op)]()
        case ast.BoolOp(op=op):
            yield "op", ast.And() if isinstance(op, ast.Or) else ast.Or()
        case ast.Constant(value=bool() as value):
            yield "value", not value
        case ast.Constant(value=int() | float() as value):
            yield "value", value + 1
        case ast.Constant(value=str() as value) if value:
            yield "value", "XX" + value + "XX"
            yield "value", value.upper() if value.upper() != value else value.lower()
        case ast.Return(value=ast.expr()):
            yield "value", ast.Constant(None)
        case ast.Assign():
            yield "value", ast.Constant(None)
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            yield "test", ast.UnaryOp(ast.Not(), test)
        case ast.AugAssign(op=op) if type(op) in _COMPUTED:
            yield "op", _COMPUTED[type(op)]()
        case ast.Break():
            return
        case ast.Call(args=[_, *rest]):
            yield "args", rest
            yield "args", [ast.Constant(None), *rest]
