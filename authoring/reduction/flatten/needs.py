"""What one top-level statement needs so that its living parts can run."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

import libcst as cst

from authoring.reduction.flatten.annotations import acting_annotations
from authoring.reduction.flatten.classes import is_special_class
from authoring.reduction.flatten.resolve import (
    Builtin,
    DataReader,
    Defined,
    Loader,
    ModuleObject,
    Resolution,
)
from authoring.reduction.flatten.version import Version, Versions
from authoring.reduction.sources.index import Unit
from authoring.reduction.sources.members import Member, members
from authoring.reduction.sources.tree import descendants

__all__ = [
    "Needs",
    "Policy",
    "has_living_body",
    "initial_members",
    "needs",
]


@dataclass(frozen=True, slots=True)
class Policy:
    """How much is kept beside what certainly is needed; each step of the escalation is a wider one."""

    members: str = "wanted"
    """Class members: ``wanted`` by name from living code, ``data`` (all but functions that never ran), or ``all``."""
    dead: bool = False
    """Whether statements that never ran count like those that did."""
    effects: str = "known"
    """Statements that act on what is kept: ``known`` (all they need is kept or ran), ``kept``, or ``all``."""
    whole_modules: bool = False
    """Whether a module that is used as an object carries all that it binds, not only what is kept anyway."""
    origins: bool = False
    """Whether classes say which module they came from, for code that reads ``__module__``."""
    texts: bool = False
    """Whether docstrings and annotations stay."""
    live: bool = False
    """Whether the flat program itself stands for a module that is used as an object, where its names allow it."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What the living part of a statement refers to."""

    names: frozenset[Defined]
    modules: frozenset[str]
    """Modules that are used as objects."""
    attributes: frozenset[str]
    own: frozenset[str]
    """Those of them that are read from ``self`` or ``cls``: even a method that never ran must be there."""
    prefixes: frozenset[str]
    """Beginnings of attribute names that are made when it runs."""
    siblings: frozenset[str]
    """Members of the same class that its body reads."""
    texts: frozenset[str]
    """Literal texts that may name something."""
    reads: bool
    """Whether data files are read."""
    loads: bool
    """Whether modules are loaded by names that are known only when it runs."""


def needs(version: Version, versions: Versions, unit: Unit, kept: Collection[int], policy: Policy) -> Needs:
    """Return what a unit needs of the members in ``kept`` (indices; -1 is what stands outside them)."""
    alive = versions.alive(version, unit)
    dead_too = policy.dead or unit.kind == "table"
    names: set[Defined] = set()
    modules: set[str] = set()
    loads = reads = False
    acting = {node for item in acting_annotations(version, unit, policy.texts) for node in descendants(item)}
    for use in unit.scan.uses:
        if use.member not in kept or not (dead_too or use.statement in alive):
            continue
        if use.annotation and use.node not in acting:
            continue
        if use.role == "delete" and use.home.kind == "module" and not use.deferred:
            continue
        meaning = version.resolver.use(version.module(unit), unit, use).meaning
        loads = loads or isinstance(meaning, Loader)
        reads = reads or isinstance(meaning, DataReader)
        if isinstance(meaning, Builtin) and meaning.name in _NAME_SPACES:
            names.update(_named_in_texts(version, unit))
        if isinstance(meaning, Defined):
            if use.statement in alive or version.has_run(meaning.module):
                names.add(meaning)
        elif isinstance(meaning, ModuleObject):
            modules.add(meaning.module)
    read = [
        item for item in unit.scan.attributes if item.member in kept and (dead_too or item.statement in alive)
    ]
    attributes = frozenset(item.name for item in read if not item.is_prefix)
    own = frozenset(item.name for item in read if item.on_self)
    prefixes = frozenset(item.name for item in read if item.is_prefix)
    names.update(_imports(version, unit, alive, dead_too))
    siblings = frozenset(name for member, name in unit.scan.siblings if member in kept)
    texts = frozenset(
        item.value
        for item in unit.scan.texts
        if item.member in kept and (dead_too or item.statement in alive)
    )
    return Needs(
        frozenset(names), frozenset(modules), attributes, own, prefixes, siblings, texts, reads, loads
    )


_NAME_SPACES = {"globals", "locals", "vars"}


def _named_in_texts(version: Version, unit: Unit) -> set[Defined]:
    """Return the module's names that stand in the literal texts of a statement which reads the name space itself."""
    bindings = version.module(unit).bindings
    texts = (node.raw_value for node in descendants(unit.scan.module) if isinstance(node, cst.SimpleString))
    words = {word for text in texts for word in re.findall(r"[^\W\d]\w*", text)}
    return {Defined(unit.module, word) for word in words if word in bindings}


def _imports(version: Version, unit: Unit, alive: frozenset[cst.CSTNode], dead_too: bool) -> set[Defined]:
    """Return what the unit's own import statements bind where the bound name is also assigned elsewhere."""
    module = version.module(unit)
    found: set[Defined] = set()
    for item in unit.scan.imports:
        if item.name == "*" or not (dead_too or item.statement in alive):
            continue
        if item.scope.kind == "module" and item.name not in module.bindings:
            continue
        if item.scope.kind != "module" and item.name not in item.scope.assigned:
            continue
        meaning: Resolution = version.resolver.imported(module, item)
        if isinstance(meaning, Defined):
            found.add(meaning)
    return found


def has_living_body(node: cst.CSTNode, alive: frozenset[cst.CSTNode]) -> bool:
    """Tell whether any statement inside a definition ran."""
    return any(item in alive for item in _inner_statements(node))


@cache
def _inner_statements(node: cst.CSTNode) -> tuple[cst.CSTNode, ...]:
    body = getattr(node, "body", None)
    if not isinstance(body, cst.CSTNode):
        return ()
    kinds = (cst.SimpleStatementLine, cst.SimpleStatementSuite, cst.BaseCompoundStatement)
    return tuple(item for item in descendants(body) if isinstance(item, kinds))


def initial_members(version: Version, versions: Versions, unit: Unit, policy: Policy) -> list[Member]:
    """Return the members of a class that are kept whatever its users name."""
    alive = versions.alive(version, unit)
    special = is_special_class(version, unit)
    return [member for member in members(unit.text) if _is_kept(member, alive, special, policy)]


def _reads(unit: Unit, member: Member) -> set[str]:
    """Return the names of its own class that a member reads."""
    return {name for index, name in unit.scan.siblings if index == member.index}


_ABSTRACT = frozenset(
    "__abs__ __aiter__ __anext__ __await__ __bytes__ __call__ __complex__ __contains__ __delitem__ __eq__ __float__ "
    "__ge__ __getitem__ __gt__ __hash__ __index__ __int__ __iter__ __le__ __len__ __lt__ __next__ __reversed__ "
    "__round__ __setitem__ add asend athrow discard insert send throw".split()
)
"""Methods that abstract base classes and ``total_ordering`` ask for: a class is not made without them."""


def _is_kept(member: Member, alive: frozenset[cst.CSTNode], special: bool, policy: Policy) -> bool:
    if member.kind == "docstring":
        return policy.texts and isinstance(member.node, cst.SimpleStatementLine)
    if policy.members == "all":
        return True
    if member.kind == "function":
        return has_living_body(member.node, alive) or (special and not _ABSTRACT.isdisjoint(member.names))
    if isinstance(member.node, cst.ClassDef) and has_living_body_of_class(member.node, alive):
        return True
    if member.kind == "other" and member.node not in alive:
        return False
    always = {"__slots__", "__hash__", "__metaclass__", "__all__"}
    return (
        special or policy.members == "data" or member.kind == "other" or not always.isdisjoint(member.names)
    )


def has_living_body_of_class(node: cst.ClassDef, alive: frozenset[cst.CSTNode]) -> bool:
    """Tell whether a function inside a nested class ran."""
    functions = (item for item in descendants(node) if isinstance(item, cst.FunctionDef))
    return any(has_living_body(item, alive) for item in functions)
