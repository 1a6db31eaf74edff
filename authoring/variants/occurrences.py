"""Find where a module's own identifiers occur, and what makes one of them unsafe to change."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import Any, cast

import libcst as cst
from libcst.metadata import (
    Assignment,
    ByteSpanPositionProvider,
    ClassScope,
    GlobalScope,
    MetadataWrapper,
    Scope,
    ScopeProvider,
)

__all__ = ["Kind", "Occurrence", "Occurrences", "find_occurrences"]

_REFLECTION = frozenset({"locals", "globals", "vars", "eval", "exec", "dir", "compile"})
_NAME_FIELDS = re.compile(r"%\((\w+)\)|\{(\w+)[.\[:!}]")
_NAME_LIST = re.compile(r"\w+(?:[\s,.]+\w+)*")


class Kind(Enum):
    """What an occurrence of an identifier stands for."""

    GLOBAL = "global"
    LOCAL = "local"
    PARAMETER = "parameter"
    ATTRIBUTE = "attribute"
    KEYWORD = "keyword"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One identifier in the text, by its first byte."""

    name: str
    kind: Kind
    start: int
    context: str | None = None
    """For a keyword: the last name of what is called; for an attribute: the name that it is read from."""
    mentions: frozenset[str] = frozenset()
    """For a keyword: the names among the call's other arguments."""


@dataclass(slots=True)
class Occurrences:
    """What one module says about its identifiers."""

    found: list[Occurrence] = field(default_factory=list)
    imported: set[str] = field(default_factory=set)
    callables: set[str] = field(default_factory=set)
    """Functions, methods and classes that are defined here."""
    attributes: set[str] = field(default_factory=set)
    """Names that a class body defines or that are stored on an object."""
    foreign_members: set[str] = field(default_factory=set)
    """Names defined in a class that derives from something imported."""
    spoken: set[str] = field(default_factory=set)
    """Identifiers in text that code may read: whole strings, format fields, lists of names."""
    shown: set[str] = field(default_factory=set)
    """Names that ``f"{x=}"`` shows."""
    reflects: set[str] = field(default_factory=set)
    """Reflective built-ins and attributes that are used."""
    identifiers: set[str] = field(default_factory=set)
    """Every identifier that occurs at all."""

    def named(self, kind: Kind) -> set[str]:
        """Return the identifiers that occur as this kind."""
        return {occurrence.name for occurrence in self.found if occurrence.kind is kind}


@lru_cache(maxsize=64)
def find_occurrences(source: str) -> Occurrences:
    """Return the occurrences of a module's identifiers.

    Names that imports bind and built-ins are no occurrences. The answer is shared: nobody changes it. Raise
    ``libcst.ParserSyntaxError`` for text that is not Python.
    """
    wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
    finder = _Finder()
    wrapper.visit(finder)
    return finder.result


class _Finder(cst.CSTVisitor):
    METADATA_DEPENDENCIES = (ScopeProvider, ByteSpanPositionProvider)

    def __init__(self) -> None:
        super().__init__()
        self.result = Occurrences()
        self._placed: set[int] = set()
        self._classes: list[bool] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        visit = _VISITS.get(type(node))
        return True if visit is None else visit(self, node) is not False

    def on_leave(self, original_node: cst.CSTNode) -> None:
        if isinstance(original_node, cst.ClassDef):
            self._classes.pop()

    def place(
        self, node: cst.Name, kind: Kind, context: str | None = None, mentions: frozenset[str] = frozenset()
    ) -> None:
        """Record an identifier whose role its parent decides."""
        self._placed.add(id(node))
        start = self.get_metadata(ByteSpanPositionProvider, node).start
        self.result.identifiers.add(node.value)
        self.result.found.append(Occurrence(node.value, kind, start, context, mentions))

    def scope(self, node: cst.CSTNode) -> Scope | None:
        return self.get_metadata(ScopeProvider, node, None)

    def name(self, node: cst.Name) -> None:
        """Record a plain name by the scope that binds it."""
        if id(node) in self._placed:
            return
        self.result.identifiers.add(node.value)
        if node.value in _REFLECTION:
            self.result.reflects.add(node.value)
        scope = self.scope(node)
        bindings = list(scope[node.value]) if scope is not None else []
        if bindings and all(type(binding) is Assignment for binding in bindings):
            self.place(node, _kind([cast(Assignment, binding) for binding in bindings]))
            if any(isinstance(binding.scope, ClassScope) for binding in bindings):
                self.define_attribute(node.value)

    def define_attribute(self, name: str) -> None:
        self.result.attributes.add(name)
        if self._classes and self._classes[-1]:
            self.result.foreign_members.add(name)

    def definition(self, node: cst.FunctionDef | cst.ClassDef) -> None:
        """Record the name of a function or class, and whether a class's bases are all known."""
        scope = self.scope(node)
        self.result.callables.add(node.name.value)
        if isinstance(scope, ClassScope):
            self.place(node.name, Kind.ATTRIBUTE)
            self.define_attribute(node.name.value)
        else:
            self.place(node.name, Kind.GLOBAL if isinstance(scope, GlobalScope) else Kind.LOCAL)
        if isinstance(node, cst.ClassDef):
            self._classes.append(any(self._is_foreign(base.value) for base in node.bases))

    def _is_foreign(self, base: cst.BaseExpression) -> bool:
        return _last_name(base) is None or _first_name(base) in self.result.imported

    def parameter(self, node: cst.Param) -> None:
        self.place(node.name, Kind.PARAMETER)
        if self._classes and self._classes[-1]:
            self.result.foreign_members.add(node.name.value)

    def attribute(self, node: cst.Attribute) -> None:
        self.place(
            node.attr, Kind.ATTRIBUTE, _last_name(node.value) if isinstance(node.value, cst.Name) else None
        )
        if node.attr.value in ("__dict__", "__slots__", "__name__", "__qualname__", "__annotations__"):
            self.result.reflects.add(node.attr.value)

    def call(self, node: cst.Call) -> None:
        callee = _last_name(node.func)
        mentions = frozenset(name for arg in node.args for name in _names_in(arg.value))
        for arg in node.args:
            if arg.keyword is not None:
                self.place(arg.keyword, Kind.KEYWORD, callee, mentions)
        reads = callee in ("getattr", "setattr", "hasattr", "delattr") and len(node.args) > 1
        if reads and not isinstance(node.args[1].value, cst.SimpleString):
            self.result.reflects.add("getattr")

    def imports(self, node: cst.Import | cst.ImportFrom) -> bool:
        if not isinstance(node.names, cst.ImportStar):
            for alias in node.names:
                bound = alias.evaluated_alias or alias.evaluated_name.split(".")[0]
                self.result.imported.add(bound)
                self.result.identifiers.add(bound)
        return False

    def stored(self, node: cst.AssignTarget | cst.AnnAssign | cst.AugAssign | cst.For | cst.AsName) -> None:
        target = node.name if isinstance(node, cst.AsName) else node.target
        for part in _targets(target):
            self.result.attributes.add(part)

    def declared(self, node: cst.Global | cst.Nonlocal) -> bool:
        kind = Kind.GLOBAL if isinstance(node, cst.Global) else Kind.LOCAL
        for item in node.names:
            self.place(item.name, kind)
        return False

    def pattern_keyword(self, node: cst.MatchKeywordElement) -> None:
        self.place(node.key, Kind.ATTRIBUTE)

    def subscript(self, node: cst.Subscript) -> None:
        """Pass over the keys of a scenario's parameters, which name nothing in the program."""
        if isinstance(node.value, cst.Name) and node.value.value == "p":
            self._placed.update(
                id(part.slice.value) for part in node.slice if isinstance(part.slice, cst.Index)
            )

    def text(self, node: cst.SimpleString) -> None:
        value = node.evaluated_value
        if isinstance(value, bytes) or id(node) in self._placed:
            return
        self.result.spoken.update(part for pair in _NAME_FIELDS.findall(value) for part in pair if part)
        words = re.split(r"[\s,.]+", value.strip())
        if len(words) == 1 or (len(words) <= 8 and _NAME_LIST.fullmatch(value) and "," in value):
            self.result.spoken.update(words)

    def formatted(self, node: cst.FormattedStringExpression) -> None:
        if node.equal is not None:
            self.result.shown.update(_names_in(node.expression))


_VISITS: dict[type[cst.CSTNode], Callable[[_Finder, Any], bool | None]] = {
    cst.AnnAssign: _Finder.stored,
    cst.AsName: _Finder.stored,
    cst.AssignTarget: _Finder.stored,
    cst.Attribute: _Finder.attribute,
    cst.AugAssign: _Finder.stored,
    cst.Call: _Finder.call,
    cst.ClassDef: _Finder.definition,
    cst.For: _Finder.stored,
    cst.FormattedStringExpression: _Finder.formatted,
    cst.FunctionDef: _Finder.definition,
    cst.Global: _Finder.declared,
    cst.Import: _Finder.imports,
    cst.ImportFrom: _Finder.imports,
    cst.MatchKeywordElement: _Finder.pattern_keyword,
    cst.Name: _Finder.name,
    cst.Nonlocal: _Finder.declared,
    cst.Param: _Finder.parameter,
    cst.SimpleString: _Finder.text,
    cst.Subscript: _Finder.subscript,
}


def _kind(bindings: list[Assignment]) -> Kind:
    if any(isinstance(binding.node, cst.Param) for binding in bindings):
        return Kind.PARAMETER
    scope = bindings[0].scope
    if isinstance(scope, GlobalScope):
        return Kind.GLOBAL
    return Kind.ATTRIBUTE if isinstance(scope, ClassScope) else Kind.LOCAL


def _last_name(node: cst.CSTNode) -> str | None:
    """Return the last part of a dotted name, also of ``f(...)`` and ``f[...]`` called again: None where there
    is none.
    """
    if isinstance(node, cst.Name):
        return node.value
    return node.attr.value if isinstance(node, cst.Attribute) else None


def _first_name(node: cst.CSTNode) -> str | None:
    while isinstance(node, cst.Attribute):
        node = node.value
    return node.value if isinstance(node, cst.Name) else None


def _targets(node: cst.CSTNode) -> list[str]:
    if isinstance(node, cst.Attribute):
        return [node.attr.value]
    if isinstance(node, cst.Tuple | cst.List):
        return [name for element in node.elements for name in _targets(element.value)]
    return _targets(node.value) if isinstance(node, cst.StarredElement) else []


def _names_in(node: cst.CSTNode) -> set[str]:
    found: set[str] = set()
    pending: list[cst.CSTNode] = [node]
    while pending:
        current = pending.pop()
        if isinstance(current, cst.Name):
            found.add(current.value)
        pending.extend(current.children)
    return found
