"""Take test functions out of pytest and unittest: parameters, fixtures and classes become plain set-up."""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import libcst as cst

from authoring.scenario.lifting.classes import (
    TestClass,
    bare_class,
    decorator_name,
    module_set_up,
    test_class,
    without_cleanups,
)
from authoring.scenario.lifting.fixtures import Fixtures, SetUp, UnfitError, is_fixture
from authoring.scenario.lifting.literals import NOT_DATA, Constants, data_of
from authoring.scenario.lifting.opened import OPENED
from authoring.scenario.lifting.series import elements_of
from authoring.scenario.lifting.syntax import (
    Node,
    Statement,
    all_parameters,
    block,
    callee,
    code,
    dotted,
    on_one_line,
    parameter_names,
    replace_names,
    rewrite,
    single,
    statement,
    uses,
    walk,
)

__all__ = ["Cases", "Module", "cases_of", "is_fixture"]

_LEFT_OUT = ("skip", "xfail", "expectedFailure")
_PATCHES = {"patch": 2, "patch.object": 3, "patch.dict": 0}
"""Patching decorators, and from how many arguments on they hand nothing to the test."""
ROUNDS_CAP = 300


@dataclass(frozen=True, slots=True)
class Module:
    """What is known of the module that holds the tests."""

    body: Sequence[Statement]
    imports: Mapping[str, str]
    constants: Constants
    written: Mapping[str, cst.BaseExpression]
    """The values of the names that are bound once."""

    def full_name(self, name: str) -> str:
        """Return a dotted name with what it begins with put out in full."""
        head, dot, rest = name.partition(".")
        return self.imports.get(head, head) + dot + rest


@dataclass(frozen=True, slots=True)
class Cases:
    """One test with one set of parameters, or the reason why it cannot be taken."""

    label: str
    function: cst.FunctionDef
    """As it is written."""
    top: Statement
    """The statement of the module that holds it: the function or its class."""
    lines: tuple[tuple[Statement, Statement], ...] = ()
    """The statements of its body, each as it is written and as it is taken."""
    waits: bool = False
    """Whether it runs in a loop."""
    before: tuple[Statement, ...] = ()
    """What parameters, fixtures and ``setUp`` stand for."""
    bare: Mapping[str, cst.ClassDef] = field(default_factory=dict)
    """The test's class and its bases by their names, without the tests in them."""
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class _Test:
    """A test as it is written."""

    label: str
    function: cst.FunctionDef
    top: Statement
    suite: TestClass | None
    module: Module
    only: str

    def refused(self, reason: str) -> Cases:
        return Cases(self.label, self.function, self.top, refusal=reason)

    @property
    def marks(self) -> list[cst.Decorator]:
        """What decorates it, its class and its module, the closest first."""
        classes = self.suite.lineage if self.suite is not None else ()
        found = [*reversed(self.function.decorators)]
        for node in classes:
            found += [*reversed(node.decorators), *_marks_among(block(node.body))]
        return [*found, *_marks_among(self.module.body)]


def cases_of(module: Module, is_test: Callable[[str], bool], only: str = "") -> Iterator[Cases]:
    """Yield the tests of a module, once for each set of parameters, in their order."""
    wanted = only.partition("[")[0]
    for node in module.body:
        if isinstance(node, cst.FunctionDef):
            name = node.name.value
            if (wanted == name or (not wanted and is_test(name))) and not is_fixture(node):
                yield from _expanded(_Test(name, node, node, None, module, only))
        elif isinstance(node, cst.ClassDef):
            suite = test_class(node, module.body)
            for name, method in _tests(suite, is_test, wanted).items():
                yield from _expanded(_Test(f"{suite.name}.{name}", method, node, suite, module, only))


def _tests(suite: TestClass, is_test: Callable[[str], bool], wanted: str) -> dict[str, cst.FunctionDef]:
    """Return the methods of a class that are tests and wanted."""
    if not (suite.name.startswith("Test") or suite.is_case or wanted.partition("::")[0] == suite.name):
        return {}
    return {
        name: method
        for name, method in suite.methods().items()
        if _is_method_test(suite, method, is_test)
        and (not wanted or wanted in (f"{suite.name}::{name}", name, suite.name))
    }


def _is_method_test(suite: TestClass, method: cst.FunctionDef, is_test: Callable[[str], bool]) -> bool:
    name = method.name.value
    return (is_test(name) or (suite.is_case and name.startswith("test"))) and not is_fixture(method)


def _marks_among(body: Sequence[Statement]) -> list[cst.Decorator]:
    """Return the marks that ``pytestmark`` gives to all tests of a class or module."""
    found: list[cst.BaseExpression] = []
    for node in body:
        small = single(node)
        if isinstance(small, cst.Assign) and code(small.targets[0].target) == "pytestmark":
            value = small.value
            found += (
                [each.value for each in value.elements]
                if isinstance(value, cst.List | cst.Tuple)
                else [value]
            )
    return [cst.Decorator(each) for each in found]


def _expanded(test: _Test) -> Iterator[Cases]:
    try:
        yield from _rounds(test)
    except UnfitError as refusal:
        yield test.refused(str(refusal))


@dataclass(frozen=True, slots=True)
class _Bound:
    """One value of one parameter or of several, and what pytest calls it."""

    values: tuple[tuple[str, cst.BaseExpression], ...]
    id: str
    is_asked: bool = False
    """Whether a fixture is asked for it."""
    is_left_out: bool = False


def _rounds(test: _Test) -> Iterator[Cases]:
    sets: list[list[_Bound]] = []
    extra: list[str] = []
    for mark in test.marks:
        name = test.module.full_name(decorator_name(mark))
        last = name.rpartition(".")[2]
        if last == "parametrize":
            sets.append(_parametrized(mark, test.module))
        elif last == "usefixtures" and isinstance(mark.decorator, cst.Call):
            extra += [str(getattr(arg.value, "evaluated_value", "")) for arg in mark.decorator.args]
        elif last in _LEFT_OUT or not _is_passed_over(name):
            raise UnfitError(f"it is decorated with {decorator_name(mark)}")
    fixtures = Fixtures.of(test.module.body, test.suite)
    direct = {
        name for bounds in sets for bound in bounds[:1] if not bound.is_asked for name, _ in bound.values
    }
    indirect = {name for bounds in sets for bound in bounds[:1] if bound.is_asked for name, _ in bound.values}
    wanted = [*fixtures.autouse(), *extra, *_asked(test)]
    for fixture in fixtures.closure(name for name in wanted if name not in direct):
        if fixture.params is not None and fixture.name not in {*direct, *indirect}:
            values = fixtures.rounds(fixture, test.module.written, test.module.constants)
            sets.append([_bound((fixture.name,), each, at, True) for at, each in enumerate(values)])
    found = [
        (number, row) for number, row in enumerate(itertools.islice(itertools.product(*sets), ROUNDS_CAP), 1)
    ]
    if not found:
        raise UnfitError("it has no set of parameters")
    chosen = _chosen(found, test.only)
    taken = [(number, row) for number, row in chosen if not any(bound.is_left_out for bound in row)]
    if chosen and not taken:
        raise UnfitError("its parameters are marked as skipped or as failing")
    for number, row in taken:
        label = test.label if len(found) == 1 else f"{test.label}.{number}"
        yield _case(test, label, row, fixtures, extra)


def _is_passed_over(name: str) -> bool:
    """Return whether a decorator changes nothing of what a test says, or is seen to elsewhere."""
    is_mark = name.startswith(("pytest.mark.", "unittest.skip")) or name in ("staticmethod", "classmethod")
    return not name or is_mark or _patch(name) is not None


def _patch(name: str) -> str | None:
    for each in _PATCHES:
        if name == each or name.endswith(f"mock.{each}"):
            return each
    return None


def _parameters(test: _Test) -> list[cst.Param]:
    """Return the parameters of a test without ``self``."""
    found = all_parameters(test.function.params)
    is_bound = test.suite is not None and not any(
        decorator_name(each) == "staticmethod" for each in test.function.decorators
    )
    return found[1:] if is_bound else found


def _asked(test: _Test) -> list[str]:
    return [each.name.value for each in _parameters(test) if each.default is None]


def _chosen(found: list[tuple[int, tuple[_Bound, ...]]], only: str) -> list[tuple[int, tuple[_Bound, ...]]]:
    """Return the rounds that a node's id in brackets means: by their ids, else by their number."""
    if "[" not in only or len(found) == 1:
        return found
    wanted = only[only.index("[") + 1 : -1]
    ids = [(number, row, [bound.id for bound in row]) for number, row in found]
    named = [
        (number, row) for number, row, parts in ids if wanted in ("-".join(parts), "-".join(parts[::-1]))
    ]
    digits = "".join(itertools.takewhile(str.isdigit, wanted[::-1]))[::-1]
    return named or [(number, row) for number, row in found if digits and number == int(digits) + 1]


def _case(test: _Test, label: str, row: tuple[_Bound, ...], fixtures: Fixtures, extra: list[str]) -> Cases:
    values = {name: value for bound in row if not bound.is_asked for name, value in bound.values}
    asked_for = {name: code(value) for bound in row if bound.is_asked for name, value in bound.values}
    bound = uses(test.function.body).binds
    direct = {name: value for name, value in values.items() if name not in bound and _is_direct(value)}
    function = _with_direct(test.function, direct)
    mocked, patches = _patched(test)
    given = {name: code(value) for name, value in values.items()} | dict.fromkeys(mocked, "")
    named = {each.value for each in walk(function.body) if isinstance(each, cst.Name)}
    closure = fixtures.closure([*fixtures.autouse(), *extra, *_asked(test)])
    read = named | {name for each in closure for name in parameter_names(each.function.params)}
    set_up = SetUp(fixtures, given, asked_for, frozenset(read), read | {each.name for each in closure})
    suite = test.suite
    try:
        set_up.lines += module_set_up(test.module.body, suite is not None)
    except ValueError as error:
        raise UnfitError(str(error)) from error
    set_up.lines += suite.set_up_class() if suite is not None else []
    set_up.lines += [
        statement(f"{name} = {on_one_line(value)}") for name, value in values.items() if name in named | read
    ]
    for name in [*fixtures.autouse(), *extra]:
        set_up.need(name)
    set_up.lines += suite.set_up() if suite is not None else []
    set_up.lines += patches
    for param in _parameters(test):
        name = param.name.value
        if param.default is None or fixtures.find(name) is not None:
            set_up.need(name)
        elif name not in given:
            set_up.lines.append(statement(f"{name} = {code(param.default)}"))
    body = tuple(_taken(test, set_up, direct))
    before = tuple(_resolved(line) for line in set_up.lines)
    waits = test.function.asynchronous is not None or set_up.waits or (suite is not None and suite.waits)
    return Cases(label, test.function, test.top, body, waits, before, _bare_classes(test))


def _taken(
    test: _Test, set_up: SetUp, direct: Mapping[str, cst.BaseExpression]
) -> Iterator[tuple[Statement, Statement]]:
    """Yield the statements of a test, each as it is written and as it is taken."""
    lineage = test.suite.lineage if test.suite is not None else None
    for written in block(test.function.body):
        alone = test.function.with_changes(body=cst.IndentedBlock(body=[written]))
        alone = _resolved(set_up.requested(_with_direct(alone, direct), None))
        alone = alone if lineage is None else without_cleanups(alone, lineage)
        for line in block(alone.body):
            yield written, written if code(line) == code(written) else line


def _resolved(node: Node) -> Node:
    """Return code that patches objects where it patches what a text names."""

    def call(_: cst.Call, new: cst.Call) -> cst.Call:
        form = new.func.attr.value if isinstance(new.func, cst.Attribute) else ""
        positional = [arg for arg in new.args if arg.keyword is None]
        text = positional[0].value if len(positional) == {"setattr": 2, "delattr": 1}.get(form) else None
        value = text.evaluated_value if isinstance(text, cst.SimpleString) else None
        if not isinstance(value, str) or "." not in value:
            return new
        last = value.rpartition(".")[2]
        owner = value.removesuffix(f".{last}")
        target = cst.Arg(cst.parse_expression(f'__import__("pkgutil").resolve_name({owner!r})'))
        return new.with_changes(args=[target, cst.Arg(cst.parse_expression(repr(last))), *new.args[1:]])

    return rewrite(node, {cst.Call: call})


def _bare_classes(test: _Test) -> dict[str, cst.ClassDef]:
    suite = test.suite
    if suite is None:
        return {}

    def is_left_out(method: cst.FunctionDef) -> bool:
        return (
            method.name.value.startswith("test")
            or is_fixture(method)
            or method.name.value == test.function.name.value
        )

    return {
        node.name.value: without_cleanups(bare_class(node, is_left_out), suite.lineage[at + 1 :])
        for at, node in enumerate(suite.lineage)
    }


def _with_direct(function: cst.FunctionDef, direct: Mapping[str, cst.BaseExpression]) -> cst.FunctionDef:
    """Return a test with parameters put in where they stand."""
    return function.with_changes(body=replace_names(function.body, direct)) if direct else function


def _is_direct(value: cst.BaseExpression) -> bool:
    """Return whether a parameter is the name of a thing, or what a with block is about to open."""
    last = callee(value).rpartition(".")[2]
    if last in ("raises", "warns", "nullcontext", "does_not_raise"):
        return True
    return (
        dotted(value) is not None and code(value) not in ("None", "True", "False") and bool(uses(value).reads)
    )


def _patched(test: _Test) -> tuple[list[str], list[Statement]]:
    """Return the parameters that decorators of ``unittest.mock`` fill, and the statements that patch."""
    names = _asked(test)
    mocked: list[str] = []
    lines: list[Statement] = []
    for number, mark in enumerate(test.marks, 1):
        kind = _patch(test.module.full_name(decorator_name(mark)))
        call = mark.decorator
        if kind is None or not isinstance(call, cst.Call):
            continue
        gives = kind != "patch.dict" and _is_given(call, _PATCHES[kind])
        name = names[len(mocked)] if gives and len(mocked) < len(names) else f"patched_{number}"
        mocked += [name] if gives else []
        lines.insert(0, statement(f"{name} = {OPENED}({code(call)})"))
    return mocked, lines


def _is_given(call: cst.Call, replaced_from: int) -> bool:
    positional = [arg for arg in call.args if arg.keyword is None]
    named = {arg.keyword.value for arg in call.args if arg.keyword is not None}
    return len(positional) < replaced_from and "new" not in named


def _parametrized(mark: cst.Decorator, module: Module) -> list[_Bound]:
    call = mark.decorator
    if not isinstance(call, cst.Call):
        raise UnfitError("its parameters are not written as a list")
    named = {arg.keyword.value: arg.value for arg in call.args if arg.keyword is not None}
    positional = [arg.value for arg in call.args if arg.keyword is None]
    names = positional[0] if positional else named.get("argnames")
    values = positional[1] if len(positional) > 1 else named.get("argvalues")
    keys = _keys(names, module)
    rows = None if values is None else elements_of(values, module.written, module.constants)
    if keys is None or rows is None:
        raise UnfitError("its parameters are not written as a list")
    ids = elements_of(named["ids"], module.written, module.constants) if "ids" in named else None
    asked = _asked_names(named.get("indirect"), keys)
    found = []
    for at, row in enumerate(rows):
        bound = _bound(keys, row, at, bool(asked))
        given = data_of(ids[at], module.constants) if ids is not None and at < len(ids) else NOT_DATA
        found.append(
            bound
            if not isinstance(given, str)
            else _Bound(bound.values, given, bound.is_asked, bound.is_left_out)
        )
    return found


def _keys(names: cst.BaseExpression | None, module: Module) -> tuple[str, ...] | None:
    value = NOT_DATA if names is None else data_of(names, module.constants)
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return (
        tuple(value)
        if isinstance(value, tuple | list) and all(isinstance(each, str) for each in value)
        else None
    )


def _asked_names(indirect: cst.BaseExpression | None, keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return the parameters that fixtures are asked for; raise :class:`UnfitError` where only some of several are."""
    if indirect is None or code(indirect) == "False":
        return ()
    if code(indirect) == "True" or (
        isinstance(indirect, cst.List | cst.Tuple) and len(indirect.elements) == len(keys)
    ):
        return keys
    raise UnfitError("only some of its parameters are indirect")


def _bound(keys: tuple[str, ...], row: cst.BaseExpression, at: int, is_asked: bool) -> _Bound:
    """Return what one element of a list of parameters binds."""
    parts, given, is_left_out = [row], "", False
    if callee(row).rpartition(".")[2] == "param" and isinstance(row, cst.Call):
        parts = [arg.value for arg in row.args if arg.keyword is None]
        named = {arg.keyword.value: arg.value for arg in row.args if arg.keyword is not None}
        given = str(getattr(named.get("id"), "evaluated_value", None) or "")
        marks = {dotted(each) for each in walk(named["marks"])} if "marks" in named else set()
        is_left_out = any((name or "").rpartition(".")[2] in _LEFT_OUT for name in marks)
    elif len(keys) > 1:
        if not isinstance(row, cst.Tuple | cst.List) or any(
            isinstance(each, cst.StarredElement) for each in row.elements
        ):
            raise UnfitError("its parameters are not written as a list")
        parts = [each.value for each in row.elements]
    if len(parts) != len(keys):
        raise UnfitError("its parameters are not written as a list")
    shown = given or "-".join(_shown(key, part, at) for key, part in zip(keys, parts, strict=True))
    return _Bound(tuple(zip(keys, parts, strict=True)), shown, is_asked, is_left_out)


def _shown(key: str, value: cst.BaseExpression, at: int) -> str:
    """Return what pytest calls a value."""
    data = data_of(value, Constants({}, {}))
    if data is None or isinstance(data, str | int | float | bool):
        return str(data)
    name = dotted(value)
    return name.rpartition(".")[2] if name is not None else f"{key}{at}"
