"""Assemble the flat program of each version from the kept statements."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import libcst as cst

from authoring.model.capture import Binding
from authoring.reduction.flatten.data import data_files, reader_texts, reader_things
from authoring.reduction.flatten.grow import Growth
from authoring.reduction.flatten.names import Demand, Named, choose
from authoring.reduction.flatten.namespaces import (
    loader_texts,
    loader_things,
    namespace_steps,
    namespace_text,
    namespace_things,
)
from authoring.reduction.flatten.normalise import joined
from authoring.reduction.flatten.order import align, import_order
from authoring.reduction.flatten.plan import Plan, make_plan
from authoring.reduction.flatten.resolve import (
    Builtin,
    DataReader,
    Defined,
    External,
    Loader,
    ModuleObject,
    Special,
    Target,
    Unbound,
)
from authoring.reduction.flatten.rewrite import Written, rewrite
from authoring.reduction.flatten.version import Version
from authoring.reduction.sources.index import Unit
from authoring.reduction.sources.members import class_of
from authoring.reduction.sources.scan import Use

__all__ = ["FlatProgram", "assemble", "meaning_of"]


@dataclass(frozen=True, slots=True)
class FlatProgram:
    """One version as one module."""

    source: str
    kept: tuple[str, ...]
    """What was kept, as ``module:name``, sorted."""
    dropped: tuple[str, ...]
    """What was left out of what was kept, with the reason, in words."""
    third_party: tuple[str, ...]
    """Top-level modules outside the standard library that are still imported."""
    names: Mapping[str, str]
    """The flat name of each kept ``module:name``."""


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """The plans of one version in order."""

    version: Version
    plans: tuple[Plan, ...]

    def loaders(self) -> list[Loader]:
        """Return what loads modules by name in the plans."""
        return sorted({target.meaning for _, target in self.uses() if isinstance(target.meaning, Loader)})

    def readers(self) -> list[DataReader]:
        """Return what reads data files in the plans."""
        return sorted({target.meaning for _, target in self.uses() if isinstance(target.meaning, DataReader)})

    def things(self) -> list[Named]:
        """Return what the functions need a name for that load modules and read data files."""
        return [*loader_things(self.loaders()), *reader_things(self.readers())]

    def uses(self) -> Iterable[tuple[Use, Target]]:
        """Yield all uses that stay."""
        for plan in self.plans:
            yield from plan.uses


def assemble(growth: Growth, bindings: Sequence[Binding], aligned: bool = True) -> dict[str, FlatProgram]:
    """Return the flat program of every version."""
    orders = {
        version.name: import_order(version, growth.units(version), growth.first, growth.loadable(version))
        for version in growth.versions.all
    }
    if aligned:
        orders = align(growth.versions, orders)
    parts = [
        _Parts(version, tuple(make_plan(growth, version, unit) for unit in orders[version.name]))
        for version in growth.versions.all
    ]
    canonical = _canonical(growth, bindings)
    names = _names(growth, parts, canonical, bindings)
    return {part.version.name: _program(growth, part, names, bindings, growth.written) for part in parts}


def meaning_of(version: Version, binding: Binding) -> tuple[Named | None, str]:
    """Return what a binding names in a version, and the dotted rest that is an attribute of it."""
    module_name, _, dotted = binding.original.partition(":")
    meaning: Named | None = (
        ModuleObject(module_name)
        if version.index.is_module(module_name)
        else External(module_name, "", module_name)
    )
    parts = [part for part in dotted.split(".") if part]
    while parts and isinstance(meaning, ModuleObject):
        found = version.resolver.attribute(meaning.module, parts[0])
        if not isinstance(found, Defined | External | ModuleObject):
            return None, ".".join(parts)
        meaning, parts = found, parts[1:]
    if parts and isinstance(meaning, External) and not meaning.attribute:
        meaning, parts = External(meaning.module, parts[0], parts[0]), parts[1:]
    return meaning, ".".join(parts)


def _canonical(growth: Growth, bindings: Sequence[Binding]) -> dict[Named, str]:
    canonical: dict[Named, str] = {}
    for binding in bindings:
        for version in growth.versions.all:
            meaning, rest = meaning_of(version, binding)
            if meaning is not None and not rest:
                canonical.setdefault(meaning, binding.name)
    return canonical


def _names(
    growth: Growth, parts: Sequence[_Parts], canonical: Mapping[Named, str], bindings: Sequence[Binding]
) -> dict[Named, str]:
    demands: dict[Named, Demand] = {}
    other: set[str] = set()
    for part in parts:
        for thing in (*_asked(growth, part.version, bindings), *part.things()):
            _demand(demands, part.version, thing)
        for plan in part.plans:
            for name in plan.unit.binds:
                _demand(demands, part.version, Defined(plan.unit.module, name))
            for use, target in plan.uses:
                meaning = target.meaning
                if isinstance(meaning, Builtin | Unbound):
                    other.add(meaning.name)
                elif not isinstance(meaning, Special):
                    demand = _demand(demands, part.version, meaning)
                    own = {use.name} if not target.consumed else set()
                    demand.hidden_by.update(use.scope.captures() - own)
    reserved = frozenset(binding.name for binding in bindings)
    return choose(demands.values(), canonical, reserved, frozenset(other))


def _asked(growth: Growth, version: Version, bindings: Sequence[Binding]) -> Iterable[Named]:
    """Yield the things that the program must name even where no statement does."""
    for binding in bindings:
        meaning, _ = meaning_of(version, binding)
        if meaning is not None:
            yield meaning
    yield from namespace_things(growth, version)


def _demand(demands: dict[Named, Demand], version: Version, thing: Named) -> Demand:
    if thing not in demands:
        demands[thing] = Demand(thing, _rank(version, thing), _has_metaclass(version, thing))
    demands[thing].versions.add(version.name)
    return demands[thing]


def _units(version: Version, thing: Named) -> Sequence[Unit]:
    """Return the statements that bind a name of a version's own; none for things from outside."""
    module = version.index.module(thing.module) if isinstance(thing, Defined) else None
    return module.bindings.get(thing.name, ()) if module is not None and isinstance(thing, Defined) else ()


def _has_metaclass(version: Version, thing: Named) -> bool:
    nodes = (class_of(unit.text) for unit in _units(version, thing) if unit.kind == "definition")
    return any(
        word.keyword is not None and word.keyword.value == "metaclass" and not _is_abc(word.value)
        for node in nodes
        if node is not None
        for word in node.keywords
    )


def _is_abc(value: cst.BaseExpression) -> bool:
    """Return whether a metaclass is that of abstract classes, which does nothing with names."""
    name = value.attr if isinstance(value, cst.Attribute) else value
    return isinstance(name, cst.Name) and name.value == "ABCMeta"


def _rank(version: Version, thing: Named) -> int:
    units = _units(version, thing)
    if any(unit.kind == "definition" for unit in units):
        return 0 if any(class_of(unit.text) is not None for unit in units) else 1
    return 2


def _program(
    growth: Growth,
    part: _Parts,
    names: Mapping[Named, str],
    bindings: Sequence[Binding],
    written: Written,
) -> FlatProgram:
    version = part.version
    outside = _outside(growth, part, bindings)
    texts = [_first_lines(part), *_imports(version, outside, names)]
    texts.extend(loader_texts(part.loaders(), names))
    readers = part.readers()
    files = data_files(version, growth.kept.reading, growth.kept.texts, readers) if readers else {}
    texts.extend(reader_texts(version, readers, files, growth.kept.texts, names))
    steps = namespace_steps(growth, version, part.plans)
    for position, plan in ((-1, None), *enumerate(part.plans)):
        texts.append("" if plan is None else rewrite(plan, names, written))
        here = (step for step in steps if step.position == position)
        texts.extend(namespace_text(growth, version, step, names) for step in here)
    texts.extend(_aliases(version, bindings, names))
    kept = sorted({f"{plan.unit.module}:{name}" for plan in part.plans for name in plan.unit.binds})
    dropped = [
        f"{plan.unit.module}:{'.'.join(plan.unit.binds)}: {plan.dropped_lines} lines never ran, of names not kept"
        for plan in part.plans
        if plan.dropped_lines
    ]
    third = sorted({item.module.partition(".")[0] for item in outside} - sys.stdlib_module_names)
    named = {
        f"{thing.module}:{thing.name}": name for thing, name in names.items() if isinstance(thing, Defined)
    }
    return FlatProgram(
        joined(texts),
        tuple(kept),
        tuple(dropped),
        tuple(third),
        {name: named[name] for name in kept if name in named},
    )


def _first_lines(part: _Parts) -> str:
    """Postpone the evaluation of annotations where a module did whose annotations stay."""
    for plan in part.plans:
        module = part.version.module(plan.unit)
        if plan.acting and any(
            item.module == "__future__" and item.attribute == "annotations"
            for items in module.imports.values()
            for _, item in items
        ):
            return "from __future__ import annotations\n"
    return ""


def _outside(growth: Growth, part: _Parts, bindings: Sequence[Binding]) -> list[External]:
    found = {target.meaning for _, target in part.uses() if isinstance(target.meaning, External)}
    asked = (*_asked(growth, part.version, bindings), *part.things())
    found.update(thing for thing in asked if isinstance(thing, External))
    return sorted(found)


def _imports(version: Version, outside: Iterable[External], names: Mapping[Named, str]) -> list[str]:
    lines: set[tuple[bool, str]] = set()
    for thing in outside:
        name = names[thing]
        if thing.attribute:
            renamed = "" if name == thing.attribute else f" as {name}"
            lines.add((True, f"from {thing.module} import {thing.attribute}{renamed}"))
        else:
            renamed = "" if name == thing.module else f" as {name}"
            lines.add((False, f"import {thing.module}{renamed}"))
            lines.update((False, f"import {inner}") for inner in _submodules(version, thing))
    return [line for _, line in sorted(lines)]


def _submodules(version: Version, thing: External) -> Iterable[str]:
    """Yield the dotted modules below an imported one that ``import a.b`` statements of the version load."""
    for module in version.index.read():
        for _, item in module.imports.get(thing.name, ()):
            if not item.is_from and not item.renamed and item.module.startswith(thing.module + "."):
                yield item.module


def _aliases(version: Version, bindings: Sequence[Binding], names: Mapping[Named, str]) -> Iterable[str]:
    for binding in bindings:
        meaning, rest = meaning_of(version, binding)
        if meaning is None:
            continue
        value = ".".join(part for part in (names[meaning], rest) if part)
        if value != binding.name:
            yield f"{binding.name} = {value}\n"
