"""Rewrite what a reproducer reads of the package to names of ``program``."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import libcst as cst
from libcst.metadata import ImportAssignment, MetadataWrapper, Scope, ScopeProvider

from authoring.scenario.lifting.syntax import bound_name, callee, code, dotted, rewrite, single, walk

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
    return is_module(name.partition(".")[0])


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
    return _renamed(module, fresh, _own_functions(module))


def _all_names(module: cst.Module) -> set[str]:
    return {node.value for node in walk(module) if isinstance(node, cst.Name)}


def _own_functions(module: cst.Module) -> frozenset[str]:
    definitions = (cst.FunctionDef, cst.ClassDef)
    return frozenset(node.name.value for node in walk(module) if isinstance(node, definitions))


def _renamed(module: cst.Module, names: Mapping[str, str], functions: frozenset[str]) -> cst.Module:
    def name(old: cst.Name, new: cst.Name) -> cst.Name:
        return new.with_changes(value=names.get(old.value, old.value))

    def call(old: cst.Call, new: cst.Call) -> cst.Call:
        if dotted(old.func) in functions:
            return new
        pairs = zip(new.args, old.args, strict=True)
        return new.with_changes(args=[arg.with_changes(keyword=was.keyword) for arg, was in pairs])

    def alias(old: cst.ImportAlias, new: cst.ImportAlias) -> cst.ImportAlias:
        bound = bound_name(old)
        if old.asname is None and bound in names and "." not in (dotted(old.name) or ""):
            return new.with_changes(name=old.name, asname=cst.AsName(name=cst.Name(names[bound])))
        return new.with_changes(name=old.name)

    return rewrite(
        module,
        {
            cst.Name: name,
            cst.Attribute: lambda old, new: new.with_changes(attr=old.attr),
            cst.Call: call,
            cst.ImportAlias: alias,
            cst.ImportFrom: lambda old, new: new.with_changes(module=old.module),
        },
    )


def explicit_stars(
    module: cst.Module, unbound: set[str], is_module: IsModule, holds: Callable[[str, str], bool | None]
) -> cst.Module:
    """Return a module whose ``from x import *`` names what it takes: those of ``unbound`` that ``x`` has.

    ``holds(module, name)`` says whether a module has a name, or None where that is not known: then the first
    module of the package that is imported so is taken to have it.
    """
    left = set(unbound)

    def explicit(_: cst.ImportFrom, new: cst.ImportFrom) -> Any:
        if not isinstance(new.names, cst.ImportStar) or new.module is None:
            return new
        source = dotted(new.module) or ""
        known = {name: holds(source, name) for name in sorted(left)}
        is_own = is_package_name(source, is_module)
        taken = [name for name, has in known.items() if has or (has is None and is_own)]
        left.difference_update(taken)
        if not taken:
            return cst.RemoveFromParent()
        return new.with_changes(names=[cst.ImportAlias(name=cst.Name(name)) for name in taken])

    return rewrite(module, {cst.ImportFrom: explicit})


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

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Look into everything but imports and chains of names, which are replaced whole."""
        if isinstance(node, cst.Import | cst.ImportFrom):
            return False
        if isinstance(node, cst.Name | cst.Attribute):
            made = self._reference(node)
            if made is not None:
                self.chains[node] = made.with_changes(lpar=node.lpar, rpar=node.rpar)
            return made is None and dotted(node) is None
        return True

    def on_leave(self, original_node: cst.CSTNodeT, updated_node: cst.CSTNodeT) -> Any:
        """Put references, and what is left of imports, in their places."""
        if original_node in self.chains:
            return self.chains[original_node]
        if isinstance(original_node, cst.Attribute):
            return updated_node.with_changes(attr=original_node.attr)
        if isinstance(original_node, cst.Arg):
            return updated_node.with_changes(keyword=original_node.keyword)
        if isinstance(original_node, cst.Call):
            return self._by_text(original_node, updated_node)
        if isinstance(original_node, cst.SimpleStatementLine):
            return self._line(original_node, updated_node)
        return updated_node

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

    def _by_text(self, original_node: cst.Call, updated_node: Any) -> Any:
        """Return a call that names something of the package by a text, made to name it by a reference.

        ``patch("pkg.sub.name", …)`` becomes ``patch.object(program.sub, "name", …)``, and
        ``import_module("pkg.sub")`` becomes ``program.sub``, and ``resolve_name("pkg.sub.name")`` ``program.name``.
        """
        last = callee(original_node).rpartition(".")[2]
        first = original_node.args[0].value if original_node.args else None
        text = first.evaluated_value if isinstance(first, cst.SimpleString) else None
        if not isinstance(text, str) or not is_package_name(text, self.is_module):
            return updated_node
        if last in ("import_module", "__import__") and len(original_node.args) == 1 and self.is_module(text):
            return self._program(text.split("."))
        if last == "resolve_name" and len(original_node.args) == 1 and ":" not in text:
            return self._program(text.split("."))
        owner, _, name = text.rpartition(".")
        if last != "patch" or not owner:
            return updated_node
        target = cst.Arg(self._program(owner.split(".")))
        rest = [target, cst.Arg(cst.SimpleString(f'"{name}"')), *updated_node.args[1:]]
        func = cst.Attribute(value=updated_node.func, attr=cst.Name("object"))
        return updated_node.with_changes(func=func, args=rest)

    def _line(self, original_node: cst.SimpleStatementLine, updated_node: Any) -> Any:
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
