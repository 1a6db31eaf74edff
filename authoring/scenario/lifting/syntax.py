"""Small things that lifting does with syntax trees: print, build, and say which names a piece reads and binds."""

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

import black
import libcst as cst
from black.parsing import InvalidInput

__all__ = [
    "Node",
    "Rule",
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
    "formatted",
    "on_one_line",
    "parameter_names",
    "replace_names",
    "rewrite",
    "single",
    "statement",
    "statements",
    "uses",
    "walk",
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


def on_one_line(node: cst.BaseExpression) -> str:
    """Return an expression's text, in parentheses where it spans lines."""
    text = code(node)
    return f"({text})" if "\n" in text else text


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

    def on_visit(self, node: cst.CSTNode) -> bool:
        visit = _VISITS.get(type(node))
        return True if visit is None else bool(visit(self, node))

    def _name(self, node: cst.Name) -> bool:
        self.found.reads.add(node.value)
        return False

    def _attribute(self, node: cst.Attribute) -> bool:
        node.value.visit(self)
        return False

    def _arg(self, node: cst.Arg) -> bool:
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

    def _assign_target(self, node: cst.AssignTarget) -> bool:
        self._bind(node.target)
        return False

    def _ann_assign(self, node: cst.AnnAssign) -> bool:
        node.annotation.visit(self)
        if node.value is not None:
            node.value.visit(self)
            self._bind(node.target)
        return False

    def _aug_assign(self, node: cst.AugAssign) -> bool:
        node.target.visit(self)
        node.value.visit(self)
        self._bind(node.target)
        return False

    def _named_expr(self, node: cst.NamedExpr) -> bool:
        node.value.visit(self)
        self._bind(node.target)
        return False

    def _for(self, node: cst.For) -> bool:
        self._bind(node.target)
        for part in (node.iter, node.body, node.orelse):
            if part is not None:
                part.visit(self)
        return False

    def _with_item(self, node: cst.WithItem) -> bool:
        node.item.visit(self)
        if node.asname is not None:
            self._bind(node.asname)
        return False

    def _except_handler(self, node: cst.ExceptHandler) -> bool:
        if node.type is not None:
            node.type.visit(self)
        inner = uses(node.body)
        caught = {node.name.name.value} if node.name and isinstance(node.name.name, cst.Name) else set()
        self.found.reads |= inner.reads - caught
        self.found.binds |= inner.binds - caught
        return False

    def _global(self, node: cst.Global) -> bool:
        self.found.outer |= {item.name.value for item in node.names}
        return False

    def _nonlocal(self, node: cst.Nonlocal) -> bool:
        self.found.outer |= {item.name.value for item in node.names}
        return False

    def _import(self, node: cst.Import) -> bool:
        for alias in node.names:
            self.found.binds.add(bound_name(alias))
        return False

    def _import_from(self, node: cst.ImportFrom) -> bool:
        if not isinstance(node.names, cst.ImportStar):
            self.found.binds |= {bound_name(alias) for alias in node.names}
        return False

    def _function_def(self, node: cst.FunctionDef) -> bool:
        self.found.binds.add(node.name.value)
        for decorator in node.decorators:
            decorator.visit(self)
        if node.returns is not None:
            node.returns.visit(self)
        self._parameters(node.params)
        self._nested(node.body, parameter_names(node.params))
        return False

    def _lambda(self, node: cst.Lambda) -> bool:
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

    def _class_def(self, node: cst.ClassDef) -> bool:
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

    def _comp_for(self, node: cst.CompFor) -> bool:
        self._bind(node.target)
        node.iter.visit(self)
        for part in (*node.ifs, *([node.inner_for_in] if node.inner_for_in else [])):
            part.visit(self)
        return False

    def _list_comp(self, node: cst.ListComp) -> bool:
        return self._comprehension(node)

    def _set_comp(self, node: cst.SetComp) -> bool:
        return self._comprehension(node)

    def _dict_comp(self, node: cst.DictComp) -> bool:
        return self._comprehension(node)

    def _generator_exp(self, node: cst.GeneratorExp) -> bool:
        return self._comprehension(node)


_VISITS: dict[type, Callable[[_UsesVisitor, Any], bool]] = {
    cst.Name: _UsesVisitor._name,
    cst.Attribute: _UsesVisitor._attribute,
    cst.Arg: _UsesVisitor._arg,
    cst.AssignTarget: _UsesVisitor._assign_target,
    cst.AnnAssign: _UsesVisitor._ann_assign,
    cst.AugAssign: _UsesVisitor._aug_assign,
    cst.NamedExpr: _UsesVisitor._named_expr,
    cst.For: _UsesVisitor._for,
    cst.WithItem: _UsesVisitor._with_item,
    cst.ExceptHandler: _UsesVisitor._except_handler,
    cst.Global: _UsesVisitor._global,
    cst.Nonlocal: _UsesVisitor._nonlocal,
    cst.Import: _UsesVisitor._import,
    cst.ImportFrom: _UsesVisitor._import_from,
    cst.FunctionDef: _UsesVisitor._function_def,
    cst.Lambda: _UsesVisitor._lambda,
    cst.ClassDef: _UsesVisitor._class_def,
    cst.CompFor: _UsesVisitor._comp_for,
    cst.ListComp: _UsesVisitor._list_comp,
    cst.SetComp: _UsesVisitor._set_comp,
    cst.DictComp: _UsesVisitor._dict_comp,
    cst.GeneratorExp: _UsesVisitor._generator_exp,
}


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


def replace_names(node: Node, names: Mapping[str, cst.BaseExpression]) -> Node:
    """Return the node with every variable of these names replaced; attributes and keywords stay."""
    if not names:
        return node
    return rewrite(
        node,
        {
            cst.Name: lambda old, new: names.get(old.value, new),
            cst.Attribute: lambda old, new: new.with_changes(attr=old.attr),
            cst.Arg: lambda old, new: new.with_changes(keyword=old.keyword),
        },
    )


Rule = Callable[[Any, Any], Any]
"""From a node as it was and as its parts were rewritten to what stands in its place."""


class _Rewriting(cst.CSTTransformer):
    def __init__(self, rules: Mapping[type, Rule], skipped: tuple[type, ...]) -> None:
        super().__init__()
        self.rules = rules
        self.skipped = skipped

    def on_visit(self, node: cst.CSTNode) -> bool:
        return not isinstance(node, self.skipped)

    def on_leave(self, original_node: cst.CSTNodeT, updated_node: cst.CSTNodeT) -> Any:
        rule = self.rules.get(type(original_node))
        return updated_node if rule is None else rule(original_node, updated_node)


def rewrite(node: Node, rules: Mapping[type, Rule], skipped: tuple[type, ...] = ()) -> Node:
    """Return a node with each of its parts, inner ones first, replaced by what the rule of its type says.

    Nodes of the types in ``skipped`` are not looked into, but have their own rule applied.
    """
    return cast(Node, node.visit(_Rewriting(rules, skipped)))


def walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield a node and all that it holds, outer ones first, in the order of the text."""
    yield node
    for child in node.children:
        yield from walk(child)


@functools.cache
def formatted(text: str) -> str:
    """Return a text in our layout; one that black cannot read stays."""
    try:
        return black.format_str(text, mode=black.Mode(line_length=100))
    except InvalidInput:
        return text
