"""Unroll a loop over a written list, so that each round is judged by itself."""

from collections.abc import Callable, Iterable
from typing import Any

import libcst as cst

from authoring.scenario.lifting.items import Item, fails
from authoring.scenario.lifting.literals import NOT_DATA, Constants, data_of
from authoring.scenario.lifting.syntax import (
    Statement,
    block,
    callee,
    code,
    dotted,
    on_one_line,
    replace_names,
    rewrite,
    statement,
    uses,
)

__all__ = ["EXAMPLES", "ROUNDS_CAP", "bind", "unrolled", "values_of"]

ROUNDS_CAP = 60

EXAMPLES = [
    ("for x in (1, 2):\n    assert f(x)\n", "x = 1\nassert f(x)\nx = 2\nassert f(x)\n"),
    ("for k, v in {'a': 1}.items():\n    assert f(k) == v\n", "k = 'a'\nv = 1\nassert f(k) == v\n"),
    ("for act in (lambda: s[4], g):\n    assert act()\n", "assert (s[4])\nassert g()\n"),
    ("for i, x in enumerate('ab'):\n    assert f(i, x)\n", "i = 0\nx = 'a'\nassert f(i, x)\ni = 1\nx = 'b'\n"
     "assert f(i, x)\n"),
    ("for x in g():\n    assert f(x)\n", None),
]  # fmt: skip


def unrolled(loop: cst.For, line: int, constants: Constants) -> list[Item] | None:
    """Return the rounds of a loop one after the other, or None where it does not run over a written list."""
    if loop.orelse is not None or loop.asynchronous is not None or _jumps(loop.body):
        return None
    rounds = _rounds(loop.iter, constants)
    if rounds is None or len(rounds) > ROUNDS_CAP:
        return None
    found: list[Item] = []
    for element in rounds:
        starts = bind(loop.target, element)
        if starts is None:
            return None
        direct = {name: node for name, node in starts if _is_direct(node)}
        found += [
            Item(statement(f"{name} = {on_one_line(node)}"), line)
            for name, node in starts
            if name not in direct
        ]
        found += [Item(_called(replace_names(node, direct)), line) for node in block(loop.body)]
    return found


class _Jumping(cst.CSTVisitor):
    """Finds ``break``."""

    def __init__(self) -> None:
        super().__init__()
        self.found = False

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.For | cst.While | cst.FunctionDef | cst.Lambda | cst.ClassDef):
            return False
        self.found |= isinstance(node, cst.Break)
        return not self.found


def _jumps(body: cst.BaseSuite) -> bool:
    visitor = _Jumping()
    body.visit(visitor)
    return visitor.found or _continues_early(block(body))


def _continues_early(lines: list[Statement]) -> bool:
    """Return whether a ``continue`` skips something other than the failure that follows a try."""
    for position, node in enumerate(lines):
        if not _holds_continue(node):
            continue
        after = lines[position + 1 :]
        if not (isinstance(node, cst.Try) and len(after) == 1 and fails(after[0])):
            return True
    return False


class _Continuing(_Jumping):
    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.For | cst.While | cst.FunctionDef | cst.Lambda | cst.ClassDef):
            return False
        self.found |= isinstance(node, cst.Continue)
        return not self.found


def _holds_continue(node: Statement) -> bool:
    visitor = _Continuing()
    node.visit(visitor)
    return visitor.found


def _rounds(iterable: cst.BaseExpression, constants: Constants) -> list[cst.BaseExpression] | None:
    if isinstance(iterable, cst.Tuple | cst.List | cst.Set):
        if any(isinstance(element, cst.StarredElement) for element in iterable.elements):
            return None
        return [element.value for element in iterable.elements]
    values = values_of(iterable, constants)
    return None if values is None else [cst.parse_expression(repr(value)) for value in values]


def values_of(iterable: cst.BaseExpression, constants: Constants) -> list[object] | None:
    """Return the values that an iterable gives whose parts are data, or None."""
    value = data_of(iterable, constants)
    if value is not NOT_DATA:
        return list(value) if isinstance(value, list | tuple | dict | str) else None
    if not isinstance(iterable, cst.Call):
        return None
    if isinstance(iterable.func, cst.Attribute) and not iterable.args:
        mapping = data_of(iterable.func.value, constants)
        return _listed(mapping, iterable.func.attr.value) if isinstance(mapping, dict) else None
    arguments = [data_of(arg.value, constants) for arg in iterable.args]
    if any(argument is NOT_DATA for argument in arguments) or any(arg.keyword for arg in iterable.args):
        return None
    chosen = _ITERABLES.get(callee(iterable))
    if chosen is range and max(map(abs, arguments), default=0) > 1 << 20:
        return None
    return list(chosen(*arguments)) if chosen is not None else None


def _listed(mapping: dict[Any, Any], view: str) -> list[object] | None:
    """Return the items, keys or values of a mapping."""
    views: dict[str, list[object]] = {
        "items": list(mapping.items()),
        "keys": list(mapping.keys()),
        "values": list(mapping.values()),
    }
    return views.get(view)


_ITERABLES: dict[str, Callable[..., Iterable[object]]] = {
    "range": range,
    "enumerate": enumerate,
    "zip": zip,
    "sorted": sorted,
    "reversed": reversed,
}


def bind(
    target: cst.BaseExpression, element: cst.BaseExpression
) -> list[tuple[str, cst.BaseExpression]] | None:
    """Return the names in a target, each with the part of the element that it is bound to."""
    if isinstance(target, cst.Name):
        return [(target.value, element)]
    if isinstance(target, cst.Tuple | cst.List) and isinstance(element, cst.Tuple | cst.List):
        if len(target.elements) != len(element.elements):
            return None
        found: list[tuple[str, cst.BaseExpression]] = []
        for name, value in zip(target.elements, element.elements, strict=True):
            bound = None if isinstance(value, cst.StarredElement) else bind(name.value, value.value)
            if bound is None:
                return None
            found += bound
        return found
    return None


def _is_direct(node: cst.BaseExpression) -> bool:
    """Return whether an element is a thing to call, which is put where the loop's variable stands."""
    if isinstance(node, cst.Lambda):
        return not node.params.children
    return dotted(node) is not None and code(node) not in ("None", "True", "False") and bool(uses(node).reads)


def _called(node: Statement) -> Statement:
    return rewrite(node, {cst.Call: lambda _, new: _body_of_lambda(new)})


def _body_of_lambda(call: cst.Call) -> cst.BaseExpression:
    if isinstance(call.func, cst.Lambda) and not call.args:
        return cst.parse_expression(f"({code(call.func.body)})")
    return call
