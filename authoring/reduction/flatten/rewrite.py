"""Write one kept statement under the flat program's names, without comments, docstrings and what was pruned."""

from collections.abc import Mapping
from typing import Any

import libcst as cst

from authoring.reduction.flatten.names import Named
from authoring.reduction.flatten.plan import Plan
from authoring.reduction.flatten.resolve import (
    Builtin,
    Defined,
    External,
    Special,
    Target,
    Unbound,
)
from authoring.reduction.sources.scan import ImportName, Scope, Use
from authoring.reduction.sources.tree import children, rebuild

__all__ = ["Written", "rewrite"]


Written = dict[object, str]
"""Texts of statements by what decides on them, shared by the versions."""


def rewrite(plan: Plan, names: Mapping[Named, str], written: Written) -> str:
    """Return the statement's text; empty where nothing of it stays."""
    writer = _Writer(plan, names)
    key = writer.key()
    if key not in written:
        written[key] = writer.text()
    return written[key]


class _Writer:
    """The two hooks of :func:`rebuild` for one plan."""

    def __init__(self, plan: Plan, names: Mapping[Named, str]) -> None:
        self.plan = plan
        self.names = names
        self.replaced: dict[cst.CSTNode, cst.CSTNode] = {}
        self.declared: dict[cst.CSTNode, set[str]] = {}
        for use, target in plan.uses:
            self._replace(use, target)
        self.removed = {id(node) for node in plan.removed}
        self.places = {id(node) for node in self.replaced}
        self.imports: dict[cst.CSTNode, list[ImportName]] = {}
        for item in plan.unit.scan.imports:
            self.imports.setdefault(item.node, []).append(item)
        self.kept_declarations = {use.node for use, _ in plan.uses if use.role == "declare"}

    def _replace(self, use: Use, target: Target) -> None:
        meaning = target.meaning
        place: cst.CSTNode = use.chain[target.consumed - 1] if target.consumed else use.node
        if isinstance(meaning, Special):
            self.replaced[place] = _constant(self.plan, meaning)
        elif isinstance(meaning, Builtin):
            if target.consumed or meaning.name != use.name:
                self.replaced[place] = cst.Name(meaning.name)
        elif not isinstance(meaning, Unbound) and meaning in self.names:
            name = self.names[meaning]
            if not target.consumed and name == use.name:
                return
            self.replaced[place] = cst.Name(name)
            if (
                target.consumed == len(use.chain)
                and use.chain_role in ("store", "delete")
                and target.consumed
            ):
                self._declare(use.scope, name)

    def _declare(self, scope: Scope, name: str) -> None:
        """Declare a module attribute that a function writes as the global that it has become."""
        holder: Scope | None = scope
        while holder is not None and holder.kind == "comprehension":
            holder = holder.parent
        if holder is not None and holder.kind == "function" and holder.node is not None:
            self.declared.setdefault(holder.node, set()).add(name)

    def key(self) -> object:
        """Return what decides on the text."""
        imports = tuple(
            (item.node, self._meaning(item), self._is_variable(item), self._bound(item))
            for item in self.plan.unit.scan.imports
        )
        return (
            self.plan.unit.scan.module,
            self.plan.removed,
            self.plan.stubs,
            self.plan.acting,
            self.plan.texts,
            self.plan.unit.module if self.plan.origins else "",
            self.plan.plain,
            self._former_self(),
            frozenset((node, _code(new)) for node, new in self.replaced.items()),
            frozenset(self.kept_declarations),
            imports,
        )

    def text(self) -> str:
        """Write the statement."""
        body: list[Any] = []
        for node in self.plan.unit.scan.module.body:
            new = rebuild(node, self.change, self.settle)
            body.extend(new if isinstance(new, list) else [new])
        return cst.Module(body=body).code + self._former_self() if body else ""

    def _former_self(self) -> str:
        """Return the statements that give a definition its old name and module back where these are read."""
        unit = self.plan.unit
        node = unit.scan.module.body[0] if unit.kind == "definition" else None
        is_class = isinstance(node, cst.ClassDef)
        if node is None or not (is_class or not getattr(node, "decorators", ())):
            return ""
        name = unit.binds[0]
        flat = self.names.get(Defined(unit.module, name), name)
        text = f"{flat}.__module__ = {unit.module!r}\n" if is_class and self.plan.origins else ""
        if flat != name and self.plan.names_matter:
            text += f"{flat}.__name__ = {flat}.__qualname__ = {name!r}\n"
        return text

    # -- before the children ------------------------------------------------------------------------------------

    def change(self, node: cst.CSTNode) -> Any:
        if id(node) in self.removed:
            return []
        if id(node) in self.places:
            return self._in_brackets(node, self.replaced[node])
        if type(node) not in _CHANGED_KINDS:
            return None
        if isinstance(node, cst.Import | cst.ImportFrom):
            return self._import(node)
        if isinstance(node, cst.Annotation) and node in self.plan.plain:
            return cst.Annotation(cst.Name("object"))
        if isinstance(node, cst.Else | cst.Finally) and self._is_emptied(node.body):
            return []
        if isinstance(node, cst.Expr) and not self.plan.texts and _is_text(node.value):
            return []
        return _layout(node)

    def _in_brackets(self, node: cst.CSTNode, new: cst.CSTNode) -> cst.CSTNode:
        return (
            new.with_changes(lpar=node.lpar, rpar=node.rpar)
            if isinstance(node, cst.Name | cst.Attribute)
            else new
        )

    def _is_emptied(self, block: cst.BaseSuite) -> bool:
        return isinstance(block, cst.IndentedBlock) and all(item in self.plan.removed for item in block.body)

    def _import(self, node: cst.Import | cst.ImportFrom) -> Any:
        items = self.imports.get(node, [])
        statements: list[cst.BaseSmallStatement] = []
        outside: list[ImportName] = []
        for item in items:
            meaning = self._meaning(item)
            if isinstance(meaning, External):
                outside.append(item)
            elif meaning in self.names and self._is_variable(item):
                statements.append(_assign(self._bound(item), self.names[meaning]))
        if len(outside) == len(items) and not self._is_renamed(items):
            return _layout_only(node)
        for item in outside:
            if item.scope.kind != "module" or self._is_variable(item):
                statements.append(_single_import(node, item, self._bound(item)))
        return statements

    def _meaning(self, item: ImportName) -> Any:
        version = self.plan.version
        if item.name == "*":
            name = version.module(self.plan.unit).absolute(item)
            return None if version.index.is_module(name) else External(name, "*", "*")
        return version.resolver.imported(version.module(self.plan.unit), item)

    def _is_variable(self, item: ImportName) -> bool:
        """Tell whether the bound name is also assigned, so that the import is one assignment of several."""
        if item.scope.kind == "module" or item.name in item.scope.declared_global:
            return item.name in self.plan.version.module(self.plan.unit).bindings
        return item.name in item.scope.assigned or item.scope.kind == "class"

    def _bound(self, item: ImportName) -> str:
        if item.scope.kind == "module":
            return self.names.get(Defined(self.plan.unit.module, item.name), item.name)
        return item.name

    def _is_renamed(self, items: list[ImportName]) -> bool:
        return any(item.scope.kind == "module" for item in items)

    # -- after the children -------------------------------------------------------------------------------------

    def settle(self, original: cst.CSTNode, node: cst.CSTNode) -> Any:
        if type(node) not in _SETTLED_KINDS:
            return node
        if isinstance(node, cst.SimpleStatementLine):
            return node if node.body else []
        if isinstance(node, cst.SimpleStatementSuite):
            return node if node.body else cst.SimpleStatementSuite([cst.Pass()])
        if isinstance(node, cst.IndentedBlock):
            return node if node.body else node.with_changes(body=[_filler(original)])
        if isinstance(node, cst.FunctionDef) and isinstance(original, cst.FunctionDef):
            return self._function(original, node)
        if isinstance(node, cst.Param) and not self._stays(original, "annotation"):
            return node.with_changes(annotation=None)
        if isinstance(node, cst.AnnAssign) and not self._stays(original, "annotation"):
            return [] if node.value is None else cst.Assign([cst.AssignTarget(node.target)], node.value)
        if isinstance(node, cst.Try):
            return _try(node)
        if isinstance(node, cst.Global):
            return self._global(original, node)
        if isinstance(node, cst.Match) and not node.cases:
            return []
        if isinstance(node, cst.ConcatenatedString):
            return _joined(node)
        return node

    def _stays(self, original: cst.CSTNode, name: str) -> bool:
        """Tell whether a node has no annotation of that name, or one that acts."""
        annotation = getattr(original, name)
        return annotation is None or annotation in self.plan.acting

    def _function(self, original: cst.FunctionDef, node: cst.FunctionDef) -> cst.FunctionDef:
        if not self._stays(original, "returns"):
            node = node.with_changes(returns=None)
        if original in self.plan.stubs:
            name = cst.Arg(cst.SimpleString(repr(original.name.value)))
            error = cst.Call(cst.Name("NotImplementedError"), [name])
            return node.with_changes(body=cst.IndentedBlock([_line(cst.Raise(error))]))
        if _yields(original.body) and not _yields(node.body):
            node = _still_a_generator(node)
        declared = sorted(self.declared.get(original, ()))
        if declared and isinstance(node.body, cst.IndentedBlock):
            line = _line(cst.Global([cst.NameItem(cst.Name(name)) for name in declared]))
            node = node.with_changes(body=node.body.with_changes(body=[line, *node.body.body]))
        return node

    def _global(self, original: cst.CSTNode, node: cst.Global) -> Any:
        assert isinstance(original, cst.Global)
        pairs = zip(original.names, node.names, strict=True)
        items = [new for old, new in pairs if old.name in self.kept_declarations]
        if not items:
            return []
        items[-1] = items[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        return node.with_changes(names=items)


_CHANGED_KINDS = {
    cst.Annotation,
    cst.Else,
    cst.EmptyLine,
    cst.Expr,
    cst.Finally,
    cst.Import,
    cst.ImportFrom,
    cst.ParenthesizedWhitespace,
    cst.SimpleWhitespace,
    cst.TrailingWhitespace,
}
_SETTLED_KINDS = {
    cst.AnnAssign,
    cst.ConcatenatedString,
    cst.FunctionDef,
    cst.Global,
    cst.IndentedBlock,
    cst.Match,
    cst.Param,
    cst.SimpleStatementLine,
    cst.SimpleStatementSuite,
    cst.Try,
}


def _try(node: cst.Try) -> Any:
    if node.handlers:
        return node
    parts = [node.body, *([node.orelse.body] if node.orelse is not None else [])]
    items = [item for part in parts for item in _items(part)]
    if node.finalbody is None:
        return items
    return node.with_changes(body=cst.IndentedBlock(items), orelse=None)


def _joined(node: cst.ConcatenatedString) -> cst.BaseExpression:
    """Write two neighbouring literals as one where they are of one kind."""
    left, right = node.left, node.right
    if not (isinstance(left, cst.SimpleString) and isinstance(right, cst.SimpleString)):
        return node
    if left.prefix != right.prefix or left.quote != right.quote or len(left.quote) == 3:
        return node
    value = f"{left.prefix}{left.quote}{left.raw_value}{right.raw_value}{right.quote}"
    return cst.SimpleString(value, lpar=node.lpar, rpar=node.rpar)


def _yields(node: cst.CSTNode) -> bool:
    """Tell whether a body makes its function a generator."""
    if isinstance(node, cst.Yield):
        return True
    inner = isinstance(node, cst.FunctionDef | cst.Lambda | cst.ClassDef)
    return not inner and any(_yields(child) for child in children(node))


def _filler(block: cst.CSTNode) -> cst.SimpleStatementLine:
    """Return what stands in a block that was emptied: a generator stays one."""
    return _line(cst.Expr(cst.Yield()) if _yields(block) else cst.Pass())


def _still_a_generator(node: cst.FunctionDef) -> cst.FunctionDef:
    never = cst.If(cst.Name("False"), cst.IndentedBlock([_line(cst.Expr(cst.Yield()))]))
    return node.with_changes(body=cst.IndentedBlock([never, *_items(node.body)]))


def _code(node: cst.CSTNode) -> str:
    return node.value if isinstance(node, cst.Name) else cst.Module([]).code_for_node(node)


def _items(block: cst.BaseSuite) -> list[Any]:
    if isinstance(block, cst.SimpleStatementSuite):
        return [cst.SimpleStatementLine(block.body)]
    return list(block.body)


def _line(statement: cst.BaseSmallStatement) -> cst.SimpleStatementLine:
    return cst.SimpleStatementLine([statement])


def _assign(name: str, value: str) -> cst.Assign:
    return cst.Assign([cst.AssignTarget(cst.Name(name))], cst.Name(value))


def _single_import(node: cst.Import | cst.ImportFrom, item: ImportName, name: str) -> cst.BaseSmallStatement:
    if item.alias is None:
        return node
    alias = item.alias.with_changes(comma=cst.MaybeSentinel.DEFAULT)
    if name != item.name:
        alias = alias.with_changes(asname=cst.AsName(cst.Name(name)))
    if isinstance(node, cst.Import):
        return cst.Import([alias])
    return node.with_changes(names=[alias], lpar=None, rpar=None)


def _layout_only(node: cst.CSTNode) -> cst.CSTNode:
    made = rebuild(node, _layout, lambda _, new: new)
    return made if isinstance(made, cst.CSTNode) else node


def _layout(node: cst.CSTNode) -> Any:
    """Drop comments, blank lines and line breaks inside a statement."""
    if isinstance(node, cst.EmptyLine):
        return []
    if isinstance(node, cst.TrailingWhitespace):
        return cst.TrailingWhitespace()
    if isinstance(node, cst.ParenthesizedWhitespace):
        return cst.SimpleWhitespace(" ")
    if isinstance(node, cst.SimpleWhitespace) and "\n" in node.value:
        return cst.SimpleWhitespace(" ")
    return None


def _is_text(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.SimpleString | cst.ConcatenatedString)


def _constant(plan: Plan, meaning: Special) -> cst.BaseExpression:
    source = plan.version.index.roots.find(meaning.module)
    package = getattr(source, "package", meaning.module)
    file = getattr(source, "file", "")
    if meaning.name == "__name__":
        return cst.SimpleString(repr(meaning.module))
    if meaning.name == "__package__":
        return cst.SimpleString(repr(package))
    if meaning.name == "__file__":
        return cst.SimpleString(repr("/" + file))
    if meaning.name == "__path__":
        return cst.List([cst.Element(cst.SimpleString(repr("/" + file.rpartition("/")[0])))])
    return cst.Name("None")
