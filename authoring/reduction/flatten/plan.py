"""Decide, for one kept statement, which of its parts stay and what the names in them mean."""

from collections.abc import Collection
from dataclasses import dataclass

import libcst as cst

from authoring.reduction.flatten.annotations import acting_annotations
from authoring.reduction.flatten.grow import Growth
from authoring.reduction.flatten.prune import Pruned, prune
from authoring.reduction.flatten.resolve import (
    DataReader,
    Defined,
    External,
    Loader,
    ModuleObject,
    Target,
    Unbound,
)
from authoring.reduction.flatten.version import Version
from authoring.reduction.sources.index import Unit
from authoring.reduction.sources.members import class_of, members
from authoring.reduction.sources.scan import Use
from authoring.reduction.sources.tree import children, descendants

__all__ = ["Plan", "make_plan"]


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What stays of one statement of one version."""

    version: Version
    unit: Unit
    removed: frozenset[cst.CSTNode]
    stubs: frozenset[cst.CSTNode]
    uses: tuple[tuple[Use, Target], ...]
    """The uses that stay, with their meanings; names that are local or unbound are left out."""
    acting: frozenset[cst.Annotation]
    """The annotations that stay."""
    texts: bool
    """Whether docstrings stay."""
    origins: bool
    """Whether classes say which module they came from."""
    names_matter: bool
    """Whether a renamed definition says what it was called, since living code reads ``__name__``."""
    plain: frozenset[cst.Annotation]
    """Annotations that stay but name something that is not kept."""
    dropped_lines: int


def make_plan(growth: Growth, version: Version, unit: Unit) -> Plan:
    """Return the plan of a kept unit."""
    module = version.module(unit)
    targets = [(use, version.resolver.use(module, unit, use)) for use in unit.scan.uses]
    missing: set[cst.CSTNode] = {use.node for use, target in targets if not _is_there(growth, use, target)}
    lost = growth.lost_members()
    missing.update(item.node for item in unit.scan.attributes if item.name in lost)
    acting = acting_annotations(version, unit, growth.policy.texts)
    acting_nodes = {node for item in acting for node in descendants(item)}

    def is_satisfied(node: cst.CSTNode) -> bool:
        return missing.isdisjoint(_lasting(node, acting))

    away = _members_away(growth, version, unit)
    alive = growth.versions.alive(version, unit)
    staying = [node for node in _statements(unit) if node not in away]
    if growth.policy.dead or unit.kind == "table":
        pruned = Pruned(frozenset(), frozenset())
    else:
        pruned = prune(staying, alive, is_satisfied)
    removed = pruned.removed | away
    gone = _gone(removed, pruned.stubs)
    uses = tuple(
        (use, target) for use, target in targets if use.node not in gone and _stays(use, target, acting_nodes)
    )
    plain = frozenset(item for item in acting if not missing.isdisjoint(descendants(item)))
    lines = sum(
        unit.scan.spans[node][1] - unit.scan.spans[node][0] + 1
        for node in pruned.removed
        if node in unit.scan.spans
    )
    return Plan(
        version,
        unit,
        removed,
        pruned.stubs,
        uses,
        acting,
        growth.policy.texts,
        growth.policy.origins,
        growth.policy.origins or not growth.kept.attributes.isdisjoint(("__name__", "__qualname__")),
        plain,
        lines,
    )


def _is_there(growth: Growth, use: Use, target: Target) -> bool:
    meaning = target.meaning
    if isinstance(meaning, Defined):
        return meaning in growth.kept.names
    if isinstance(meaning, ModuleObject):
        return meaning.module in growth.kept.modules
    if isinstance(meaning, External):
        return meaning.module.partition(".")[0] not in growth.absent
    if isinstance(meaning, Loader):
        return growth.kept.loads
    if isinstance(meaning, DataReader):
        return bool(growth.kept.reading)
    return not (isinstance(meaning, Unbound) and use.home.kind == "module" and use.role == "load")


def _stays(use: Use, target: Target, acting_nodes: Collection[cst.CSTNode]) -> bool:
    if use.annotation and use.node not in acting_nodes:
        return False
    return not isinstance(target.meaning, Unbound) or use.home.kind == "module"


def _statements(unit: Unit) -> list[cst.CSTNode]:
    node = class_of(unit.text) if unit.kind == "definition" else None
    return list(unit.scan.module.body) if node is None else list(node.body.body)


def _members_away(growth: Growth, version: Version, unit: Unit) -> frozenset[cst.CSTNode]:
    found = members(unit.text) if unit.kind == "definition" else ()
    if not found:
        return frozenset()
    kept = growth.kept_members(version, unit)
    overloads = {member.node for member in found if _is_overload(version, unit, member.node)}
    return frozenset({member.node for member in found if member.index not in kept} | overloads)


def _is_overload(version: Version, unit: Unit, node: cst.CSTNode) -> bool:
    if not isinstance(node, cst.FunctionDef):
        return False
    marks = {item for decorator in node.decorators for item in descendants(decorator)}
    for use in unit.scan.uses:
        if use.node in marks:
            meaning = version.resolver.use(version.module(unit), unit, use).meaning
            attribute = use.chain[0].attr.value if use.chain else ""
            if isinstance(meaning, External) and "overload" in (meaning.attribute, attribute):
                return True
    return False


def _lasting(node: cst.CSTNode, acting: Collection[cst.Annotation]) -> set[cst.CSTNode]:
    """Return what is below a node, without the annotations where these go."""
    found: set[cst.CSTNode] = set()
    waiting = [node]
    while waiting:
        item = waiting.pop()
        if isinstance(item, cst.Annotation) and item not in acting:
            continue
        found.add(item)
        waiting.extend(children(item))
    return found


def _gone(removed: Collection[cst.CSTNode], stubs: Collection[cst.CSTNode]) -> set[cst.CSTNode]:
    gone = {item for node in removed for item in descendants(node)}
    for node in stubs:
        if isinstance(node, cst.FunctionDef):
            gone.update(descendants(node.body))
    return gone
