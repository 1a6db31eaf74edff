"""Rewrite what a reproducer reads of the package to names of ``program``."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import libcst as cst
from libcst.metadata import ImportAssignment, MetadataWrapper, Scope, ScopeProvider

from authoring.scenario.lifting.syntax import bound_name, code, dotted, single

__all__ = ["RESERVED", "Names", "explicit_stars", "is_package_name", "rewritten", "unreserved"]

RESERVED = ("program", "p", "seen")
_PREFERRED = {"p": "each", "seen": "noted", "program": "programme"}

IsModule = Callable[[str], bool]


@dataclass(slots=True)
class Names:
    """The canonical names given so far: ``(module, first name)`` to the name read from ``program``."""

    given: dict[tuple[str, str], str] = field(default_factory=dict)

    def canonical(self, module: str, name: str) -> str:
        """Return the canonical name of a module's name, giving a new one on first sight."""
        key = (module, name)
        if key not in self.given:
            taken = set(self.given.values())
            last = module.rpartition(".")[2]
            wanted = [name or last, f"{last}_{name}", f"{module.replace('.', '_')}_{name}"]
            wanted += [f"{wanted[-1]}_{number}" for number in range(2, 100)]
            self.given[key] = next(each for each in wanted if each not in taken)
        return self.given[key]

    def original(self, canonical: str) -> str | None:
        """Return ``module:name`` for a canonical name."""
        for (module, name), given in self.given.items():
            if given == canonical:
                return f"{module}:{name}"
        return None


def is_package_name(name: str, is_module: IsModule) -> bool:
    """Return whether a dotted name begins with a module of the tree."""
    return is_module(name.split(".")[0])


def unreserved(module: cst.Module) -> cst.Module:
    """Return a module whose own variables have none of the reserved names."""
    used = _all_names(module)
    clashes = [name for name in RESERVED if name in used]
    if not clashes:
        return module
    fresh: dict[str, str] = {}
    for name in clashes:
        wanted = [_PREFERRED[name], *(f"{name}_{number}" for number in range(2, 100))]
        fresh[name] = next(each for each in wanted if each not in used and each not in fresh.values())
    return module.visit(_RenameVariables(fresh, _own_functions(module)))


def _all_names(module: cst.Module) -> set[str]:
    found: set[str] = set()

    class Collect(cst.CSTVisitor):
        def visit_Name(self, node: cst.Name) -> None:
            found.add(node.value)

    module.visit(Collect())
    return found


def _own_functions(module: cst.Module) -> frozenset[str]:
    found: set[str] = set()

    class Collect(cst.CSTVisitor):
        def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
            found.add(node.name.value)

        def visit_ClassDef(self, node: cst.ClassDef) -> None:
            found.add(node.name.value)

    module.visit(Collect())
    return frozenset(found)


class _RenameVariables(cst.CSTTransformer):
    def __init__(self, names: Mapping[str, str], functions: frozenset[str]) -> None:
        super().__init__()
        self.names = names
        self.functions = functions

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:
        return updated_node.with_changes(value=self.names.get(original_node.value, original_node.value))

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.Attribute:
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        if dotted(original_node.func) in self.functions:
            return updated_node
        pairs = zip(updated_node.args, original_node.args, strict=True)
        return updated_node.with_changes(args=[arg.with_changes(keyword=old.keyword) for arg, old in pairs])

    def leave_ImportAlias(
        self, original_node: cst.ImportAlias, updated_node: cst.ImportAlias
    ) -> cst.ImportAlias:
        bound = bound_name(original_node)
        if original_node.asname is not None:
            return updated_node.with_changes(name=original_node.name)
        if bound in self.names and "." not in (dotted(original_node.name) or ""):
            asname = cst.AsName(name=cst.Name(self.names[bound]))
            return updated_node.with_changes(name=original_node.name, asname=asname)
        return updated_node.with_changes(name=original_node.name)

    def leave_ImportFrom(self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom) -> cst.ImportFrom:
        return updated_node.with_changes(module=original_node.module)


def explicit_stars(
    module: cst.Module, unbound: set[str], is_module: IsModule, holds: Callable[[str, str], bool | None]
) -> cst.Module:
    """Return a module whose ``from x import *`` names what it takes: those of ``unbound`` that ``x`` has.

    ``holds(module, name)`` says whether a module has a name, or None where that is not known: then the first
    module of the package that is imported so is taken to have it.
    """
    left = set(unbound)

    class Explicit(cst.CSTTransformer):
        def leave_ImportFrom(
            self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom
        ) -> cst.ImportFrom | cst.RemovalSentinel:
            if not isinstance(original_node.names, cst.ImportStar) or original_node.module is None:
                return updated_node
            source = dotted(original_node.module) or ""
            known = {name: holds(source, name) for name in sorted(left)}
            taken = [
                name
                for name, has in known.items()
                if has or (has is None and is_package_name(source, is_module))
            ]
            left.difference_update(taken)
            if not taken:
                return cst.RemoveFromParent()
            return updated_node.with_changes(names=[cst.ImportAlias(name=cst.Name(name)) for name in taken])

    return module.visit(Explicit())


def rewritten(module: cst.Module, is_module: IsModule, names: Names) -> cst.Module:
    """Return a module without imports of the package, its references made to ``program.NAME``."""
    wrapper = MetadataWrapper(module, unsafe_skip_copy=False)
    scopes = wrapper.resolve(ScopeProvider)
    rewriter = _Rewrite(scopes, is_module, names)
    return wrapper.module.visit(rewriter)


class _Rewrite(cst.CSTTransformer):
    def __init__(
        self, scopes: "Mapping[cst.CSTNode, Scope | None]", is_module: IsModule, names: Names
    ) -> None:
        super().__init__()
        self.scopes = scopes
        self.is_module = is_module
        self.names = names
        self.chains: dict[cst.CSTNode, cst.BaseExpression] = {}

    def visit_Import(self, node: cst.Import) -> bool:
        return False

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:
        return False

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        made = self._reference(node)
        if made is not None:
            self.chains[node] = made
        return made is None and dotted(node) is None

    def visit_Attribute_attr(self, node: cst.Attribute) -> None:
        """Attribute names are no variables."""

    def leave_Attribute(
        self, original_node: cst.Attribute, updated_node: cst.Attribute
    ) -> cst.BaseExpression:
        if original_node in self.chains:
            return self.chains[original_node].with_changes(lpar=original_node.lpar, rpar=original_node.rpar)
        return updated_node.with_changes(attr=original_node.attr)

    def visit_Arg(self, node: cst.Arg) -> None:
        """Keywords are restored when the argument is left."""

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return updated_node.with_changes(keyword=original_node.keyword)

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        made = self._reference(original_node)
        if made is None:
            return updated_node
        return made.with_changes(lpar=original_node.lpar, rpar=original_node.rpar)

    def _reference(self, node: cst.Name | cst.Attribute) -> cst.BaseExpression | None:
        whole = dotted(node)
        if whole is None:
            return None
        root: cst.CSTNode = node
        while isinstance(root, cst.Attribute):
            root = root.value
        scope = self.scopes.get(root)
        head = whole.split(".")[0]
        if scope is None or not list(scope[head]):
            return None
        if not all(isinstance(each, ImportAssignment) for each in scope[head]):
            return None
        full = sorted(found.name for found in scope.get_qualified_names_for(whole))
        if not full or not is_package_name(full[0], self.is_module):
            return None
        return self._program(full[0].split("."))

    def _program(self, parts: list[str]) -> cst.BaseExpression:
        length = max(at for at in range(1, len(parts) + 1) if self.is_module(".".join(parts[:at])))
        if length == len(parts):
            # a module itself, or what its parent holds under the module's name: the parent's attribute is both
            length = max(length - 1, 1)
        module, rest = ".".join(parts[:length]), parts[length:]
        name = self.names.canonical(module, rest[0] if rest else "")
        return cst.parse_expression(".".join(["program", name, *rest[1:]]))

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.RemovalSentinel:
        small = single(original_node)
        if isinstance(small, cst.ImportFrom):
            source = dotted(small.module) if small.module is not None else None
            if source is not None and not small.relative and is_package_name(source, self.is_module):
                return cst.RemoveFromParent()
        if isinstance(small, cst.Import):
            kept = [alias for alias in small.names if not self._is_own(alias)]
            if not kept:
                return cst.RemoveFromParent()
            if len(kept) < len(small.names):
                bare = [alias.with_changes(comma=cst.MaybeSentinel.DEFAULT) for alias in kept]
                return updated_node.with_changes(body=[small.with_changes(names=bare)])
        return updated_node

    def _is_own(self, alias: cst.ImportAlias) -> bool:
        return is_package_name(dotted(alias.name) or code(alias.name), self.is_module)
