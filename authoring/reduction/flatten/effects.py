"""Find the top-level statements that act on what is kept: fill a table, register, patch a class."""

from collections.abc import Collection, Iterator, Mapping

import libcst as cst

from authoring.reduction.flatten.needs import Policy, needs
from authoring.reduction.flatten.resolve import Defined
from authoring.reduction.flatten.version import Version, Versions, ran_in_calls
from authoring.reduction.sources.index import Module, Unit
from authoring.reduction.sources.scan import Use
from authoring.reduction.sources.tree import descendants

__all__ = ["Effects"]

_DEPTH = 3


class Effects:
    """The search in one version for one set of kept names."""

    def __init__(
        self,
        version: Version,
        versions: Versions,
        kept: Collection[Defined],
        attributes: Collection[str],
        policy: Policy,
    ) -> None:
        self.version = version
        self.versions = versions
        self.kept = kept
        self.attributes = attributes
        self.policy = policy

    def find(self, known: Collection[Unit]) -> list[Unit]:
        """Return the statements to keep that are not known yet, in a fixed order."""
        return [
            unit
            for module in self.version.index.read()
            for unit in module.units
            if unit not in known and self._is_kept(module, unit)
        ]

    def _is_kept(self, module: Module, unit: Unit) -> bool:
        if unit.kind in ("import", "table") or any(
            Defined(module.name, name) in self.kept for name in unit.binds
        ):
            return False
        if self.policy.effects == "all":
            return unit.kind == "definition" or not _is_text(unit)
        if unit.kind == "definition" and self.policy.effects == "known":
            return False
        touched = self._touched(module, unit)
        if touched.isdisjoint(self.kept):
            return False
        return self.policy.effects == "kept" or self._all_known(unit)

    def _all_known(self, unit: Unit) -> bool:
        """Tell whether all that a statement needs is kept, is data, or ran during a call."""
        found = needs(self.version, self.versions, unit, {-1}, self.policy)
        return all(name in self.kept or self._is_light(name) for name in found.names)

    def _is_light(self, name: Defined) -> bool:
        module = self.version.index.module(name.module)
        units = module.bindings.get(name.name, ()) if module is not None else ()
        return all(
            unit.kind != "definition" or ran_in_calls(self.version.module(unit), unit) for unit in units
        )

    def _touched(self, module: Module, unit: Unit) -> set[Defined]:
        """Return the names whose objects a statement may change when it runs."""
        return {
            name
            for node in unit.scan.module.body
            for name in self._changed_by(module, unit, node, eager=True, depth=0)
        }

    def _changed_by(
        self, module: Module, unit: Unit, node: cst.CSTNode, eager: bool, depth: int
    ) -> Iterator[Defined]:
        meanings: dict[cst.CSTNode, Use] = {use.node: use for use in unit.scan.uses if use.deferred != eager}
        for item in _eager_parts(node) if eager else descendants(node):
            if isinstance(item, _TARGETS):
                yield from self._target(module, unit, item, meanings)
            elif isinstance(item, cst.Call):
                yield from self._call(module, unit, item, meanings, depth)
            elif isinstance(item, cst.Decorator) and isinstance(item.decorator, cst.Name | cst.Attribute):
                yield from self._callee(module, unit, item.decorator, meanings, depth)

    def _target(
        self, module: Module, unit: Unit, node: cst.CSTNode, meanings: Mapping[cst.CSTNode, Use]
    ) -> Iterator[Defined]:
        for root in _roots(getattr(node, "target", None)):
            use = meanings.get(root)
            if use is None:
                continue
            meaning = self.version.resolver.use(module, unit, use)
            attribute = use.chain[meaning.consumed].attr.value if len(use.chain) > meaning.consumed else ""
            if isinstance(node, cst.Del) and isinstance(node.target, cst.Name):
                continue
            if isinstance(meaning.meaning, Defined) and (not attribute or attribute in self.attributes):
                yield meaning.meaning

    def _call(
        self, module: Module, unit: Unit, node: cst.Call, meanings: Mapping[cst.CSTNode, Use], depth: int
    ) -> Iterator[Defined]:
        yield from self._callee(module, unit, node.func, meanings, depth)
        for argument in node.args:
            if isinstance(argument.value, cst.Name) and argument.value in meanings:
                yield from self._meaning(module, unit, meanings[argument.value])

    def _callee(
        self, module: Module, unit: Unit, node: cst.CSTNode, meanings: Mapping[cst.CSTNode, Use], depth: int
    ) -> Iterator[Defined]:
        root = node
        while isinstance(root, cst.Attribute | cst.Subscript | cst.Call):
            root = root.func if isinstance(root, cst.Call) else root.value
        use = meanings.get(root) if isinstance(root, cst.Name) else None
        if use is None:
            return
        target = self.version.resolver.use(module, unit, use)
        if not isinstance(target.meaning, Defined):
            return
        if len(use.chain) > target.consumed:
            yield target.meaning
        elif depth < _DEPTH:
            yield from self._body(target.meaning, depth + 1)

    def _body(self, name: Defined, depth: int) -> Iterator[Defined]:
        module = self.version.index.module(name.module)
        for unit in module.bindings.get(name.name, ()) if module is not None else ():
            if unit.kind == "definition" and module is not None:
                yield from self._changed_by(module, unit, unit.scan.module.body[0], eager=False, depth=depth)

    def _meaning(self, module: Module, unit: Unit, use: Use) -> Iterator[Defined]:
        meaning = self.version.resolver.use(module, unit, use).meaning
        if isinstance(meaning, Defined):
            yield meaning


_TARGETS = (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Del, cst.For)


def _eager_parts(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield the parts of a statement that run when it runs: not the bodies of functions."""
    yield node
    if isinstance(node, cst.FunctionDef):
        for decorator in node.decorators:
            yield from descendants(decorator)
    elif not isinstance(node, cst.Lambda):
        for child in node.children:
            yield from _eager_parts(child)


def _roots(node: object) -> Iterator[cst.Name]:
    """Yield the names at the roots of the attributes and items that a target stores into."""
    if isinstance(node, cst.Tuple | cst.List):
        for element in node.elements:
            yield from _roots(element.value)
    elif isinstance(node, cst.Attribute | cst.Subscript):
        root: cst.CSTNode = node
        while isinstance(root, cst.Attribute | cst.Subscript | cst.Call):
            root = root.func if isinstance(root, cst.Call) else root.value
        if isinstance(root, cst.Name):
            yield root
    elif isinstance(node, cst.Name):
        yield node


def _is_text(unit: Unit) -> bool:
    body = unit.scan.module.body
    line = body[0] if body else None
    return (
        isinstance(line, cst.SimpleStatementLine)
        and isinstance(line.body[0], cst.Expr)
        and isinstance(line.body[0].value, cst.SimpleString | cst.ConcatenatedString)
    )
