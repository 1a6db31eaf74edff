"""Take test functions out of pytest and unittest: parameters, fixtures and classes become plain set-up."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import libcst as cst

from authoring.scenario.lifting.syntax import (
    Statement,
    all_parameters,
    block,
    code,
    dotted,
    single,
    statement,
    statements,
)

__all__ = ["PYTEST_STAND_IN", "Cases", "cases_of", "is_fixture"]

PYTEST_STAND_IN = '''\
class pytest:
    """What the reproducer uses of pytest."""

    param = staticmethod(lambda *values, **named: values)
    fail = staticmethod(lambda reason="": (_ for _ in ()).throw(AssertionError(reason)))

    class approx:
        def __init__(self, expected, rel=1e-6, abs=1e-12):
            self.expected, self.rel, self.abs = expected, rel, abs

        def __eq__(self, other):
            if isinstance(self.expected, (list, tuple)):
                pairs = zip(self.expected, other)
                same = len(self.expected) == len(other)
                return same and all(type(self)(want, self.rel, self.abs) == got for want, got in pairs)
            if isinstance(self.expected, dict):
                same = self.expected.keys() == other.keys()
                return same and all(type(self)(self.expected[k], self.rel, self.abs) == other[k] for k in other)
            return abs(other - self.expected) <= max(self.abs, self.rel * abs(self.expected))

    class raises:
        def __init__(self, errors, match=None):
            self.errors, self.match, self.value, self.type = errors, match, None, None

        def __enter__(self):
            return self

        def __exit__(self, kind, error, trace):
            if kind is None or not issubclass(kind, self.errors):
                if kind is None:
                    raise AssertionError("nothing was raised")
                return False
            import re

            self.value, self.type = error, kind
            assert self.match is None or re.search(self.match, str(error))
            return True
'''
"""Stands in for pytest where a script still uses it; nothing of pytest is needed in the box."""

_BUILT_IN_FIXTURES = {
    "tmp_path": "import pathlib\nimport tempfile\ntmp_path = pathlib.Path(tempfile.mkdtemp())\n",
    "tmpdir": "import pathlib\nimport tempfile\ntmpdir = pathlib.Path(tempfile.mkdtemp())\n",
    "request": None,
    "capsys": None,
    "caplog": None,
    "monkeypatch": None,
}
_MARKS_LEFT_OUT = ("skip", "xfail", "usefixtures")


@dataclass(frozen=True, slots=True)
class Cases:
    """One test with one set of parameters, or the reason why it cannot be taken."""

    label: str
    function: cst.FunctionDef
    top: Statement
    """The statement of the module that holds it: the function or its class."""
    before: tuple[Statement, ...] = ()
    """What parameters, fixtures and ``setUp`` stand for."""
    bare_class: cst.ClassDef | None = None
    refusal: str | None = None


def cases_of(body: list[Statement], is_test: Callable[[str], bool], only: str = "") -> Iterator[Cases]:
    """Yield the tests of a module, once for each set of parameters, in their order."""
    fixtures = _fixtures(body)
    wanted = only.partition("[")[0]
    for node in body:
        if isinstance(node, cst.FunctionDef) and is_test(node.name.value):
            if not wanted or wanted == node.name.value:
                yield from _expanded(node.name.value, node, node, (), None, fixtures, only)
        elif isinstance(node, cst.ClassDef) and _is_test_class(node, is_test):
            bare = _bare(node, is_test)
            for method in block(node.body):
                if not isinstance(method, cst.FunctionDef) or not is_test(method.name.value):
                    continue
                whole = f"{node.name.value}::{method.name.value}"
                if not wanted or wanted in (whole, method.name.value):
                    start = tuple(_instance(node))
                    function = method.with_changes(params=_without_self(method.params))
                    label = f"{node.name.value}.{method.name.value}"
                    yield from _expanded(label, function, node, start, bare, fixtures, only)


def _is_test_class(node: cst.ClassDef, is_test: Callable[[str], bool]) -> bool:
    methods = [line.name.value for line in block(node.body) if isinstance(line, cst.FunctionDef)]
    named = node.name.value.startswith("Test") or any("TestCase" in code(base.value) for base in node.bases)
    return named and any(map(is_test, methods))


def _bare(node: cst.ClassDef, is_test: Callable[[str], bool]) -> cst.ClassDef:
    kept = [
        line
        for line in block(node.body)
        if not (isinstance(line, cst.FunctionDef) and is_test(line.name.value))
    ]
    bases = node.bases
    if not any("self.assert" in code(line) or "self.fail" in code(line) for line in kept):
        bases = [base for base in node.bases if not code(base.value).endswith("TestCase")]
    return node.with_changes(bases=bases, body=cst.IndentedBlock(body=kept or [statement("pass")]))


def _instance(node: cst.ClassDef) -> list[Statement]:
    methods = {line.name.value for line in block(node.body) if isinstance(line, cst.FunctionDef)}
    text = f"self = {node.name.value}()\n"
    for name in ("setUp", "setup_method"):
        text += f"self.{name}()\n" if name in methods else ""
    return statements(text)


def _without_self(params: cst.Parameters) -> cst.Parameters:
    return params.with_changes(params=params.params[1:])


def is_fixture(node: Statement) -> bool:
    """Return whether a statement defines a fixture of pytest."""
    return isinstance(node, cst.FunctionDef) and any(
        _decorator(each).rpartition(".")[2] == "fixture" for each in node.decorators
    )


def _fixtures(body: list[Statement]) -> dict[str, cst.FunctionDef]:
    return {node.name.value: node for node in body if isinstance(node, cst.FunctionDef) and is_fixture(node)}


def _decorator(node: cst.Decorator) -> str:
    target = node.decorator.func if isinstance(node.decorator, cst.Call) else node.decorator
    return dotted(target) or ""


def _expanded(
    label: str,
    function: cst.FunctionDef,
    top: Statement,
    start: tuple[Statement, ...],
    bare: cst.ClassDef | None,
    fixtures: dict[str, cst.FunctionDef],
    only: str,
) -> Iterator[Cases]:
    rounds: list[list[tuple[str, str]]] = [[]]
    for decorator in reversed(function.decorators):
        name = _decorator(decorator)
        if name.endswith("parametrize"):
            sets = _parameter_sets(decorator)
            if sets is None:
                yield Cases(label, function, top, refusal="its parameters are not written as a list")
                return
            rounds = [[*before, *bound] for before in rounds for bound in sets]
        elif name.rpartition(".")[2] in _MARKS_LEFT_OUT or (name and not name.startswith("pytest.mark.")):
            yield Cases(label, function, top, refusal=f"it is decorated with {name}")
            return
    for number, bound in enumerate(rounds, 1):
        given = dict(bound)
        before, refusal = _arguments(function, given, fixtures)
        name = label if len(rounds) == 1 else f"{label}.{number}"
        if len(rounds) == 1 or "[" not in only or _is_round(only, bound, number):
            yield Cases(name, function, top, (*start, *before), bare, refusal)


def _is_round(only: str, bound: list[tuple[str, str]], number: int) -> bool:
    wanted = only[only.index("[") + 1 : -1]
    shown = "-".join(text.strip("\"'") for _, text in bound)
    return wanted == shown or wanted.endswith(str(number - 1))


def _parameter_sets(decorator: cst.Decorator) -> list[list[tuple[str, str]]] | None:
    call = decorator.decorator
    if not isinstance(call, cst.Call) or len(call.args) < 2:
        return None
    names, values = call.args[0].value, call.args[1].value
    if isinstance(names, cst.SimpleString):
        keys = [part.strip() for part in str(names.evaluated_value).split(",")]
    elif isinstance(names, cst.Tuple | cst.List):
        keys = [code(element.value).strip("\"'") for element in names.elements]
    else:
        return None
    if not isinstance(values, cst.Tuple | cst.List):
        return None
    found = []
    for element in values.elements:
        row = _row(element.value, len(keys))
        if row is None:
            return None
        found.append(list(zip(keys, row, strict=True)))
    return found


def _row(node: cst.BaseExpression, width: int) -> list[str] | None:
    if isinstance(node, cst.Call) and (dotted(node.func) or "").endswith("param"):
        row = [code(arg.value) for arg in node.args if arg.keyword is None]
    elif width == 1:
        row = [code(node)]
    elif isinstance(node, cst.Tuple | cst.List):
        row = [code(element.value) for element in node.elements]
    else:
        return None
    return row if len(row) == width else None


def _arguments(
    function: cst.FunctionDef, given: dict[str, str], fixtures: dict[str, cst.FunctionDef], depth: int = 0
) -> tuple[list[Statement], str | None]:
    """Return the statements that give a function's parameters their values, or what they cannot be had from."""
    found: list[Statement] = []
    for param in all_parameters(function.params):
        name = param.name.value
        if name in given:
            found.append(statement(f"{name} = {given[name]}"))
        elif name in fixtures and depth < 5:
            lines, refusal = _fixture(name, fixtures, depth)
            if refusal is not None:
                return [], refusal
            found += lines
        elif _BUILT_IN_FIXTURES.get(name) is not None:
            found += statements(str(_BUILT_IN_FIXTURES[name]))
        elif param.default is None:
            return [], f"it needs the fixture {name}"
    return found, None


def _fixture(
    name: str, fixtures: dict[str, cst.FunctionDef], depth: int
) -> tuple[list[Statement], str | None]:
    function = fixtures[name]
    before, refusal = _arguments(function, {}, fixtures, depth + 1)
    if refusal is not None:
        return [], refusal
    lines = [*before]
    for line in block(function.body):
        small = single(line)
        value = small.value if isinstance(small, cst.Return | cst.Expr) else None
        if isinstance(value, cst.Yield):
            value = value.value if isinstance(value.value, cst.BaseExpression) else cst.Name("None")
        elif not isinstance(small, cst.Return):
            lines.append(line)
            continue
        return [*lines, statement(f"{name} = {code(value) if value is not None else 'None'}")], None
    return [], f"its fixture {name} gives no plain value"
