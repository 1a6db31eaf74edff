"""Order the kept statements as the imports of the package run them."""

import re
from collections.abc import Collection, Iterable, Sequence

from authoring.reduction.flatten.resolve import Defined, Loader
from authoring.reduction.flatten.version import Version, Versions
from authoring.reduction.sources.chunks import split
from authoring.reduction.sources.index import Module, Unit
from authoring.reduction.sources.roots import SourceFile, module_of, read_source

__all__ = ["align", "import_order", "loaded_by_name"]

_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(.*)|import[ \t]+(.*))$", re.MULTILINE | re.DOTALL
)


def import_order(
    version: Version, units: Collection[Unit], first: Sequence[str], by_name: Sequence[str] = ()
) -> list[Unit]:
    """Return the units in the order in which importing the modules ``first``, one after the other, runs them.

    The modules ``by_name`` stand behind the first module that can load others by name.
    """
    walk = _Walk(version, set(units), by_name)
    for name in first:
        walk.load(name)
    for name in sorted({unit.module for unit in units}):
        walk.load(name)
    return walk.done


def loaded_by_name(version: Version, first: Sequence[str]) -> list[str]:
    """Return the modules that ran although no import statement leads to them from the modules ``first``."""
    walk = _Walk(version, set(), ())
    for name in first:
        walk.load(name)
    executed = version.index.executed
    names = {module_of(file) for file in executed.files()}
    return sorted(name for name in names - walk.reached if version.index.is_module(name))


class _Walk:
    """A run through the imports of a version."""

    def __init__(self, version: Version, kept: set[Unit], by_name: Sequence[str]) -> None:
        self.by_name = tuple(by_name)
        self.version = version
        self.kept = kept
        self.reached: set[str] = set()
        self.done: list[Unit] = []
        self.read = {module.name: module for module in version.index.read()}

    def load(self, name: str) -> None:
        parent = name.rpartition(".")[0]
        if parent:
            self.load(parent)
        if name in self.reached:
            return
        self.reached.add(name)
        module = self.read.get(name)
        if module is not None:
            for unit in module.units:
                for target in _targets(self.version, module, unit):
                    self.load(target)
                if unit in self.kept:
                    self.done.append(unit)
            if self.by_name and self._can_load(module):
                for target in self.by_name:
                    self.load(target)
            return
        source = self.version.index.roots.find(name)
        if isinstance(source, SourceFile):
            for target in self.unread(source):
                self.load(target)

    def _can_load(self, module: Module) -> bool:
        return any(
            isinstance(self.version.resolver.use(module, unit, use).meaning, Loader)
            for unit in module.units
            if unit in self.kept
            for use in unit.scan.uses
        )

    def unread(self, source: SourceFile) -> Iterable[str]:
        """Yield the modules that the executed import statements of a module name that was not read otherwise."""
        at_import, _ = self.version.index.executed.of(source.file)
        if at_import is None:
            return
        for chunk in split(read_source(source.path)):
            for match in _IMPORT.finditer(chunk.text) if "import" in chunk.text else ():
                if chunk.line + chunk.text.count("\n", 0, match.start()) in at_import:
                    yield from _named(source, match)


def _named(source: SourceFile, match: re.Match[str]) -> Iterable[str]:
    if match[4] is not None:
        yield from (part.split()[0] for part in match[4].split("\n")[0].split(",") if part.split())
        return
    dots, module = len(match[1]), match[2]
    base = source.package.split(".")
    prefix = ".".join(base[: len(base) - dots + 1]) if dots else ""
    name = ".".join(part for part in (prefix, module) if part)
    yield name
    listed = match[3].split(")")[0] if "(" in match[3] else match[3].split("\n")[0]
    yield from (f"{name}.{word}" for word in re.findall(r"\w+", listed))


def _targets(version: Version, module: Module, unit: Unit) -> Iterable[str]:
    if unit.kind in ("table", "definition"):
        return
    for item in unit.scan.imports:
        if item.deferred:
            continue
        name = module.absolute(item)
        if version.index.is_module(name):
            yield name
            if item.is_from and version.index.is_module(f"{name}.{item.attribute}"):
                yield f"{name}.{item.attribute}"


def align(versions: Versions, orders: dict[str, list[Unit]]) -> dict[str, list[Unit]]:
    """Give all versions the last version's order as far as what each statement needs at import stands before it."""
    if not orders:
        return orders
    base_name = list(orders)[-1]
    base = _identities(orders[base_name])
    return {
        version.name: _Hoisting(version, versions, orders[version.name]).of(
            _follow(base, orders[version.name])
        )
        for version in versions.all
    }


Identity = tuple[str, tuple[str, ...], str, int]


def _identities(units: Sequence[Unit]) -> list[Identity]:
    """Name each statement by its module and what it binds (else its text), and its rank among equals."""
    seen: dict[tuple[str, tuple[str, ...], str], int] = {}
    found: list[Identity] = []
    for unit in units:
        key = (unit.module, unit.binds, "" if unit.binds else unit.text)
        seen[key] = seen.get(key, 0) + 1
        found.append((*key, seen[key]))
    return found


def _follow(base: list[Identity], own: list[Unit]) -> list[Unit]:
    """Sort by the base order; what the base does not have stays behind its own predecessor."""
    rank = {identity: position for position, identity in enumerate(base)}
    last = -1
    keyed: list[tuple[int, int, Unit]] = []
    for position, (identity, unit) in enumerate(zip(_identities(own), own, strict=True)):
        last = rank.get(identity, last)
        keyed.append((last, position, unit))
    return [unit for _, _, unit in sorted(keyed, key=lambda item: item[:2])]


class _Hoisting:
    """Move up what a statement needs, where it stands below.

    That is what it reads when it runs; and what a function's body reads, where the version itself has it above, since
    the function may be called while modules are imported.
    """

    def __init__(self, version: Version, versions: Versions, own: Sequence[Unit]) -> None:
        self.version = version
        self.versions = versions
        self.rank = {unit: place for place, unit in enumerate(own)}
        self.binders: dict[Defined, list[Unit]] = {}
        self.done: dict[Unit, None] = {}

    def of(self, units: Sequence[Unit]) -> list[Unit]:
        """Return the units in an order in which each finds what it needs."""
        for unit in units:
            for name in unit.binds:
                self.binders.setdefault(Defined(unit.module, name), []).append(unit)
        for unit in units:
            self._place(unit, set())
        return list(self.done)

    def _place(self, unit: Unit, open_units: set[Unit]) -> None:
        if unit in self.done or unit in open_units:
            return
        open_units.add(unit)
        alive = self.versions.alive(self.version, unit)
        for use in unit.scan.uses:
            if use.role != "load" or use.annotation or use.statement not in alive:
                continue
            meaning = self.version.resolver.use(self.version.module(unit), unit, use).meaning
            if isinstance(meaning, Defined):
                for other in self.binders.get(meaning, ()):
                    if self._is_needed(unit, other, deferred=use.deferred):
                        self._place(other, open_units)
        self.done[unit] = None

    def _is_needed(self, unit: Unit, other: Unit, *, deferred: bool) -> bool:
        if deferred:
            return other.module != unit.module and self.rank[other] < self.rank[unit]
        return other.module != unit.module or other.index < unit.index
