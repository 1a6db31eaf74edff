"""Find what reduction must not plant: names undefined or possibly unassigned, values returned on some paths only.

The check is incremental: a module is judged from summaries of its top-level statements, and a summary is kept by the
statement's text, so that a candidate costs no more than the statements that it changed.
"""

import ast
import builtins
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any

from authoring.reduction.lines import indent_of, kind_of

__all__ = ["Issue", "issues"]

Issue = tuple[str, str, str]
"""Kind (``undefined``, ``unassigned``, ``mixed``, ``syntax``), scope, and name.

``mixed`` is a function, by its own name alone, since classes are merged and lifted: it returns a value on some paths,
and None or nothing on others.
"""

_BUILTINS = frozenset(dir(builtins)) | {
    "__name__",
    "__file__",
    "__doc__",
    "__spec__",
    "__package__",
    "__builtins__",
}
_CLASS_NAMES = frozenset(("__module__", "__qualname__", "__class__"))
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_CONTINUES = frozenset(("elif", "else", "except", "finally"))


@dataclass(frozen=True, slots=True)
class _Summary:
    """What one top-level statement says about names."""

    definite: frozenset[str]
    possible: frozenset[str]
    deleted: frozenset[str]
    now: frozenset[str]
    """Global names read while the module is imported, and not assigned before by the same statement."""
    later: frozenset[str]
    """Global names read inside functions."""
    unassigned: frozenset[tuple[str, str]]
    mixed: frozenset[str]
    opaque: bool
    modules: frozenset[str]
    """Dotted names that are modules of the standard library, as far as it reads them by their packages."""
    imported: frozenset[str]
    """Dotted names of the modules that it imports, those of their packages among them."""
    packages: frozenset[str]
    """Names that it binds to the packages themselves."""


def issues(lines: Sequence[str]) -> frozenset[Issue]:
    """Return what is wrong with the names of a program given as logical lines; a syntax error is an issue too."""
    try:
        summaries = [_summary(chunk) for chunk in _chunks(lines)]
    except (SyntaxError, ValueError, RecursionError):
        return frozenset({("syntax", "", "")})
    found: set[Issue] = set()
    possible = frozenset().union(*(s.possible for s in summaries))
    opaque = any(s.opaque for s in summaries)
    known: set[str] = set(_BUILTINS)
    for summary in summaries:
        found.update(("unassigned", scope, name) for scope, name in summary.unassigned)
        found.update(("mixed", "", name) for name in summary.mixed)
        if not opaque:
            found.update(_unknown(summary.now - known, possible))
        known |= summary.definite
        known -= summary.deleted
    if not opaque:
        for summary in summaries:
            found.update(_unknown(summary.later - known, possible))
    found.update(("undefined", "", name) for name in _unimported(summaries))
    return frozenset(found)


def _unimported(summaries: Sequence[_Summary]) -> Iterator[str]:
    """Yield modules that are read as attributes of their packages and imported nowhere.

    They are there only where somebody else has imported them: ``import collections`` makes no ``collections.abc``.
    """
    imported = frozenset().union(*(s.imported for s in summaries))
    packages = frozenset().union(*(s.packages for s in summaries))
    for name in frozenset().union(*(s.modules for s in summaries)) - imported:
        package, _, last = name.rpartition(".")
        if name.partition(".")[0] in packages and last not in _brought(package):
            yield name


def _unknown(names: Iterable[str], possible: frozenset[str]) -> Iterator[Issue]:
    for name in names:
        yield ("unassigned", "", name) if name in possible else ("undefined", "", name)


def _chunks(lines: Sequence[str]) -> Iterator[str]:
    start = 0
    for number in range(1, len(lines) + 1):
        if number == len(lines) or _opens(lines, number):
            if start < number:
                yield "\n".join(lines[start:number])
            start = number


def _opens(lines: Sequence[str], number: int) -> bool:
    text = lines[number]
    return (
        indent_of(text) == 0 and kind_of(text) not in _CONTINUES and kind_of(lines[number - 1]) != "decorator"
    )


@lru_cache(maxsize=1 << 15)
def _summary(text: str) -> _Summary:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text + "\n")
        compile(tree, "<candidate>", "exec", dont_inherit=True)
    flow = _Flow("", None)
    flow.block(tree.body)
    out = flow.assigned if flow.assigned is not None else set(flow.bound)
    return _Summary(
        frozenset(out),
        frozenset(flow.bound | flow.report.globals_bound),
        frozenset(flow.deleted),
        frozenset(flow.now),
        frozenset(flow.report.later),
        frozenset(flow.report.unassigned),
        frozenset(flow.report.mixed),
        flow.report.opaque,
        *_modules(tree),
    )


def _modules(tree: ast.Module) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Return the modules that a statement reads by their packages, those that it imports, and the packages bound."""
    read: set[str] = set()
    imported: set[str] = set()
    packages: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            name = _dotted(node)
            if _is_submodule(name):
                read.add(name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                imported.update(_prefixes(alias.name))
                if alias.asname in (None, alias.name):
                    packages.add(alias.name.partition(".")[0])
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            imported.update(_prefixes(node.module))
            imported.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(read), frozenset(imported), frozenset(packages)


def _dotted(node: ast.expr) -> str:
    """Return ``a.b.c`` for attributes of a name, and nothing for those of anything else."""
    if isinstance(node, ast.Name):
        return node.id
    above = _dotted(node.value) if isinstance(node, ast.Attribute) else ""
    return f"{above}.{node.attr}" if above and isinstance(node, ast.Attribute) else ""


def _prefixes(module: str) -> Iterator[str]:
    parts = module.split(".")
    return (".".join(parts[:count]) for count in range(1, len(parts) + 1))


@cache
def _brought(package: str) -> frozenset[str]:
    """Return the modules of a library package that it imports itself: ``json`` brings ``json.decoder``."""
    spec = _spec(package)
    if spec is None or spec.origin is None:
        return frozenset()
    tree = ast.parse(Path(spec.origin).read_text("utf-8"))
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            found.update([node.module.partition(".")[0]] if node.module else [one.name for one in node.names])
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(f"{package}."):
            found.add(node.module.removeprefix(f"{package}.").partition(".")[0])
        elif isinstance(node, ast.Import):
            names = [one.name for one in node.names if one.name.startswith(f"{package}.")]
            found.update(name.removeprefix(f"{package}.").partition(".")[0] for name in names)
    return frozenset(found)


def _is_submodule(name: str) -> bool:
    """Return whether a dotted name is a module inside a package of the standard library; nothing is imported."""
    return "." in name and _spec(name) is not None


@cache
def _spec(name: str) -> ModuleSpec | None:
    """Return where a module of the standard library lies; None where there is none of that name."""
    parts = name.split(".")
    if parts[0] not in sys.stdlib_module_names:
        return None
    places = None
    for count in range(1, len(parts) + 1):
        spec = PathFinder.find_spec(".".join(parts[:count]), places)
        if spec is None or (count < len(parts) and spec.submodule_search_locations is None):
            return None
        places = spec.submodule_search_locations
    return spec


@dataclass(slots=True)
class _Report:
    later: set[str] = field(default_factory=set)
    unassigned: set[tuple[str, str]] = field(default_factory=set)
    mixed: set[str] = field(default_factory=set)
    globals_bound: set[str] = field(default_factory=set)
    opaque: bool = False


class _Flow:
    """Definite assignment in one scope: ``assigned`` is None where control does not arrive."""

    def __init__(self, scope: str, outer: "_Flow | None", kind: str = "module") -> None:
        self.scope = scope
        self.outer = outer
        self.kind = kind
        self.report: _Report = outer.report if outer else _Report()
        self.assigned: set[str] | None = set()
        self.bound: set[str] = set()
        self.declared: set[str] = set()
        self.deleted: set[str] = set()
        self.now: set[str] = set()
        self.breaks: list[list[set[str]]] = []
        self.returns: set[bool] = set()
        """Whether a value comes back, on each path that ends."""

    def block(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        handler = _STATEMENTS.get(type(node))
        if handler is not None:
            handler(self, node)
        else:
            self.expressions(node)

    def expressions(self, node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            self.visit(child)

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.Name):
            self.name(node)
        elif isinstance(node, _FUNCTIONS):
            self.function(node)
        elif isinstance(node, _COMPREHENSIONS):
            self.comprehension(node)
        elif isinstance(node, ast.NamedExpr):
            self.visit(node.value)
            self.owner().bind(node.target.id)
        elif isinstance(node, ast.BoolOp | ast.IfExp):
            self.partial(node)
        else:
            self.expressions(node)

    def partial(self, node: ast.BoolOp | ast.IfExp) -> None:
        """Visit a first operand that always runs and others that may not."""
        first, *others = node.values if isinstance(node, ast.BoolOp) else [node.test, node.body, node.orelse]
        self.visit(first)
        before = self.copy()
        for other in others:
            self.visit(other)
            if isinstance(node, ast.IfExp):
                self.assigned = None if before is None else set(before)

    def name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.load(node.id)
        elif isinstance(node.ctx, ast.Store):
            self.bind(node.id)
        else:
            self.load(node.id)
            self.deleted.add(node.id)
            if self.assigned is not None:
                self.assigned.discard(node.id)

    def bind(self, name: str) -> None:
        if name in self.declared:
            self.report.globals_bound.add(name)
            return
        self.bound.add(name)
        if self.assigned is not None:
            self.assigned.add(name)

    def load(self, name: str) -> None:
        if self.assigned is None or name in self.assigned:
            return
        if self.kind == "function" and name in self.locals():
            self.report.unassigned.add((self.scope, name))
        elif self.kind == "class" and name in _CLASS_NAMES:
            return
        else:
            self.free(name)

    def free(self, name: str) -> None:
        """Read a name of an outer scope."""
        if self.kind == "module":
            self.now.add(name)
            return
        later = self.kind == "function"
        outer = self.outer
        while outer is not None and outer.kind != "module":
            if outer.kind == "function" and name in outer.locals():
                return
            later = later or outer.kind == "function"
            outer = outer.outer
        if name == "__class__" and later:
            return
        if outer is not None and not later:
            outer.load(name)
        else:
            self.report.later.add(name)

    def locals(self) -> set[str]:
        return self.own - self.declared if isinstance(self, _Function) else self.bound

    def owner(self) -> "_Flow":
        flow: _Flow = self
        while isinstance(flow, _Comprehension) and flow.outer is not None:
            flow = flow.outer
        return flow

    def copy(self) -> set[str] | None:
        return None if self.assigned is None else set(self.assigned)

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        arguments = node.args
        for default in (*arguments.defaults, *(d for d in arguments.kw_defaults if d is not None)):
            self.visit(default)
        parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        parameters += [extra for extra in (arguments.vararg, arguments.kwarg) if extra is not None]
        if not isinstance(node, ast.Lambda):
            for decorator in node.decorator_list:
                self.visit(decorator)
            for annotation in (*(p.annotation for p in parameters), node.returns):
                if annotation is not None:
                    self.visit(annotation)
            self.bind(node.name)
        name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
        inner = _Function(f"{self.scope}.{name}".lstrip("."), self.owner(), node)
        inner.assigned = {parameter.arg for parameter in parameters}
        if isinstance(node, ast.Lambda):
            inner.visit(node.body)
        else:
            inner.block(node.body)
            returns = inner.returns if inner.assigned is None else {*inner.returns, False}
            if len(returns) == 2 and not _is_generator(node):
                self.report.mixed.add(node.name)

    def comprehension(self, node: ast.AST) -> None:
        generators: list[ast.comprehension] = getattr(node, "generators", [])
        self.visit(generators[0].iter)
        inner = _Comprehension(self)
        for number, generator in enumerate(generators):
            if number:
                inner.visit(generator.iter)
            inner.visit(generator.target)
            for condition in generator.ifs:
                inner.visit(condition)
        for part in ("key", "value", "elt"):
            child = getattr(node, part, None)
            if child is not None:
                inner.visit(child)


class _Function(_Flow):
    def __init__(self, scope: str, outer: _Flow, node: ast.AST) -> None:
        super().__init__(scope, outer, "function")
        binder = _Binder()
        binder.function(node)
        self.own = binder.names
        self.declared = binder.declared
        self.report.globals_bound |= binder.globals & binder.all_bound


class _Comprehension(_Flow):
    """A comprehension reads what its scope has assigned so far, and binds names of its own."""

    def __init__(self, outer: _Flow) -> None:
        super().__init__(outer.scope, outer, outer.kind)
        self.assigned = outer.copy()

    def load(self, name: str) -> None:
        if self.assigned is not None and name not in self.assigned and self.outer is not None:
            self.outer.load(name)


class _Binder(ast.NodeVisitor):
    """Collect the names that a function binds itself."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.all_bound: set[str] = set()
        self.declared: set[str] = set()
        self.globals: set[str] = set()

    def function(self, node: ast.AST) -> None:
        arguments = getattr(node, "args", None)
        if isinstance(arguments, ast.arguments):
            extras = [extra for extra in (arguments.vararg, arguments.kwarg) if extra is not None]
            for parameter in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *extras):
                self.names.add(parameter.arg)
        body = getattr(node, "body", [])
        for child in body if isinstance(body, list) else [body]:
            self.visit(child)
        self.all_bound = set(self.names)
        self.names -= self.declared

    def visit_Name(self, node: ast.Name) -> None:  # the ast module calls it by this name
        if not isinstance(node.ctx, ast.Load):
            self.names.add(node.id)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.names.add(node.name)
        self.outside(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.names.add(node.name)
        self.outside(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.names.add(node.name)
        for child in (*node.decorator_list, *node.bases, *node.keywords):
            self.visit(child)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.outside(node)

    def outside(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        """Visit what of a nested function is evaluated in this scope."""
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        for decorator in getattr(node, "decorator_list", []):
            self.visit(decorator)

    def comprehension(self, node: ast.AST) -> None:
        """Take the names that assignment expressions bind outside the comprehension."""
        for child in ast.walk(node):
            if isinstance(child, ast.NamedExpr):
                self.names.add(child.target.id)

    def visit_ListComp(self, node: ast.ListComp) -> None:
        self.comprehension(node)

    def visit_SetComp(self, node: ast.SetComp) -> None:
        self.comprehension(node)

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self.comprehension(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self.comprehension(node)

    def visit_Import(self, node: ast.Import) -> None:
        self.names.update(_imported(node))

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self.names.update(_imported(node))

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self.names.add(node.name)
        self.generic_visit(node)

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        if node.name:
            self.names.add(node.name)
        self.generic_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> None:
        if node.name:
            self.names.add(node.name)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        if node.rest:
            self.names.add(node.rest)
        self.generic_visit(node)

    def visit_Global(self, node: ast.Global) -> None:
        self.declared.update(node.names)
        self.globals.update(node.names)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        self.declared.update(node.names)


def _imported(node: ast.Import | ast.ImportFrom) -> list[str]:
    return [alias.asname or alias.name.split(".")[0] for alias in node.names if alias.name != "*"]


def _joined(*states: set[str] | None) -> set[str] | None:
    reached = [state for state in states if state is not None]
    return set.intersection(*map(set, reached)) if reached else None


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _is_generator(function: ast.AST) -> bool:
    """Tell whether a function yields; what is defined inside it does not count."""
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)
    return False


def _is_true(test: ast.expr) -> bool:
    return isinstance(test, ast.Constant) and bool(test.value)


def _assign(flow: _Flow, node: ast.Assign) -> None:
    flow.visit(node.value)
    for target in node.targets:
        flow.visit(target)


def _annotated(flow: _Flow, node: ast.AnnAssign) -> None:
    flow.visit(node.annotation)
    if node.value is not None:
        flow.visit(node.value)
        flow.visit(node.target)
    elif not isinstance(node.target, ast.Name):
        flow.visit(node.target)


def _augmented(flow: _Flow, node: ast.AugAssign) -> None:
    flow.visit(node.value)
    if isinstance(node.target, ast.Name):
        flow.load(node.target.id)
    flow.visit(node.target)


def _if(flow: _Flow, node: ast.If) -> None:
    flow.visit(node.test)
    before = flow.copy()
    flow.block(node.body)
    after = flow.assigned
    flow.assigned = before
    flow.block(node.orelse)
    flow.assigned = _joined(after, flow.assigned)


def _loop(flow: _Flow, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt], *, endless: bool) -> None:
    before = flow.copy()
    flow.breaks.append([])
    flow.block(body)
    breaks = flow.breaks.pop()
    flow.assigned = None if endless else before
    flow.block(orelse)
    flow.assigned = _joined(flow.assigned, *breaks)


def _while(flow: _Flow, node: ast.While) -> None:
    flow.visit(node.test)
    _loop(flow, node.body, node.orelse, endless=_is_true(node.test))


def _for(flow: _Flow, node: ast.For | ast.AsyncFor) -> None:
    flow.visit(node.iter)
    before = flow.copy()
    flow.visit(node.target)
    flow.breaks.append([])
    flow.block(node.body)
    breaks = flow.breaks.pop()
    flow.assigned = before
    flow.block(node.orelse)
    flow.assigned = _joined(flow.assigned, *breaks)


def _break(flow: _Flow, _node: ast.Break) -> None:
    if flow.breaks and flow.assigned is not None:
        flow.breaks[-1].append(flow.assigned)
    flow.assigned = None


def _leave(flow: _Flow, node: ast.stmt) -> None:
    flow.expressions(node)
    if isinstance(node, ast.Return) and flow.assigned is not None:
        flow.returns.add(not (node.value is None or _is_none(node.value)))
    flow.assigned = None


def _with(flow: _Flow, node: ast.With | ast.AsyncWith) -> None:
    for item in node.items:
        flow.visit(item.context_expr)
        if item.optional_vars is not None:
            flow.visit(item.optional_vars)
    flow.block(node.body)


def _try(flow: _Flow, node: ast.Try | ast.TryStar) -> None:
    before = flow.copy()
    flow.block(node.body)
    flow.block(node.orelse)
    ends = [flow.assigned]
    for handler in node.handlers:
        flow.assigned = None if before is None else set(before)
        if handler.type is not None:
            flow.visit(handler.type)
        if handler.name:
            flow.bind(handler.name)
        flow.block(handler.body)
        if handler.name and flow.assigned is not None and handler.name not in (before or ()):
            flow.assigned.discard(handler.name)
        ends.append(flow.assigned)
    joined = _joined(*ends)
    if node.finalbody:
        entered = before if node.handlers or joined is None else joined
        flow.assigned = None if before is None else set(before)
        flow.block(node.finalbody)
        gained = (flow.assigned or set()) - (entered or set())
        joined = None if joined is None or flow.assigned is None else joined | gained
    flow.assigned = joined


def _class(flow: _Flow, node: ast.ClassDef) -> None:
    for child in (*node.decorator_list, *node.bases, *node.keywords):
        flow.visit(child)
    inner = _Flow(f"{flow.scope}.{node.name}".lstrip("."), flow.owner(), "class")
    inner.block(node.body)
    flow.bind(node.name)


def _import(flow: _Flow, node: ast.Import | ast.ImportFrom) -> None:
    if any(alias.name == "*" for alias in node.names):
        flow.report.opaque = True
    for name in _imported(node):
        flow.bind(name)


def _global(flow: _Flow, node: ast.Global | ast.Nonlocal) -> None:
    flow.declared.update(node.names)


def _match(flow: _Flow, node: ast.Match) -> None:
    flow.visit(node.subject)
    before = flow.copy()
    ends: list[set[str] | None] = []
    total = False
    for case in node.cases:
        flow.assigned = None if before is None else set(before)
        binder = _Binder()
        binder.visit(case.pattern)
        for child in ast.walk(case.pattern):
            if isinstance(child, ast.Name):
                flow.visit(child)
        for name in sorted(binder.names):
            flow.bind(name)
        if case.guard is not None:
            flow.visit(case.guard)
        flow.block(case.body)
        ends.append(flow.assigned)
        total = total or (
            isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None and not case.guard
        )
    flow.assigned = _joined(*ends, *(() if total else (before,)))


def _function(flow: _Flow, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    flow.function(node)


_STATEMENTS: dict[type[ast.stmt], Callable[[_Flow, Any], None]] = {
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.If: _if,
    ast.While: _while,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.Break: _break,
    ast.Continue: _leave,
    ast.Return: _leave,
    ast.Raise: _leave,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Try: _try,
    ast.TryStar: _try,
    ast.ClassDef: _class,
    ast.Import: _import,
    ast.ImportFrom: _import,
    ast.Global: _global,
    ast.Nonlocal: _global,
    ast.Match: _match,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
}
