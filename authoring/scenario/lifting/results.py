"""Let a scenario observe, besides what an assertion compares, the whole result that it looks at."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, count

from authoring.scenario.lifting.syntax import formatted
from authoring.scenario.lifting.views import PLAIN_HELPER

__all__ = ["EXAMPLES", "asked_of_result", "with_result"]

EXAMPLES = (
    (
        'def split(program, p, seen):\n    seen(len(program.split(p["sql"])))\n',
        'def split(program, p, seen):\n    result = program.split(p["sql"])\n    seen(len(result))\n    seen(result)\n',
    ),
    (
        "def render(program, p, seen):\n    def shown(text):\n        return program.render(text)\n\n"
        '    seen(p["item"] in shown(p["text"]))\n',
        "def render(program, p, seen):\n    def shown(text):\n        return program.render(text)\n\n"
        '    result = shown(p["text"])\n    seen(p["item"] in result)\n    seen(result)\n',
    ),
    (
        'def names(program, p, seen):\n    result = program.names(p["path"])\n'
        '    result.sort()\n    seen("a" in result)\n',
        'def names(program, p, seen):\n    result = program.names(p["path"])\n    result.sort()\n'
        '    seen("a" in result)\n    seen(result)\n',
    ),
    (
        'def count(program, p, seen):\n    seen(program.make()(p["text"]).strip().count("<li>") > 1)\n',
        'def count(program, p, seen):\n    result = program.make()(p["text"])\n'
        '    seen(result.strip().count("<li>") > 1)\n    seen(result)\n',
    ),
    ('def valid(program, p, seen):\n    seen(program.valid(p["value"]))\n', ""),
    ('def same(program, p, seen):\n    seen(program.one(p["a"]) is program.other(p["a"]))\n', ""),
)
"""Scenarios, and what the first form makes of them; empty: they look at nothing but what they observe."""

_FUNCTIONS = frozenset(
    "all any bool bytes dict float frozenset int len list max min repr set sorted str sum tuple type".split()
)
"""Functions that give a part or a property of their first argument."""

_METHODS = frozenset(
    "casefold count decode encode endswith find get index isalnum isalpha isascii isdecimal isdigit isidentifier "
    "islower isnumeric isspace istitle isupper items keys lower lstrip rfind rindex rstrip split splitlines "
    "startswith strip upper values".split()
)
"""Methods of text and containers that give a part or a property of it, and change nothing."""

_FORMS = (("", "{0}"), (PLAIN_HELPER, "plain({0})"))
"""Ways to observe a result, the second without subclasses of built-in types: a helper, and the expression."""


@dataclass(frozen=True, slots=True)
class _Place:
    """The only observation of a scenario: its statement, what is observed, and the result in it."""

    statement: ast.Expr
    observed: ast.expr
    result: ast.expr


def with_result(scenario: str) -> tuple[str, ...]:
    """Return the texts of a scenario that observe the whole result too, the strictest first.

    There are none where the scenario observes several things, or looks at nothing that is more than what it observes.
    """
    function = ast.parse(scenario).body[0]
    place = _place(function)
    if place is None or not isinstance(function, ast.FunctionDef):
        return ()
    taken = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    names = chain(["result"], (f"result_{number}" for number in count(2)))
    name = next(name for name in names if name not in taken)
    lines = scenario.encode().splitlines()
    indent = " " * place.statement.col_offset
    if lines[place.statement.lineno - 1][: len(indent)].decode() != indent:
        return ()
    before = b"\n".join(lines[: place.statement.lineno - 1])
    after = b"\n".join(lines[place.statement.end_lineno or 0 :])
    if isinstance(place.result, ast.Name):
        name, kept = place.result.id, [ast.unparse(place.statement)]
    else:
        told = _replaced(place.observed, place.result, name)
        kept = [f"{name} = {ast.unparse(place.result)}", f"seen({ast.unparse(told)})"]
    made = []
    for helper, form in _FORMS:
        body = "\n".join(indent + line for line in [*kept, f"seen({form.format(name)})"])
        text = "\n".join(part for part in (before.decode(), body, after.decode()) if part)
        made.append(formatted(_with_helper(text, helper, function)))
    return tuple(made)


def asked_of_result(scenario: str) -> frozenset[str]:
    """Return the parameters that only say what is asked of a result, and have no part in how it comes about."""
    function = ast.parse(scenario).body[0]
    place = _place(function)
    if place is None:
        return frozenset()
    inside = {id(node) for node in ast.walk(place.observed)} - {id(node) for node in ast.walk(place.result)}
    asking = {key for node, key in _parameters(function) if id(node) in inside}
    return frozenset(asking - {key for node, key in _parameters(function) if id(node) not in inside})


def _parameters(function: ast.stmt) -> Iterator[tuple[ast.expr, str]]:
    """Yield each use of a parameter, with its name."""
    for node in ast.walk(function):
        match node:
            case ast.Subscript(value=ast.Name(id="p"), slice=ast.Constant(value=str(key))):
                yield node, key


def _place(function: ast.stmt) -> _Place | None:
    calls = [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "seen"
    ]
    statements = [node for node in ast.walk(function) if isinstance(node, ast.Expr) and node.value in calls]
    if len(calls) != 1 or len(statements) != 1 or len(calls[0].args) != 1:
        return None
    observed = calls[0].args[0]
    result = _looked_at(observed)
    return None if result is None or result is observed else _Place(statements[0], observed, result)


def _looked_at(node: ast.expr) -> ast.expr | None:
    """Return the call or the variable whose value an expression gives a part or a property of."""
    inner = _whole_of(node)
    below = None if inner is None else _looked_at(inner)
    if below is not None:
        return below
    is_value = isinstance(node, ast.Call | ast.Await | ast.Name) and not _is_given(node)
    return node if is_value else None


def _whole_of(node: ast.expr) -> ast.expr | None:
    """Return what an expression is a part or a property of, where all else in it is parameters and literals."""
    match node:
        case ast.Compare(left=left, comparators=[right]):
            sides = [side for side in (left, right) if not _is_still(side)]
            return sides[0] if len(sides) == 1 else None
        case ast.UnaryOp(operand=inner) | ast.Attribute(value=inner):
            return inner
        case ast.Subscript(value=inner, slice=index) if _is_still(index):
            return inner
        case ast.Call(func=ast.Name(id=name), args=[inner, *rest], keywords=named) if name in _FUNCTIONS:
            return inner if all(map(_is_still, [*rest, *(each.value for each in named)])) else None
        case ast.Call(func=ast.Attribute(value=inner, attr=name), args=rest, keywords=named) if (
            name in _METHODS
        ):
            return inner if all(map(_is_still, [*rest, *(each.value for each in named)])) else None
        case _:
            return None


def _is_given(node: ast.expr) -> bool:
    """Tell whether an expression is the package or the parameters themselves."""
    return isinstance(node, ast.Name) and node.id in ("program", "p")


def _is_still(node: ast.expr) -> bool:
    """Tell whether an expression calls nothing: parameters, literals, and operators on them."""
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return names <= {"p"} and not any(isinstance(each, ast.Call | ast.Await) for each in ast.walk(node))


def _replaced(whole: ast.expr, part: ast.expr, name: str) -> ast.expr:
    class Put(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return ast.Name(name, ast.Load()) if node is part else super().visit(node)

    made = Put().visit(whole)
    assert isinstance(made, ast.expr)
    return made


def _with_helper(text: str, helper: str, function: ast.FunctionDef) -> str:
    """Return a scenario with a helper before its first statement."""
    if not helper or helper.partition("(")[0] + "(" in text:
        return text
    lines = text.split("\n")
    at = function.body[0].lineno - 1
    return "\n".join([*lines[:at], *(f"    {line}" for line in helper.splitlines()), "", *lines[at:]])
