"""Grow the kept definitions from the bindings until nothing kept misses anything, in all versions at once.

What is kept in one version is kept in every version that has it, so that the versions' texts stay in step.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import libcst as cst

from authoring.reduction.flatten.effects import Effects
from authoring.reduction.flatten.needs import Needs, Policy, has_living_body, initial_members, needs
from authoring.reduction.flatten.order import loaded_by_name
from authoring.reduction.flatten.resolve import Builtin, Defined, External
from authoring.reduction.flatten.version import Version, Versions, ran_in_calls
from authoring.reduction.sources.index import Unit
from authoring.reduction.sources.members import Member, members
from authoring.reduction.sources.roots import module_of
from authoring.reduction.sources.scan import Scope, Use

__all__ = ["Growth", "Kept"]


@dataclass(slots=True)
class Kept:
    """What is kept, over all versions."""

    names: set[Defined] = field(default_factory=set)
    members: set[tuple[Defined, str]] = field(default_factory=set)
    """Class members by class and name."""
    modules: set[str] = field(default_factory=set)
    """Modules that are used as objects."""
    attributes: set[str] = field(default_factory=set)
    """Attribute names that living code reads."""
    texts: set[str] = field(default_factory=set)
    """Literal texts of living code that may name something."""
    reading: set[str] = field(default_factory=set)
    """Modules whose living code reads data files."""
    loads: bool = False
    """Whether living code loads modules by names that are known only when it runs."""
    effects: dict[str, set[Unit]] = field(default_factory=dict)
    """Statements that are kept for what they do, by version."""


class Growth:
    """The work list of one growth."""

    def __init__(self, versions: Versions, policy: Policy, first: Sequence[str]) -> None:
        self.first = tuple(first)
        self.versions = versions
        self.written: dict[object, str] = {}
        """Texts of statements by what decides on them."""
        self.policy = policy
        self.kept = Kept(effects={version.name: set() for version in versions.all})
        self._done: dict[tuple[str, Unit], frozenset[int]] = {}
        self._classes: dict[tuple[str, Unit], Defined] = {}
        self._initial: dict[tuple[str, Unit], frozenset[Member]] = {}
        self._lost: frozenset[str] | None = None
        self.absent: set[str] = set()
        """Top-level modules from elsewhere that turned out not to be there."""
        self.all_by_name = False
        self.by_text = False
        """Whether modules that generated code imports are entered in ``sys.modules``."""
        self._own: frozenset[str] = frozenset()
        self._prefixes: frozenset[str] = frozenset()
        self._by_name: dict[str, list[str]] = {}

    def add(self, names: Iterable[Defined]) -> None:
        """Keep names, and all that they need."""
        waiting = [name for name in names if name not in self.kept.names]
        while waiting:
            self._close(waiting)
            waiting = self._effects()

    def add_member(self, name: str) -> bool:
        """Keep the members of that name in all kept classes; tell whether there were new ones."""
        before = len(self.kept.members)
        self.kept.attributes.add(name)
        self._members_named({name}, forced=True)
        self.add(self._pending())
        return len(self.kept.members) > before

    def wake(self, name: str) -> bool:
        """Count functions of that name as run, and keep what they need; tell whether that is new."""
        if not self.versions.wake(name):
            return False
        self._done = dict.fromkeys(self._done, frozenset())
        self._initial.clear()
        self.add(sorted(self._pending()))
        return True

    def add_executed(self) -> None:
        """Keep every definition of which a line ran during a call."""
        found: list[Defined] = []
        for version in self.versions.all:
            for file in sorted(version.index.executed.in_calls):
                found.extend(self._executed_in(version, file))
        self.add(found)

    def loadable(self, version: Version) -> list[str]:
        """Return the modules to be found by name: those that no import leads to, or all that ran in a call."""
        if not self.kept.loads:
            return []
        names = set(self._loaded_by_name(version))
        if self.all_by_name:
            names.update(module_of(file) for file in version.index.executed.in_calls)
        return sorted(name for name in names if any(kept.module == name for kept in self.kept.names))

    def units(self, version: Version) -> list[Unit]:
        """Return the kept units of a version."""
        found: dict[Unit, None] = {}
        for name in sorted(self.kept.names):
            found.update(dict.fromkeys(_units(version, name)))
        found.update(dict.fromkeys(self.kept.effects[version.name]))
        return list(found)

    def lost_members(self) -> frozenset[str]:
        """Return the names that only members have which are not kept of the kept classes."""
        if self._lost is None:
            every = {
                name for _, unit in self._classes for member in members(unit.text) for name in member.names
            }
            self._lost = frozenset(every - {name for _, name in self.kept.members})
        return self._lost

    def add_light(self) -> None:
        """Keep short definitions that statements name which never ran, if these need nothing more themselves."""
        for _ in range(_LIGHT_ROUNDS):
            found = {name for version in self.versions.all for name in self._light(version)}
            self.add(sorted(found))
        self._lost = None

    def _light(self, version: Version) -> Iterable[Defined]:
        for unit in self.units(version):
            module = version.module(unit)
            alive = self.versions.alive(version, unit)
            for use in unit.scan.uses:
                meaning = version.resolver.use(module, unit, use).meaning
                is_dead = use.deferred and not use.annotation and _is_in_living_function(use, alive)
                if not is_dead or not isinstance(meaning, Defined) or meaning in self.kept.names:
                    continue
                if self._are_light(version, meaning):
                    yield meaning

    def _are_light(self, version: Version, name: Defined) -> bool:
        units = _units(version, name) if version.has_run(name.module) else []
        return bool(units) and all(self._is_light(version, unit) for unit in units)

    def _is_light(self, version: Version, unit: Unit) -> bool:
        if unit.kind == "table" or unit.text.count("\n") > _LIGHT_LINES:
            return False
        module = version.module(unit)
        meanings = (
            version.resolver.use(module, unit, use).meaning for use in unit.scan.uses if not use.annotation
        )
        own = {Defined(unit.module, name) for name in unit.binds}
        return all(
            meaning in self.kept.names or meaning in own or isinstance(meaning, External | Builtin)
            for meaning in meanings
        )

    def kept_members(self, version: Version, unit: Unit) -> frozenset[int]:
        """Return the indices of a unit's members that are kept, and -1 for what stands outside them."""
        found = {-1}
        owner = Defined(unit.module, unit.binds[0]) if unit.binds else None
        always = self._initial_members(version, unit)
        for member in members(unit.text) if unit.kind == "definition" else ():
            if member in always or any((owner, name) in self.kept.members for name in member.names):
                found.add(member.index)
        return frozenset(found)

    # -- closing ------------------------------------------------------------------------------------------------

    def _close(self, waiting: list[Defined]) -> None:
        while waiting:
            for name in waiting:
                self.kept.names.add(name)
            fresh: set[Defined] = set()
            for name in sorted(set(waiting)):
                for version in self.versions.all:
                    for unit in _units(version, name):
                        self._enter(version, unit)
            fresh.update(self._pending())
            waiting = sorted(fresh - self.kept.names)

    def _enter(self, version: Version, unit: Unit) -> None:
        self._done.setdefault((version.name, unit), frozenset())
        if unit.kind != "definition" or not members(unit.text):
            return
        owner = Defined(unit.module, unit.binds[0])
        self._classes[(version.name, unit)] = owner
        for member in self._initial_members(version, unit):
            self.kept.members.update((owner, name) for name in member.names)
        self._members_of(unit, owner, self.kept.attributes, forced=False)
        self._members_of(unit, owner, self._own, forced=True)
        self._members_with(unit, owner)

    def _initial_members(self, version: Version, unit: Unit) -> frozenset[Member]:
        key = (version.name, unit)
        if key not in self._initial:
            self._initial[key] = frozenset(initial_members(version, self.versions, unit, self.policy))
        return self._initial[key]

    def _pending(self) -> set[Defined]:
        """Collect the needs of all units of which something new is kept, until no member is added any more."""
        fresh: set[Defined] = set()
        changed = True
        while changed:
            changed = False
            for (version_name, unit), done in list(self._done.items()):
                version = self._version(version_name)
                kept = self.kept_members(version, unit)
                new = kept - done
                if new:
                    changed = True
                    self._done[(version_name, unit)] = kept
                    found = needs(version, self.versions, unit, new, self.policy)
                    self._siblings(unit, found.siblings)
                    self.kept.reading.update({unit.module} if found.reads else ())
                    fresh.update(self._take(found))
        return fresh

    def _take(self, found: Needs) -> Iterable[Defined]:
        self.kept.modules.update(found.modules)
        self.kept.texts.update(found.texts)
        self.kept.loads = self.kept.loads or found.loads
        if not found.prefixes <= self._prefixes:
            self._prefixes |= found.prefixes
            for (_, unit), owner in self._classes.items():
                self._members_with(unit, owner)
        own = found.own - self._own
        if own:
            self._own |= own
            self._members_named(own, forced=True)
        new = found.attributes - self.kept.attributes
        if new:
            self.kept.attributes.update(new)
            self._members_named(new, forced=False)
        return found.names

    def _siblings(self, unit: Unit, names: Iterable[str]) -> None:
        """Keep the members that the class's own body reads, functions too."""
        owner = Defined(unit.module, unit.binds[0]) if unit.binds else None
        if owner is not None:
            self._members_of(unit, owner, names, forced=True)

    def _members_named(self, names: Iterable[str], forced: bool) -> None:
        for (_, unit), owner in self._classes.items():
            self._members_of(unit, owner, names, forced)

    def _members_of(self, unit: Unit, owner: Defined, names: Iterable[str], forced: bool) -> None:
        wanted = set(names)
        for member in members(unit.text):
            is_data = member.kind in ("data", "other") or forced
            if is_data and not wanted.isdisjoint(member.names):
                self.kept.members.update((owner, name) for name in member.names)

    def _members_with(self, unit: Unit, owner: Defined) -> None:
        """Keep the members whose names begin as a name that living code makes up."""
        for member in members(unit.text):
            if any(name.startswith(tuple(self._prefixes)) for name in member.names):
                self.kept.members.update((owner, name) for name in member.names)

    def _version(self, name: str) -> Version:
        return next(version for version in self.versions.all if version.name == name)

    # -- what is not named --------------------------------------------------------------------------------------

    def _effects(self) -> list[Defined]:
        """Keep the statements that act on what is kept; return the names that they need."""
        fresh: set[Defined] = set()
        for version in self.versions.all:
            fresh.update(self._loaded(version) if self.kept.loads else ())
            fresh.update(self._generated(version) if self.by_text else ())
            fresh.update(self._whole(version) if self.policy.whole_modules else ())
            effects = Effects(version, self.versions, self.kept.names, self.kept.attributes, self.policy)
            for unit in effects.find(self.kept.effects[version.name]):
                self.kept.effects[version.name].add(unit)
                self._enter(version, unit)
        fresh.update(self._pending())
        return sorted(fresh - self.kept.names)

    def _loaded_by_name(self, version: Version) -> list[str]:
        """Return the modules that no import leads to; what one version loads, its sisters may load too."""
        for each in self.versions.all:
            if each.name not in self._by_name:
                self._by_name[each.name] = loaded_by_name(each, self.first)
        every = {name for names in self._by_name.values() for name in names}
        return sorted(name for name in every if version.index.is_module(name))

    def _loaded(self, version: Version) -> Iterable[Defined]:
        """Yield what ran of the modules that are loaded by name only."""
        for name in self._loaded_by_name(version):
            module = version.index.module(name)
            for unit in module.units if module is not None else ():
                alive = self.versions.alive(version, unit) if unit.kind == "definition" else frozenset()
                if alive and has_living_body(unit.scan.module.body[0], alive):
                    yield Defined(name, unit.binds[0])

    def imported_by_text(self, version: Version) -> list[str]:
        """Return the modules that import statements inside literal texts of living code name."""
        if not self.by_text:
            return []
        found = {match[1] or match[2] for text in self.kept.texts for match in _IMPORT_IN_TEXT.finditer(text)}
        return sorted(name for name in found if version.index.module(name) is not None)

    def _generated(self, version: Version) -> Iterable[Defined]:
        """Yield what generated code may import: bound names that stand as texts of their own in living code."""
        for name in self.imported_by_text(version):
            module = version.index.module(name)
            for bound in (*module.bindings, *module.imports) if module is not None else ():
                meaning = version.resolver.attribute(name, bound) if bound in self.kept.texts else None
                if isinstance(meaning, Defined):
                    yield meaning

    def widen_loading(self) -> bool:
        """Look for modules by name, then by text, in more places; tell whether there is a wider way left."""
        if self.kept.loads and not self.all_by_name:
            self.all_by_name = True
            return True
        if self.by_text:
            return False
        self.by_text = True
        waiting = self._effects()
        while waiting:
            self._close(waiting)
            waiting = self._effects()
        return True

    def _whole(self, version: Version) -> Iterable[Defined]:
        """Yield all that the modules bind that are used as objects."""
        for name in sorted(self.kept.modules):
            module = version.index.module(name)
            for bound in module.bindings if module is not None else ():
                yield Defined(name, bound)

    def _executed_in(self, version: Version, file: str) -> list[Defined]:
        module = version.index.module(module_of(file))
        if module is None or module.source.file != file:
            return []
        return [
            Defined(module.name, name)
            for name, units in module.bindings.items()
            if any(unit.kind == "definition" and _ran_inside(version, unit) for unit in units)
        ]


_LIGHT_LINES = 12
_LIGHT_ROUNDS = 2
_IMPORT_IN_TEXT = re.compile(r"\bfrom ([\w.]+) import |\bimport ([\w.]+)")


def _is_in_living_function(use: Use, alive: frozenset[cst.CSTNode]) -> bool:
    """Tell whether the outermost function around a use ran."""
    outermost = None
    scope: Scope | None = use.scope
    while scope is not None:
        outermost = scope.node if isinstance(scope.node, cst.FunctionDef) else outermost
        scope = scope.parent
    return outermost is not None and has_living_body(outermost, alive)


def _units(version: Version, name: Defined) -> list[Unit]:
    module = version.index.module(name.module)
    if module is None:
        return []
    bound = list(module.bindings.get(name.name, ()))
    if bound:
        bound.extend(unit for unit, _ in module.imports.get(name.name, ()))
    return sorted(set(bound), key=lambda unit: unit.index)


def _ran_inside(version: Version, unit: Unit) -> bool:
    """Tell whether a line inside the definition ran during a call, beside its own first lines."""
    module = version.module(unit)
    node = unit.scan.module.body[0]
    first, last = unit.scan.spans[node]
    lines = set(range(unit.line, unit.line + unit.text.count("\n"))) - set(
        range(unit.line + first - 1, unit.line + last)
    )
    return ran_in_calls(module, unit) and not module.in_calls.isdisjoint(lines)
