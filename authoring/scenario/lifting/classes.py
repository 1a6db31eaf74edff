"""Test classes: their members through the bases in the same module, what sets them up, and whether they need a base."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import libcst as cst

from authoring.scenario.lifting.syntax import (
    Node,
    Statement,
    all_parameters,
    block,
    code,
    dotted,
    rewrite,
    single,
    statement,
    uses,
    walk,
)

__all__ = [
    "TestClass",
    "bare_class",
    "decorator_name",
    "is_case_base",
    "module_set_up",
    "test_class",
    "without_case_base",
    "without_cleanups",
]

_SET_UP = ("setUp", "setUpClass", "asyncSetUp", "setup_method", "setup_class")
_CLEANUPS = ("addCleanup", "addClassCleanup", "addAsyncCleanup")
_TEARDOWN = ("tearDown", "tearDownClass", "asyncTearDown", "teardown_method", "teardown_class", "teardown")


@dataclass(frozen=True, slots=True)
class TestClass:
    """A class of tests with what its bases in the same module give it."""

    __test__ = False

    node: cst.ClassDef
    lineage: tuple[cst.ClassDef, ...]
    """The class, then its bases of the same module, in the order in which a name is looked up."""

    @property
    def name(self) -> str:
        """The name of the class."""
        return self.node.name.value

    @property
    def is_case(self) -> bool:
        """Whether it is one of unittest's."""
        return any(is_case_base(base.value) for each in self.lineage for base in each.bases)

    def methods(self) -> dict[str, cst.FunctionDef]:
        """Return the methods that an instance has, the class's own and then the inherited ones in their order."""
        found: dict[str, cst.FunctionDef] = {}
        for each in self.lineage:
            for line in block(each.body):
                if isinstance(line, cst.FunctionDef):
                    found.setdefault(line.name.value, line)
        return found

    def set_up_class(self) -> list[Statement]:
        """Return the statements that make an instance and set up its class."""
        lines = [f"self = {self.name}()"]
        methods = self.methods()
        for name in ("setUpClass", "setup_class"):
            if name in methods:
                is_bound = any(decorator_name(each) == "classmethod" for each in methods[name].decorators)
                lines.append(f"self.{name}()" if is_bound else f"{self.name}.{name}({self.name})")
        return [statement(line) for line in lines]

    def set_up(self) -> list[Statement]:
        """Return the statements that set up one test; those of them that wait need an async function."""
        methods = self.methods()
        lines = []
        for name in ("setUp", "setup_method"):
            if name in methods:
                lines.append(f"self.{name}({self._given(name, methods[name])})")
        if "asyncSetUp" in methods:
            lines.append("await self.asyncSetUp()")
        return [statement(line) for line in lines]

    @property
    def waits(self) -> bool:
        """Whether its set-up has to be awaited."""
        return "asyncSetUp" in self.methods()

    def _given(self, name: str, method: cst.FunctionDef) -> str:
        """Return what a set-up is given for the test's method: any method, since few look at it."""
        needed = [param for param in all_parameters(method.params)[1:] if param.default is None]
        return f"self.{name}" if needed else ""


def test_class(node: cst.ClassDef, body: Sequence[Statement]) -> TestClass:
    """Return a class with its bases among the statements of a module."""
    classes = {line.name.value: line for line in body if isinstance(line, cst.ClassDef)}
    return TestClass(node, tuple(_lineage(node, classes, ())))


def _lineage(
    node: cst.ClassDef, classes: Mapping[str, cst.ClassDef], above: tuple[str, ...]
) -> Iterator[cst.ClassDef]:
    yield node
    for base in node.bases:
        name = code(base.value)
        if name in classes and name not in above:
            yield from _lineage(classes[name], classes, (*above, name))


def is_case_base(base: cst.BaseExpression) -> bool:
    """Return whether an expression names a class of unittest's, or of another library's that is made after it."""
    return (dotted(base) or "").rpartition(".")[2].endswith("TestCase")


def decorator_name(node: cst.Decorator) -> str:
    """Return the dotted name of a decorator, called or not."""
    target = node.decorator.func if isinstance(node.decorator, cst.Call) else node.decorator
    return dotted(target) or ""


def without_cleanups(node: Node, lineage: Sequence[cst.ClassDef]) -> Node:
    """Return code without what is registered to run after the test, and without calls of set-up that does nothing."""
    own = {name for each in lineage for name in _defined(each)}

    def line(old: cst.SimpleStatementLine, new: cst.SimpleStatementLine) -> Any:
        small = single(old)
        value = small.value if isinstance(small, cst.Expr) else small
        value = value.expression if isinstance(value, cst.Await) else value
        if not isinstance(value, cst.Call) or not isinstance(value.func, cst.Attribute):
            return new
        name = value.func.attr.value
        is_idle = code(value.func.value) == "super()" and name in _SET_UP and name not in own
        is_later = code(value.func.value) in ("self", "cls") and name in _CLEANUPS and name not in own
        return cst.RemoveFromParent() if is_idle or is_later else new

    return rewrite(node, {cst.SimpleStatementLine: line})


def bare_class(node: cst.ClassDef, is_left_out: Callable[[cst.FunctionDef], bool]) -> cst.ClassDef:
    """Return a class without its tests, its fixtures, its decorators and what takes it down."""
    kept = [
        line
        for line in block(node.body)
        if not isinstance(line, cst.FunctionDef) or not (line.name.value in _TEARDOWN or is_left_out(line))
    ]
    return node.with_changes(decorators=[], body=cst.IndentedBlock(body=kept or [statement("pass")]))


def module_set_up(body: Sequence[Statement], is_method: bool) -> list[Statement]:
    """Return the calls of a module's own set-up functions; one that takes the module or the test gets itself.

    Raises ValueError where one looks at what it is given.
    """
    names = (
        ("setUpModule", "setup_module") if is_method else ("setUpModule", "setup_module", "setup_function")
    )
    functions = {line.name.value: line for line in body if isinstance(line, cst.FunctionDef)}
    found = []
    for name in names:
        if name in functions:
            function = functions[name]
            needed = [param.name.value for param in all_parameters(function.params) if param.default is None]
            if uses(function.body).reads & set(needed):
                raise ValueError(f"{name} works on the {needed[0]} that it is given")
            found.append(statement(f"{name}({name if needed else ''})"))
    return found


def without_case_base(lines: Sequence[Statement], judged: Iterable[cst.CSTNode]) -> list[Statement]:
    """Return lines whose classes have no base of unittest's, where nothing in them or in ``judged`` asks for it."""
    classes = [line for line in lines if isinstance(line, cst.ClassDef)]
    cases = [node for node in classes if any(is_case_base(base.value) for base in node.bases)]
    if not cases:
        return list(lines)
    known = {name for node in classes for name in _defined(node)}
    asked: set[str] = set()
    for node in [*lines, *judged]:
        for each in walk(node):
            if isinstance(each, cst.Attribute) and code(each.value) in ("self", "cls"):
                asked.add(each.attr.value)
            elif isinstance(each, cst.AssignTarget | cst.AnnAssign) and isinstance(
                each.target, cst.Attribute
            ):
                known.add(each.target.attr.value)
    if asked - known or any("super" in uses(node).reads for node in classes):
        return list(lines)
    return [_without(line) if line in cases and isinstance(line, cst.ClassDef) else line for line in lines]


def _defined(node: cst.ClassDef) -> set[str]:
    found: set[str] = set()
    for line in block(node.body):
        small = single(line)
        found |= {line.name.value} if isinstance(line, cst.FunctionDef | cst.ClassDef) else uses(small).binds
    return found


def _without(node: cst.ClassDef) -> cst.ClassDef:
    bases = [
        base.with_changes(comma=cst.MaybeSentinel.DEFAULT)
        for base in node.bases
        if not is_case_base(base.value)
    ]
    if bases or node.keywords:
        return node.with_changes(bases=bases)
    return node.with_changes(bases=[], lpar=cst.MaybeSentinel.DEFAULT, rpar=cst.MaybeSentinel.DEFAULT)
