"""Weaker views of a scenario, the least weak first: what a reproducer's assertion would let pass too."""

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from authoring.model.capture import AND_CALLS, AND_RESULT
from authoring.scenario.lifting.calls import weaker_calls
from authoring.scenario.lifting.syntax import (
    Statement,
    block,
    callee,
    code,
    formatted,
    single,
    statement,
    statements,
    walk,
)
from authoring.scenario.lifting.views import PLAIN_HELPER, SHOWN_HELPER

__all__ = ["EXAMPLES", "WeakerView", "function_of", "weaker_views", "with_function"]

_VALUE = 'def names(program, p, seen):\n    seen(program.names(p["path"]))\n'
_RESULT = (
    'def names(program, p, seen):\n    result = program.names(p["path"])\n    seen(p["item"] in result)\n'
)

EXAMPLES = (
    (_VALUE, "list of it", _VALUE.replace('program.names(p["path"])', 'list(program.names(p["path"]))')),
    (_VALUE, "text", _VALUE.replace('program.names(p["path"])', 'str(program.names(p["path"]))')),
    (_RESULT + "    seen(result)\n", "whole result", _RESULT),
    (_RESULT, "", ""),
    ('def size(program, p, seen):\n    seen(len(program.names(p["path"])))\n', "", ""),
)
"""Scenarios, the words of a weaker view, and its text; empty: there is none."""

_FORMS = (
    ("plain data", "plain({})", PLAIN_HELPER),
    ("list of it", "list({})", ""),
    ("dict of it", "dict({})", ""),
    ("float of it", "float({})", ""),
    ("texts", "[str(each) for each in {}]", ""),
    ("text", "str({})", ""),
    ("data, else its type", "shown({})", SHOWN_HELPER),
)
"""The ways in which capture observes a value that is no data, and that here make less of one that is."""

_DONE = frozenset("plain list dict float str shown fields repr len bool type int isinstance any all".split())
"""Functions whose value is a view already, or hardly anything."""


@dataclass(frozen=True, slots=True)
class WeakerView:
    """A scenario's function that observes less."""

    words: str
    """What no longer counts, or what is made of the value that is observed."""
    text: str
    dropped: str = ""
    """The end of the words for the scenario's view that no longer holds."""
    is_of_calls: bool = False
    """Whether nothing but calls back count less."""


def weaker_views(scenario: str) -> Iterator[WeakerView]:
    """Yield what observes less of a scenario: of the calls back, not the whole result, or another form of the value.

    The forms are those of the options that lifting gives for such an assertion, but for those that hardly see anything.
    """
    for words, text in weaker_calls(scenario):
        yield WeakerView(words, text, AND_CALLS if words == "calls" else "", is_of_calls=True)
    function = cst.parse_module(scenario).body[0]
    if not isinstance(function, cst.FunctionDef):
        return
    *before, last = block(function.body)
    value = _observed(last)
    if value is None:
        return
    if before and _asks_of(before[-1], value):
        yield WeakerView("whole result", _with_lines(function, before), AND_RESULT)
    elif not isinstance(value, cst.Comparison | cst.BooleanOperation | cst.UnaryOperation | cst.BaseComp):
        yield from _in_forms(function, before, value)


def _in_forms(
    function: cst.FunctionDef, before: list[Statement], value: cst.BaseExpression
) -> Iterator[WeakerView]:
    if callee(value) in _DONE or code(value) in ("None", "True", "False"):
        return
    made = _given(before, value)
    if made is not None and callee(made) in _DONE:
        return
    for words, form, helper in _FORMS:
        last = statement(f"seen({form.format(code(value))})")
        first = sum(isinstance(single(line), cst.Import | cst.ImportFrom) for line in before)
        is_there = not helper or helper.partition("(")[0] + "(" in "\n".join(map(code, before))
        helpers = [] if is_there else statements(helper)
        lines = [*before[:first], *helpers, *before[first:], last]
        yield WeakerView(words, _with_lines(function, lines))


def _observed(line: cst.CSTNode) -> cst.BaseExpression | None:
    small = single(line)
    if isinstance(small, cst.Expr) and isinstance(small.value, cst.Call) and callee(small.value) == "seen":
        return small.value.args[0].value if len(small.value.args) == 1 else None
    return None


def _asks_of(line: Statement, result: cst.BaseExpression) -> bool:
    """Tell whether a statement observes a part or a property of a result that is observed after it."""
    asked = _observed(line)
    if asked is None:
        return False
    name = next(
        (node.value for node in walk(result) if isinstance(node, cst.Name) and node.value != "plain"), ""
    )
    own = {node.value for node in walk(asked) if isinstance(node, cst.Name)}
    is_form = code(result) in (name, f"plain({name})")
    return is_form and name in own and code(asked) != name


def _given(before: list[Statement], value: cst.BaseExpression) -> cst.BaseExpression | None:
    """Return what a variable that is observed was made of."""
    for line in reversed(before if isinstance(value, cst.Name) else []):
        small = single(line)
        if isinstance(small, cst.Assign) and code(small.targets[0].target) == code(value):
            return small.value
    return None


def _with_lines(function: cst.FunctionDef, lines: list[Statement]) -> str:
    return formatted(code(function.with_changes(body=cst.IndentedBlock(body=lines), leading_lines=[])))


def function_of(scenarios: str, name: str) -> str:
    """Return the text of a function of scenarios.py, or an empty text."""
    for node in cst.parse_module(scenarios).body:
        if isinstance(node, cst.FunctionDef) and node.name.value == name:
            return code(node.with_changes(leading_lines=[]))
    return ""


def with_function(scenarios: str, text: str) -> str:
    """Return scenarios.py with the function of the same name replaced by a text."""
    module = cst.parse_module(scenarios)
    (new,) = (node for node in cst.parse_module(text).body if isinstance(node, cst.FunctionDef))

    body = [
        new.with_changes(leading_lines=node.leading_lines)
        if isinstance(node, cst.FunctionDef) and node.name.value == new.name.value
        else node
        for node in module.body
    ]
    return module.with_changes(body=body).code
