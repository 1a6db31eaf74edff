"""Find the top-level statements that act on what is kept: fill a table, register, patch a class."""

from collections.abc import Collection, Iterator

import libcst as cst

from authoring.reduction.flatten.needs import Policy, needs
from authoring.reduction.flatten.resolve import Defined
from authoring.reduction.flatten.stand_ins import is_stand_in_module
from authoring.reduction.flatten.version import Summary, Version, Versions, ran_in_calls
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
        if is_stand_in_module(module.name):
            return False
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
        """Return the names whose objects a statement may change when it runs, through what it calls too."""
        found: set[Defined] = set()
        reached: set[Defined] = set()
        waiting = [(self._summary(module, unit, eager=True), 0)]
        while waiting:
            summary, depth = waiting.pop()
            found.update(
                name for name, attribute in summary.changed if not attribute or attribute in self.attributes
            )
            for name in sorted(summary.called - reached) if depth < _DEPTH else ():
                reached.add(name)
                waiting.extend((body, depth + 1) for body in self._bodies(name))
        return found

    def _bodies(self, name: Defined) -> Iterator[Summary]:
        module = self.version.index.module(name.module)
        for unit in module.bindings.get(name.name, ()) if module is not None else ():
            if unit.kind == "definition" and module is not None:
                yield self._summary(module, unit, eager=False)

    def _summary(self, module: Module, unit: Unit, eager: bool) -> Summary:
        known = self.version.summaries.get((unit, eager))
        if known is None:
            known = _Reader(self.version, module, unit, eager).summary()
            self.version.summaries[unit, eager] = known
        return known


class _Reader:
    """Reads from one statement what it changes and calls, when it runs or (not ``eager``) in its functions."""

    def __init__(self, version: Version, module: Module, unit: Unit, eager: bool) -> None:
        self.version = version
        self.module = module
        self.unit = unit
        self.eager = eager
        self.uses: dict[cst.CSTNode, Use] = {use.node: use for use in unit.scan.uses if use.deferred != eager}
        self.changed: set[tuple[Defined, str]] = set()
        self.called: set[Defined] = set()

    def summary(self) -> Summary:
        if self.uses:
            for node in self.unit.scan.module.body:
                for item in _eager_parts(node) if self.eager else descendants(node):
                    self.read(item)
        return Summary(frozenset(self.changed), frozenset(self.called))

    def read(self, node: cst.CSTNode) -> None:
        if type(node) in _TARGETS:
            self.target(node)
        elif isinstance(node, cst.Call):
            self.callee(node.func)
            for argument in node.args:
                if isinstance(argument.value, cst.Name):
                    self.changes(argument.value, by_name=True)
        elif isinstance(node, cst.Decorator):
            self.callee(node.decorator)

    def target(self, node: cst.CSTNode) -> None:
        target = getattr(node, "target", None)
        if isinstance(node, cst.Del) and isinstance(target, cst.Name):
            return
        for root in _roots(target):
            self.changes(root, by_name=False)

    def changes(self, root: cst.Name, by_name: bool) -> None:
        use = self.uses.get(root)
        if use is None:
            return
        found = self.version.resolver.use(self.module, self.unit, use)
        attribute = use.chain[found.consumed].attr.value if len(use.chain) > found.consumed else ""
        if isinstance(found.meaning, Defined):
            self.changed.add((found.meaning, "" if by_name else attribute))

    def callee(self, node: cst.CSTNode) -> None:
        root = node
        while isinstance(root, cst.Attribute | cst.Subscript | cst.Call):
            root = root.func if isinstance(root, cst.Call) else root.value
        use = self.uses.get(root)
        found = self.version.resolver.use(self.module, self.unit, use) if use is not None else None
        if use is None or found is None or not isinstance(found.meaning, Defined):
            return
        if len(use.chain) > found.consumed:
            self.changed.add((found.meaning, ""))
        else:
            self.called.add(found.meaning)


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
