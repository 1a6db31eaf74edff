"""Make the fixtures of pytest plain set-up: each put in once, before the test, in the order in which they run."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import libcst as cst

from authoring.scenario.lifting.classes import TestClass, decorator_name
from authoring.scenario.lifting.literals import Constants
from authoring.scenario.lifting.opened import OPENED, OPENED_ASYNC
from authoring.scenario.lifting.series import elements_of
from authoring.scenario.lifting.stand_ins import BUILT_IN_FIXTURES
from authoring.scenario.lifting.syntax import (
    Statement,
    all_parameters,
    block,
    callee,
    code,
    dotted,
    on_one_line,
    replace_names,
    rewrite,
    single,
    statement,
    statements,
    uses,
    walk,
)

__all__ = ["Fixture", "Fixtures", "SetUp", "UnfitError", "fixture_of", "is_fixture"]


class UnfitError(Exception):
    """Why a test cannot be taken; never leaves the folder."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """One fixture of the reproducer's."""

    name: str
    function: cst.FunctionDef
    is_method: bool
    autouse: bool
    params: cst.BaseExpression | None
    """The values that it is asked for one after the other, or None."""


def is_fixture(node: Statement) -> bool:
    """Return whether a statement defines a fixture of pytest."""
    return isinstance(node, cst.FunctionDef) and any(
        decorator_name(each).rpartition(".")[2] == "fixture" for each in node.decorators
    )


def fixture_of(function: cst.FunctionDef, is_method: bool) -> Fixture:
    """Return the fixture that a decorated function is."""
    decorators = [
        each for each in function.decorators if decorator_name(each).rpartition(".")[2] == "fixture"
    ]
    call = decorators[0].decorator
    given = (
        {arg.keyword.value: arg.value for arg in call.args if arg.keyword}
        if isinstance(call, cst.Call)
        else {}
    )
    named = given.get("name")
    name = str(named.evaluated_value) if isinstance(named, cst.SimpleString) else function.name.value
    autouse = "autouse" in given and code(given["autouse"]) == "True"
    return Fixture(name, function, is_method, autouse, given.get("params"))


@dataclass(frozen=True, slots=True)
class Fixtures:
    """The fixtures that a test sees: those of its class before those of its module."""

    layers: tuple[Mapping[str, Fixture], ...]

    @staticmethod
    def of(body: Sequence[Statement], suite: TestClass | None = None) -> "Fixtures":
        """Return the fixtures of a module and of a class in it."""
        functions = [node for node in body if isinstance(node, cst.FunctionDef) and is_fixture(node)]
        own = [fixture_of(node, False) for node in functions]
        methods = suite.methods().values() if suite is not None else ()
        inner = [fixture_of(node, True) for node in methods if is_fixture(node)]
        return Fixtures(tuple({each.name: each for each in layer} for layer in (inner, own)))

    def find(self, name: str, above: Fixture | None = None) -> Fixture | None:
        """Return the fixture of a name; for one that asks for its own name, the one that it overrides."""
        found = [layer[name] for layer in self.layers if name in layer]
        if above in found:
            found = found[found.index(above) + 1 :]
        return found[0] if found else None

    def autouse(self) -> list[str]:
        """Return the names of the fixtures that run unasked, those of the module first."""
        return [each.name for layer in reversed(self.layers) for each in layer.values() if each.autouse]

    def closure(self, names: Iterable[str], within: tuple[Fixture, ...] = ()) -> list[Fixture]:
        """Return the fixtures that names stand for with all that these ask for, in the order in which they run.

        Raises :class:`UnfitError` where one asks for itself.
        """
        found: list[Fixture] = []
        for name in names:
            asking = within[-1] if within else None
            fixture = self.find(name, asking if asking is not None and asking.name == name else None)
            if fixture is None:
                continue
            if fixture in within:
                raise UnfitError(f"its fixture {name} asks for itself")
            for each in [*self.closure(_asked(fixture), (*within, fixture)), fixture]:
                if each not in found:
                    found.append(each)
        return found

    def rounds(
        self, fixture: Fixture, written: Mapping[str, cst.BaseExpression], constants: Constants
    ) -> list[cst.BaseExpression]:
        """Return the values for which a fixture is asked one after the other."""
        assert fixture.params is not None
        found = elements_of(fixture.params, written, constants)
        if found is None:
            raise UnfitError(f"the params of its fixture {fixture.name} are not written as a list")
        return found


def _parameters(fixture: Fixture) -> list[cst.Param]:
    params = all_parameters(fixture.function.params)
    return params[1:] if fixture.is_method else params


def _asked(fixture: Fixture) -> list[str]:
    return [param.name.value for param in _parameters(fixture) if param.default is None]


@dataclass(slots=True)
class SetUp:
    """The statements that give one test what it asks for."""

    fixtures: Fixtures
    given: Mapping[str, str]
    """The text of the value for each parameter of the test."""
    asked_for: Mapping[str, str]
    """The text of ``request.param`` for each fixture that has several values."""
    read: frozenset[str]
    """The names that the test reads, and those that fixtures ask for."""
    taken: set[str]
    """The names that local variables of fixtures must not have."""
    lines: list[Statement] = field(default_factory=list)
    waits: bool = False
    done: list[str] = field(default_factory=list)

    def need(self, name: str, above: Fixture | None = None) -> None:
        """Put in what gives a name its value, unless it is there; raise :class:`UnfitError` where nothing does."""
        if name in self.given or (name in self.done and above is None):
            return
        fixture = self.fixtures.find(name, above)
        if fixture is not None:
            self._put(fixture)
        elif name in BUILT_IN_FIXTURES:
            self.lines += statements(BUILT_IN_FIXTURES[name])
        elif name != "request":
            raise UnfitError(f"it needs the fixture {name}")
        self.done.append(name)

    def _put(self, fixture: Fixture) -> None:
        asked = _asked(fixture)
        for name in asked:
            if name == fixture.name or name not in self.done:
                self.need(name, fixture if name == fixture.name else None)
        function = self.requested(fixture.function, self.asked_for.get(fixture.name))
        self.waits |= function.asynchronous is not None
        body = _without_docstring(block(function.body))
        plain = _plain_end(body)
        if plain is None:
            self.lines += self._as_function(fixture, function, body)
            return
        defaults = [
            statement(f"{each.name.value} = {code(each.default)}")
            for each in _parameters(fixture)
            if each.default is not None
        ]
        self.lines += self._inline(fixture.name, [*defaults, *body[:plain]], body[plain : plain + 1])

    def requested(self, function: cst.FunctionDef, param: str | None) -> cst.FunctionDef:
        """Return a function without what it asks of ``request``; raise :class:`UnfitError` for anything else of it."""
        if "request" not in {each.name.value for each in all_parameters(function.params)}:
            return function
        values = {"request.instance": "self", "request.cls": "type(self)"}
        values |= {"request.param": f"({param})"} if param is not None else {}

        def attribute(old: cst.Attribute, new: cst.Attribute) -> cst.BaseExpression:
            text = values.get(dotted(old) or "")
            return new if text is None else cst.parse_expression(text)

        def call(old: cst.Call, new: cst.Call) -> cst.BaseExpression:
            first = old.args[0].value if old.args else None
            if callee(old) != "request.getfixturevalue" or not isinstance(first, cst.SimpleString):
                return new
            self.need(str(first.evaluated_value))
            return cst.Name(str(first.evaluated_value))

        def line(old: cst.SimpleStatementLine, new: cst.SimpleStatementLine) -> Any:
            small = single(old)
            value = small.value if isinstance(small, cst.Expr) else small
            return statement("pass") if callee(value) == "request.addfinalizer" else new

        body = rewrite(
            function.body, {cst.Attribute: attribute, cst.Call: call, cst.SimpleStatementLine: line}
        )
        if "request" in uses(body).reads:
            raise UnfitError("it needs the fixture request")
        params = [each for each in function.params.params if each.name.value != "request"]
        return function.with_changes(body=body, params=function.params.with_changes(params=params))

    def _inline(self, name: str, body: list[Statement], end: list[Statement]) -> list[Statement]:
        value = _given(single(end[0])) if end else None
        bound = uses([*body, *end]).binds - {name}
        local = {each: cst.Name(f"{name}_{each}") for each in sorted(bound & self.taken)}
        self.taken |= bound
        lines = [replace_names(line, local) for line in body if code(line).strip() != "pass"]
        text = "None" if value is None else on_one_line(replace_names(value, local))
        return lines if text == name else [*lines, statement(f"{name} = {text}")]

    def _as_function(
        self, fixture: Fixture, function: cst.FunctionDef, body: list[Statement]
    ) -> list[Statement]:
        """Return a fixture with several ends, or something to do after the test, as a function and its call."""
        name = f"made_{fixture.name}"
        gives = any(isinstance(node, cst.Yield) for line in body for node in _walk_own(line))
        waits = function.asynchronous is not None
        decorators = ["asynccontextmanager" if waits else "contextmanager"] if gives else []
        whole = function.with_changes(
            name=cst.Name(name),
            body=cst.IndentedBlock(body=body),
            decorators=[cst.Decorator(cst.parse_expression(f"contextlib.{each}")) for each in decorators],
            leading_lines=[],
        )
        own = ["self"] if fixture.is_method else []
        params = [each.name.value for each in all_parameters(whole.params) if each.default is None]
        call = f"{name}({', '.join([*own, *params[len(own) :]])})"
        if gives:
            call = f"{OPENED_ASYNC if waits else OPENED}({call})"
        elif waits:
            call = f"await {call}"
        is_asked = fixture.name in self.read or gives
        end = statement(f"{fixture.name} = {call}" if is_asked else call)
        return [*(statements("import contextlib\n") if gives else []), whole, end]


def _without_docstring(body: list[Statement]) -> list[Statement]:
    first = single(body[0]) if body else None
    is_text = isinstance(first, cst.Expr) and isinstance(first.value, cst.SimpleString)
    return body[1:] if is_text else body


def _walk_own(node: cst.CSTNode) -> Iterable[cst.CSTNode]:
    """Yield a node and all in it, without what is in functions of its own."""
    yield node
    for child in node.children:
        if not isinstance(child, cst.FunctionDef | cst.Lambda | cst.ClassDef):
            yield from _walk_own(child)


def _given(small: cst.CSTNode) -> cst.BaseExpression | None:
    """Return what a return or a yield gives."""
    value = small.value if isinstance(small, cst.Return | cst.Expr) else None
    if isinstance(value, cst.Yield):
        return value.value if isinstance(value.value, cst.BaseExpression) else None
    return value if isinstance(small, cst.Return) else None


def _ends(node: cst.CSTNode) -> bool:
    small = single(node)
    return isinstance(small, cst.Return) or (
        isinstance(small, cst.Expr) and isinstance(small.value, cst.Yield)
    )


def _plain_end(body: list[Statement]) -> int | None:
    """Return the position of the only return or yield of a straight line (its length where there is none), else None.

    What comes after a yield is left out where it only calls methods of what the fixture made.
    """
    ends = [at for at, line in enumerate(body) if _ends(line)]
    inner = [
        node
        for at, line in enumerate(body)
        if at not in ends
        for node in _walk_own(line)
        if isinstance(node, cst.Return | cst.Yield | cst.Global)
    ]
    if inner or len(ends) > 1:
        return None
    if not ends:
        return len(body)
    after = body[ends[0] + 1 :]
    own = uses(body[: ends[0]]).binds
    is_last = isinstance(single(body[ends[0]]), cst.Return) or all(_is_closing(each, own) for each in after)
    return ends[0] if is_last else None


def _is_closing(line: Statement, own: set[str]) -> bool:
    small = single(line)
    if not isinstance(small, cst.Expr) or not isinstance(small.value, cst.Call):
        return isinstance(small, cst.Pass)
    name = callee(small.value)
    return (
        "." in name
        and name.split(".")[0] in own
        and not any(isinstance(each, cst.Await) for each in walk(line))
    )
