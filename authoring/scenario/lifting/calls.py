"""Let a scenario observe how the functions that it hands to the package are called: with what, and how often.

The recording stands inside those functions, so that they stay what they are to whoever looks at them: their
signatures, names and kinds. Arguments are copied at the moment of the call, since a program may change them afterwards.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count

import libcst as cst

from authoring.scenario.lifting.handed import Handed, handed_over
from authoring.scenario.lifting.syntax import (
    Rule,
    Statement,
    all_parameters,
    block,
    callee,
    code,
    expression,
    formatted,
    rewrite,
    single,
    statement,
    statements,
    walk,
)
from authoring.scenario.lifting.views import PLAIN_HELPER, SHOWN_HELPER

__all__ = ["EXAMPLES", "weaker_calls", "with_calls", "without_calls"]

_UNIQUE = (
    'def unique(program, p, seen):\n    seen(program.unique(p["items"], key=lambda text: text.lower()))\n'
)
_RECORDED = (
    "    calls = []\n\n    def called(*call):\n        calls.append({record})\n\n"
    '    result = program.unique(p["items"], key=lambda text: called("key", text) or text.lower())\n'
    "    seen({seen})\n    seen(result)\n"
)
_PLAIN = "".join(f"    {line}\n" for line in PLAIN_HELPER.splitlines())

EXAMPLES = (
    (
        _UNIQUE,
        "def unique(program, p, seen):\n"
        + _PLAIN
        + "\n"
        + _RECORDED.format(record="plain(list(call))", seen="calls"),
        "def unique(program, p, seen):\n"
        + _RECORDED.format(record="call[0]", seen="{name: calls.count(name) for name in sorted(set(calls))}"),
    ),
    (
        "def each(program, p, seen):\n    found = []\n"
        '    program.each(p["items"], found.append)\n    seen(found)\n',
        "",
        "",
    ),
    (
        'def rank(program, p, seen):\n    seen(sorted(program.names(p["a"]), key=lambda each: -each))\n',
        "",
        "",
    ),
)
"""Scenarios, what the first form makes of them, and the last; empty: all that they hand over is observed already."""

_Removed = cst.RemovalSentinel

_ORDERED, _SORTED = "{calls}", "sorted({calls}, key=repr)"
_COUNTED = "{{name: {calls}.count(name) for name in sorted(set({calls}))}}"
_WHOLE = ("plain({})", "shown({})", "fields({})", "list({})", "tuple({})", "{}")


@dataclass(frozen=True, slots=True)
class _Form:
    """What is kept of a call, and what is observed of all of them."""

    helper: str
    record: str
    seen: str


_COUNT = _Form("", "call[0]", _COUNTED)
_FORMS = (
    _Form(PLAIN_HELPER, "plain(list(call))", _ORDERED),
    _Form(SHOWN_HELPER, "shown(list(call))", _ORDERED),
    _Form(PLAIN_HELPER, "plain(list(call))", _SORTED),
    _Form(SHOWN_HELPER, "shown(list(call))", _SORTED),
    _COUNT,
)


def with_calls(scenario: str, *, is_raising: bool = False) -> tuple[str, ...]:
    """Return the texts of a scenario that observe the calls back before what it observes last, the strictest first.

    In order with their arguments, in any order with their arguments, how often. There are none where it hands no
    function of its own to the package, or observes all that these record as it is. ``is_raising`` says that what is
    observed last must raise.
    """
    function = cst.parse_module(scenario).body[0]
    if not isinstance(function, cst.FunctionDef):
        return ()
    handed = handed_over(function)
    if not handed or _observes_all(function, handed):
        return ()
    names = _Names.free_in(function)
    recording = _recording(function, handed, names)
    return tuple(_text(recording, names, form, is_raising) for form in _FORMS)


def weaker_calls(scenario: str) -> Iterator[tuple[str, str]]:
    """Yield what :func:`with_calls` made with less and less of the calls, and words for what no longer counts."""
    function = cst.parse_module(scenario).body[0]
    names = _Names.recorded_in(function) if isinstance(function, cst.FunctionDef) else None
    if names is None or not isinstance(function, cst.FunctionDef):
        return
    seen = next((code(line).strip() for line in _simple(function) if _is_told(line, names)), "")
    if not seen:
        return
    if seen == _seen(_ORDERED, names):
        yield "order of calls", _tidy(_with_form(function, names, "", _SORTED))
    if seen != _seen(_COUNTED, names):
        yield (
            "arguments of calls",
            _tidy(_without_unread(_with_form(function, names, _COUNT.record, _COUNTED))),
        )
    yield "calls", _tidy(_without_unread(_without_recording(function, names)))


def without_calls(scenarios: str) -> str:
    """Return the functions of scenarios.py without what :func:`with_calls` made of them; others as they are."""
    texts = [code(node) for node in cst.parse_module(scenarios).body if isinstance(node, cst.FunctionDef)]
    return "\n\n".join([("", text), *weaker_calls(text.lstrip())][-1][1] for text in texts)


@dataclass(frozen=True, slots=True)
class _Names:
    """Names for what records, for what was recorded, and for a result that is observed after it."""

    called: str = "called"
    calls: str = "calls"
    result: str = "result"

    @classmethod
    def free_in(cls, function: cst.FunctionDef) -> "_Names":
        """Return names that nothing in a function bears."""
        taken = {node.value for node in walk(function) if isinstance(node, cst.Name)}

        def free(name: str) -> str:
            names = chain([name], (f"{name}_{number}" for number in count(2)))
            return next(each for each in names if each not in taken)

        return cls(free("called"), free("calls"), free("result"))

    @classmethod
    def recorded_in(cls, function: cst.FunctionDef) -> "_Names | None":
        """Return the names that :func:`with_calls` gave, or None where it did not make this function."""
        for node in block(function.body):
            if not isinstance(node, cst.FunctionDef) or code(node.params) != "*call":
                continue
            if node.name.value.startswith("called"):
                small = single(block(node.body)[0])
                owner, _, method = callee(getattr(small, "value", small)).partition(".")
                return cls(node.name.value, owner) if method == "append" else None
        return None


def _simple(node: cst.CSTNode) -> list[cst.SimpleStatementLine]:
    return [each for each in walk(node) if isinstance(each, cst.SimpleStatementLine)]


def _observed(line: cst.CSTNode) -> cst.BaseExpression | None:
    """Return what a statement observes, if it is ``seen(…)``."""
    small = single(line)
    if isinstance(small, cst.Expr) and callee(small.value) == "seen":
        assert isinstance(small.value, cst.Call)
        return small.value.args[0].value if len(small.value.args) == 1 else None
    return None


def _read_in(node: cst.CSTNode) -> set[str]:
    return {each.value for each in walk(node) if isinstance(each, cst.Name)}


def _observes_all(function: cst.FunctionDef, handed: Handed) -> bool:
    """Tell whether every function that is handed over appends to a list that the scenario observes as it is."""
    shown = {code(value) for line in _simple(function) if (value := _observed(line)) is not None}

    def is_shown(name: str) -> bool:
        return any(form.format(name) in shown for form in _WHOLE)

    return all(any(is_shown(name) for name in kept) for kept in handed.kept.values())


def _recording(function: cst.FunctionDef, handed: Handed, names: _Names) -> cst.FunctionDef:
    """Return a function in which those that are handed over tell when they are called."""

    def call_of(name: str, params: cst.Parameters, skipped: int = 0) -> str:
        passed = [each.name.value for each in all_parameters(params) if not _is_bound_by_default(each)]
        return f"{names.called}({', '.join([_quoted(name), *passed[skipped:]])})"

    def on_lambda(old: cst.Lambda, new: cst.Lambda) -> cst.Lambda:
        name = handed.names.get(id(old))
        if name is None:
            return new
        return new.with_changes(
            body=expression(f"{call_of(name, old.params)} or {_tight(new.body)}").with_changes(
                lpar=[], rpar=[]
            )
        )

    def on_function(old: cst.FunctionDef, new: cst.FunctionDef) -> cst.FunctionDef:
        name = handed.names.get(id(old))
        if name is None:
            return new
        told = statement(call_of(name, old.params, 1 if id(old) in handed.methods else 0))
        lines = block(new.body)
        at = 1 if new.get_docstring() is not None else 0
        return new.with_changes(body=cst.IndentedBlock(body=[*lines[:at], told, *lines[at:]]))

    def on_attribute(old: cst.Attribute, new: cst.Attribute) -> cst.BaseExpression:
        name = handed.names.get(id(old))
        if name is None:
            return new
        given = "value" if names.calls != "value" else "item"
        return expression(
            f"lambda {given}: {names.called}({_quoted(name)}, {given}) or {code(new)}({given})"
        ).with_changes(lpar=[], rpar=[])

    rules: dict[type, Rule] = {
        cst.Lambda: on_lambda,
        cst.FunctionDef: on_function,
        cst.Attribute: on_attribute,
    }
    return rewrite(function, rules)


def _quoted(name: str) -> str:
    return f'"{name}"'


def _is_bound_by_default(param: cst.Param) -> bool:
    """Tell whether a parameter is there to keep a variable's value (``at=at``), and not to be passed."""
    return isinstance(param.default, cst.Name) and param.default.value == param.name.value


def _tight(node: cst.BaseExpression) -> str:
    simple = cst.Call | cst.Name | cst.Attribute | cst.Subscript | cst.SimpleString | cst.Integer | cst.Float
    return code(node) if isinstance(node, simple) or node.lpar else f"({code(node)})"


def _text(function: cst.FunctionDef, names: _Names, form: _Form, is_raising: bool) -> str:
    seen = statement(_seen(form.seen, names))
    lines = _with_observation(block(function.body), seen, names, is_raising)
    first = sum(isinstance(single(line), cst.Import | cst.ImportFrom) for line in lines)
    text = "\n".join(map(code, lines))
    helper = form.helper if form.helper.partition("(")[0] + "(" not in text else ""
    before = f"{helper}\n{names.calls} = []\n\ndef {names.called}(*call):\n    {names.calls}.append({form.record})\n"
    lines = [*lines[:first], *statements(before), *lines[first:]]
    return _tidy(function.with_changes(body=cst.IndentedBlock(body=lines)))


def _tidy(function: cst.FunctionDef) -> str:
    return formatted(code(function.with_changes(leading_lines=[])))


def _with_observation(
    lines: Sequence[Statement], seen: Statement, names: _Names, is_raising: bool
) -> list[Statement]:
    """Return statements that observe the calls before what they observe last, else at their end."""
    at = _place(lines)
    if at is None:
        return [*lines, seen]
    *before, last = lines[: at + 1]
    after = list(lines[at + 1 :])
    if isinstance(last, cst.With | cst.FunctionDef):
        inner = _with_observation(block(last.body), seen, names, is_raising)
        return [*before, last.with_changes(body=cst.IndentedBlock(body=inner)), *after]
    value = _observed(last)
    assert value is not None
    work: list[Statement] = []
    if not isinstance(value, cst.Name):
        work, last = [statement(f"{names.result} = {code(value)}")], statement(f"seen({names.result})")
    if is_raising and isinstance(value, cst.Name) and value.value == "None" and before:
        work, last = [before.pop()], lines[at]
    if is_raising and work:
        safe = cst.Finally(body=cst.IndentedBlock(body=[seen]))
        return [*before, cst.Try(body=cst.IndentedBlock(body=work), finalbody=safe), last, *after]
    return [*before, *work, seen, last, *after]


def _place(lines: Sequence[Statement]) -> int | None:
    """Return which statement observes last, or holds the one that does; None where it is not certain to run once."""
    observing = [at for at, line in enumerate(lines) if any(map(_observed, _simple(line)))]
    if not observing:
        return None
    last = lines[observing[-1]]
    if isinstance(last, cst.SimpleStatementLine):
        return observing[-1]
    is_run = isinstance(last, cst.FunctionDef) and last.asynchronous is not None and last.name.value == "run"
    if (is_run or isinstance(last, cst.With)) and _place(block(last.body)) is not None:
        return observing[-1]
    return None


def _seen(form: str, names: _Names) -> str:
    return f"seen({form.format(calls=names.calls)})"


def _is_told(line: cst.CSTNode, names: _Names) -> bool:
    """Tell whether a statement observes the calls."""
    value = _observed(line)
    return value is not None and names.calls in _read_in(value)


def _with_form(function: cst.FunctionDef, names: _Names, record: str, seen: str) -> cst.FunctionDef:
    """Return a function that keeps something else of each call, unless that is empty, and observes it otherwise."""

    def on_line(old: cst.SimpleStatementLine, new: cst.SimpleStatementLine) -> Statement:
        small = single(old)
        if _is_told(old, names):
            return statement(_seen(seen, names))
        is_record = isinstance(small, cst.Expr) and callee(small.value) == f"{names.calls}.append"
        return statement(f"{names.calls}.append({record})") if record and is_record else new

    return rewrite(function, {cst.SimpleStatementLine: on_line})


def _without_recording(function: cst.FunctionDef, names: _Names) -> cst.FunctionDef:
    def on_line(
        old: cst.SimpleStatementLine, new: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | _Removed:
        small = single(old)
        is_call = isinstance(small, cst.Expr) and callee(small.value) == names.called
        is_start = code(old).strip() == f"{names.calls} = []"
        return cst.RemoveFromParent() if is_call or is_start or _is_told(old, names) else new

    def on_function(old: cst.FunctionDef, new: cst.FunctionDef) -> cst.FunctionDef | _Removed:
        return cst.RemoveFromParent() if old.name.value == names.called else new

    def on_either(old: cst.BooleanOperation, new: cst.BooleanOperation) -> cst.BaseExpression:
        return new.right if callee(old.left) == names.called else new

    def on_try(old: cst.Try, new: cst.Try) -> cst.Try | cst.FlattenSentinel[Statement]:
        is_ours = old.finalbody is not None and any(_is_told(line, names) for line in _simple(old.finalbody))
        return cst.FlattenSentinel(block(new.body)) if is_ours else new

    rules: dict[type, Rule] = {
        cst.SimpleStatementLine: on_line,
        cst.FunctionDef: on_function,
        cst.BooleanOperation: on_either,
        cst.Try: on_try,
    }
    return rewrite(function, rules)


def _without_unread(function: cst.FunctionDef) -> cst.FunctionDef:
    """Return a function without a helper of ours that nothing outside of it reads."""
    lines = block(function.body)
    ours = {helper.partition("(")[0].removeprefix("def ") for helper in (PLAIN_HELPER, SHOWN_HELPER)}

    def is_unread(line: Statement) -> bool:
        if not isinstance(line, cst.FunctionDef) or line.name.value not in ours:
            return False
        return all(line.name.value not in _read_in(other) for other in lines if other is not line)

    first, *rest = [line for line in lines if not is_unread(line)]
    kept = [first.with_changes(leading_lines=[]), *rest]
    return function.with_changes(body=cst.IndentedBlock(body=kept))
