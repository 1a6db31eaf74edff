"""Inline a call, made for its judgements alone, of one of the reproducer's own functions."""

from collections.abc import Mapping

import libcst as cst

from authoring.scenario.lifting.items import Item
from authoring.scenario.lifting.syntax import (
    Statement,
    all_parameters,
    block,
    code,
    dotted,
    single,
    statement,
    uses,
)

__all__ = ["EXAMPLES", "bound_arguments", "inlined"]

EXAMPLES = [
    (
        "def same(a, b=2):\n    got = f(a)\n    assert got == b\n",
        "same(1)",
        "a = 1\nb = 2\ngot = f(a)\nassert got == b\n",
    ),
    ("def same(a):\n    return f(a)\n", "same(1)", None),
]


def inlined(call: cst.Call, line: int, functions: Mapping[str, cst.FunctionDef]) -> list[Item] | None:
    """Return the items that a call stands for, or None where the function is no straight line."""
    function = functions.get(dotted(call.func) or "")
    if function is None or function.asynchronous is not None or function.decorators:
        return None
    body = block(function.body)
    if body and isinstance(single(body[-1]), cst.Return) and _returns_nothing(single(body[-1])):
        body = body[:-1]
    if any(_leaves(node) for node in body) or function.name.value in uses(body).reads:
        return None
    bound = bound_arguments(call, function)
    if bound is None:
        return None
    starts = [statement(f"{name} = {text}") for name, text in bound if name != text]
    return [Item(node, line) for node in [*starts, *body]]


def _returns_nothing(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Return) and (node.value is None or code(node.value) == "None")


class _Leaving(cst.CSTVisitor):
    def __init__(self) -> None:
        super().__init__()
        self.found = False

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.FunctionDef | cst.Lambda | cst.ClassDef):
            return False
        self.found |= isinstance(node, cst.Return | cst.Yield | cst.Await | cst.Global | cst.Nonlocal)
        return not self.found


def _leaves(node: Statement) -> bool:
    visitor = _Leaving()
    node.visit(visitor)
    return visitor.found


def bound_arguments(call: cst.Call, function: cst.FunctionDef) -> list[tuple[str, str]] | None:
    """Return each parameter with the text of its argument or default, or None where that is not plain."""
    params = function.params
    if any(arg.star for arg in call.args):
        return None
    names = [param.name.value for param in (*params.posonly_params, *params.params)]
    positional = [code(arg.value) for arg in call.args if arg.keyword is None]
    named = {arg.keyword.value: code(arg.value) for arg in call.args if arg.keyword is not None}
    bound: dict[str, str] = dict(zip(names, positional, strict=False))
    if isinstance(params.star_arg, cst.Param):
        extra = positional[len(names) :]
        bound[params.star_arg.name.value] = "(" + "".join(f"{text}, " for text in extra) + ")"
    elif len(positional) > len(names):
        return None
    known = {param.name.value for param in all_parameters(params)} - set(bound)
    loose = {key: named[key] for key in named if key not in known}
    bound |= {key: named[key] for key in named if key in known}
    if params.star_kwarg is not None:
        bound[params.star_kwarg.name.value] = "{" + "".join(f"{key!r}: {loose[key]}, " for key in loose) + "}"
    elif loose:
        return None
    for param in all_parameters(params):
        if param.name.value not in bound:
            if param.default is None:
                return None
            bound[param.name.value] = code(param.default)
    return [(param.name.value, bound[param.name.value]) for param in all_parameters(params)]
