"""Small things that lifting does with syntax trees: print, build, and say which names a piece reads and binds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, cast

import libcst as cst

__all__ = [
    "Statement",
    "Uses",
    "all_parameters",
    "block",
    "bound_name",
    "callee",
    "code",
    "dotted",
    "expression",
    "flat",
    "parameter_names",
    "replace_names",
    "single",
    "statement",
    "statements",
    "uses",
]

_BLANK = cst.Module(body=[])

Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement
Node = TypeVar("Node", bound=cst.CSTNode)


def code(node: cst.CSTNode) -> str:
    """Return the text of a node."""
    return _BLANK.code_for_node(node)


def statement(text: str) -> Statement:
    """Return the one statement that a text holds."""
    return cst.parse_statement(text)


def statements(text: str) -> list[Statement]:
    """Return the statements that a text holds, without its comments at the end."""
    return list(cst.parse_module(text).body)


def expression(text: str) -> cst.BaseExpression:
    """Return the expression that a text holds; it may span lines."""
    return cst.parse_expression(f"({text})")


def dotted(node: cst.CSTNode) -> str | None:
    """Return ``a.b.c`` for a chain of attributes on a name, else None."""
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute):
        head = dotted(node.value)
        return None if head is None else f"{head}.{node.attr.value}"
    return None


def callee(node: cst.CSTNode) -> str:
    """Return the dotted name that a call calls, or ``""``; for ``f(x).g(y)`` it is ``g`` preceded by a dot."""
    if not isinstance(node, cst.Call):
        return ""
    name = dotted(node.func)
    if name is not None:
        return name
    return f".{node.func.attr.value}" if isinstance(node.func, cst.Attribute) else ""


def block(body: cst.BaseSuite) -> list[Statement]:
    """Return the statements of a suite, each on a line of its own."""
    if isinstance(body, cst.SimpleStatementSuite):
        return [cst.SimpleStatementLine(body=[_bare(small)]) for small in body.body]
    return flat(body.body)


def flat(body: Iterable[cst.BaseStatement | cst.BaseSmallStatement]) -> list[Statement]:
    """Return statements with ``a; b`` taken apart and comments dropped."""
    found: list[Statement] = []
    for node in body:
        if isinstance(node, cst.SimpleStatementLine):
            if len(node.body) == 1 and not isinstance(node.body[0].semicolon, cst.Semicolon):
                found.append(node)
            else:
                found += [cst.SimpleStatementLine(body=[_bare(small)]) for small in node.body]
        elif isinstance(node, cst.BaseCompoundStatement):
            found.append(node)
    return found


def _bare(small: cst.BaseSmallStatement) -> cst.BaseSmallStatement:
    return small.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)


def single(node: cst.CSTNode) -> cst.CSTNode:
    """Return the small statement of a line that holds one, else the node itself."""
    if isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1:
        return node.body[0]
    return node


@dataclass
class Uses:
    """The names that a piece of code reads from outside itself, and those that it binds in its own scope."""

    reads: set[str] = field(default_factory=set)
    binds: set[str] = field(default_factory=set)
    outer: set[str] = field(default_factory=set)
    """Names declared global or nonlocal."""


def uses(nodes: cst.CSTNode | Sequence[cst.CSTNode]) -> Uses:
    """Return what the nodes, as one scope, read and bind; scopes nested in them are taken into account."""
    visitor = _UsesVisitor()
    for node in [nodes] if isinstance(nodes, cst.CSTNode) else nodes:
        node.visit(visitor)
    return visitor.found


class _UsesVisitor(cst.CSTVisitor):
    def __init__(self) -> None:
        super().__init__()
        self.found = Uses()

    def visit_Name(self, node: cst.Name) -> None:
        self.found.reads.add(node.value)

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        node.value.visit(self)
        return False

    def visit_Arg(self, node: cst.Arg) -> bool:
        node.value.visit(self)
        return False

    def _bind(self, target: cst.CSTNode) -> None:
        if isinstance(target, cst.Name):
            self.found.binds.add(target.value)
        elif isinstance(target, cst.Tuple | cst.List):
            for element in target.elements:
                self._bind(element.value)
        elif isinstance(target, cst.AsName):
            self._bind(target.name)
        else:
            target.visit(self)

    def visit_AssignTarget(self, node: cst.AssignTarget) -> bool:
        self._bind(node.target)
        return False

    def visit_AnnAssign(self, node: cst.AnnAssign) -> bool:
        node.annotation.visit(self)
        if node.value is not None:
            node.value.visit(self)
            self._bind(node.target)
        return False

    def visit_AugAssign(self, node: cst.AugAssign) -> bool:
        node.target.visit(self)
        node.value.visit(self)
        self._bind(node.target)
        return False

    def visit_NamedExpr(self, node: cst.NamedExpr) -> bool:
        node.value.visit(self)
        self._bind(node.target)
        return False

    def visit_For(self, node: cst.For) -> bool:
        self._bind(node.target)
        for part in (node.iter, node.body, node.orelse):
            if part is not None:
                part.visit(self)
        return False

    def visit_WithItem(self, node: cst.WithItem) -> bool:
        node.item.visit(self)
        if node.asname is not None:
            self._bind(node.asname)
        return False

    def visit_ExceptHandler(self, node: cst.ExceptHandler) -> bool:
        if node.type is not None:
            node.type.visit(self)
        inner = uses(node.body)
        caught = {node.name.name.value} if node.name and isinstance(node.name.name, cst.Name) else set()
        self.found.reads |= inner.reads - caught
        self.found.binds |= inner.binds - caught
        return False

    def visit_Global(self, node: cst.Global) -> bool:
        self.found.outer |= {item.name.value for item in node.names}
        return False

    def visit_Nonlocal(self, node: cst.Nonlocal) -> bool:
        self.found.outer |= {item.name.value for item in node.names}
        return False

    def visit_Import(self, node: cst.Import) -> bool:
        for alias in node.names:
            self.found.binds.add(bound_name(alias))
        return False

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:
        if not isinstance(node.names, cst.ImportStar):
            self.found.binds |= {bound_name(alias) for alias in node.names}
        return False

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        self.found.binds.add(node.name.value)
        for decorator in node.decorators:
            decorator.visit(self)
        if node.returns is not None:
            node.returns.visit(self)
        self._parameters(node.params)
        self._nested(node.body, parameter_names(node.params))
        return False

    def visit_Lambda(self, node: cst.Lambda) -> bool:
        self._parameters(node.params)
        self._nested(node.body, parameter_names(node.params))
        return False

    def _parameters(self, params: cst.Parameters) -> None:
        for param in all_parameters(params):
            for part in (param.annotation, param.default):
                if part is not None:
                    part.visit(self)

    def _nested(self, body: cst.CSTNode, own: set[str]) -> None:
        inner = uses(body)
        self.found.reads |= inner.reads - own - (inner.binds - inner.outer)
        self.found.binds |= inner.binds & inner.outer

    def visit_ClassDef(self, node: cst.ClassDef) -> bool:
        self.found.binds.add(node.name.value)
        for part in (*node.decorators, *node.bases, *node.keywords):
            part.visit(self)
        inner = uses(node.body)
        # a class body may read a name of the outer scope before it binds it itself
        self.found.reads |= inner.reads - (inner.binds - _reads_first(node.body))
        return False

    def _comprehension(self, node: cst.BaseComp) -> bool:
        inner = _UsesVisitor()
        for part in node.children:
            part.visit(inner)
        targets = inner.found.binds
        self.found.reads |= inner.found.reads - targets
        return False

    def visit_CompFor(self, node: cst.CompFor) -> bool:
        self._bind(node.target)
        node.iter.visit(self)
        for part in (*node.ifs, *([node.inner_for_in] if node.inner_for_in else [])):
            part.visit(self)
        return False

    def visit_ListComp(self, node: cst.ListComp) -> bool:
        return self._comprehension(node)

    def visit_SetComp(self, node: cst.SetComp) -> bool:
        return self._comprehension(node)

    def visit_DictComp(self, node: cst.DictComp) -> bool:
        return self._comprehension(node)

    def visit_GeneratorExp(self, node: cst.GeneratorExp) -> bool:
        return self._comprehension(node)


def _reads_first(body: cst.BaseSuite) -> set[str]:
    bound: set[str] = set()
    early: set[str] = set()
    for node in block(body):
        inner = uses(node)
        early |= inner.reads - bound
        bound |= inner.binds
    return early


def bound_name(alias: cst.ImportAlias) -> str:
    """Return the name that an import binds: ``a`` for ``import a.b``, ``c`` for ``import a.b as c``."""
    if alias.asname is not None and isinstance(alias.asname.name, cst.Name):
        return alias.asname.name.value
    return (dotted(alias.name) or "").split(".")[0]


def all_parameters(params: cst.Parameters) -> list[cst.Param]:
    """Return every parameter of a signature, in order."""
    found = [*params.posonly_params, *params.params]
    if isinstance(params.star_arg, cst.Param):
        found.append(params.star_arg)
    found += params.kwonly_params
    return [*found, params.star_kwarg] if params.star_kwarg is not None else found


def parameter_names(params: cst.Parameters) -> set[str]:
    """Return the names of every parameter of a signature."""
    return {param.name.value for param in all_parameters(params)}


class _Rename(cst.CSTTransformer):
    def __init__(self, names: Mapping[str, cst.BaseExpression]) -> None:
        super().__init__()
        self.names = names

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        return self.names.get(original_node.value, updated_node)

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.Attribute:
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return updated_node.with_changes(keyword=original_node.keyword)


def replace_names(node: Node, names: Mapping[str, cst.BaseExpression]) -> Node:
    """Return the node with every variable of these names replaced; attributes and keywords stay."""
    return cast(Node, node.visit(_Rename(names))) if names else node
