"""One version while it is flattened: its index, its names, and which statements ran in it or in its sisters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import libcst as cst

from authoring.reduction.flatten.beside import finds_data
from authoring.reduction.flatten.resolve import Defined, Resolver
from authoring.reduction.sources.evidence import Executed
from authoring.reduction.sources.index import Index, Module, Unit
from authoring.reduction.sources.tree import descendants

__all__ = ["Version", "Versions"]

StatementKey = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Summary:
    """What a statement changes and calls."""

    changed: frozenset[tuple[Defined, str]]
    """Names whose objects change, with the attribute that is written, if it is one."""
    called: frozenset[Defined]


class Version:
    """One version's modules."""

    def __init__(self, name: str, folders: Sequence[Path], executed: Executed) -> None:
        self.name = name
        self.index = Index(folders, executed)
        self.resolver = Resolver(self.index)
        self.special: dict[Unit, bool] = {}
        """What is known of which classes something reads when they are made."""
        self.annotations: dict[tuple[Unit, bool], frozenset[cst.Annotation]] = {}
        """What is known of which annotations act."""
        self.summaries: dict[tuple[Unit, bool], Summary] = {}
        """What is known of what statements change and call, when they run or (False) in their functions."""

    def has_run(self, module_name: str) -> bool:
        """Tell whether something ran of a module, or nothing is known of what ran."""
        module = self.index.module(module_name)
        return not self.index.executed.at_import or (module is not None and module.at_import is not None)

    def module(self, unit: Unit) -> Module:
        """Return the module of a unit."""
        module = self.index.module(unit.module)
        if module is None:
            raise KeyError(unit.module)
        return module


class Versions:
    """All versions: what ran in one counts as alive in each that has the same statement in the same definition."""

    def __init__(self, versions: Sequence[Version]) -> None:
        self.all = tuple(versions)
        self._alive: dict[tuple[str, Unit], frozenset[cst.CSTNode]] = {}
        self._awake: frozenset[str] = frozenset()
        self._keys: dict[tuple[str, tuple[str, ...]], frozenset[StatementKey]] = {}
        is_found = any(finds_data(version.index) for version in self.all)
        for version in self.all:
            version.resolver.finds_data = is_found

    def alive(self, version: Version, unit: Unit) -> frozenset[cst.CSTNode]:
        """Return the statements of a unit that ran, here or in another version."""
        key = (version.name, unit)
        if key not in self._alive:
            shared = self._shared_keys(unit)
            named = _statement_keys(unit)
            own = _ran(version.module(unit), unit) | _woken(unit, self._awake)
            self._alive[key] = frozenset(node for node in named if node in own or named[node] in shared)
        return self._alive[key]

    def wake(self, name: str) -> bool:
        """Count functions of that name as run, whatever was recorded; tell whether that is new."""
        if name in self._awake:
            return False
        self._awake |= {name}
        self._alive.clear()
        return True

    def _shared_keys(self, unit: Unit) -> frozenset[StatementKey]:
        if unit.kind != "definition":
            return frozenset()
        key = (unit.module, unit.binds)
        if key not in self._keys:
            self._keys[key] = frozenset(self._collect(unit))
        return self._keys[key]

    def _collect(self, unit: Unit) -> set[StatementKey]:
        found: set[StatementKey] = set()
        for version in self.all:
            module = version.index.module(unit.module)
            if module is None:
                continue
            for other in module.bindings.get(unit.binds[0], ()):
                named, own = _statement_keys(other), _ran(module, other)
                found.update(named[node] for node in own)
        return found


def _ran(module: Module, unit: Unit) -> set[cst.CSTNode]:
    """Return the statements of a unit of which a line ran; all of them where nothing was recorded."""
    spans = unit.scan.spans
    if module.at_import is None or unit.forced:
        return set(spans)
    ran = module.at_import | module.in_calls
    base = unit.line - 1
    return {
        node
        for node, (first, last) in spans.items()
        if not ran.isdisjoint(range(base + first, base + last + 1))
    }


def _woken(unit: Unit, names: frozenset[str]) -> set[cst.CSTNode]:
    """Return the statements inside the functions of a unit that have one of some names."""
    if not names or unit.kind != "definition":
        return set()
    spans = unit.scan.spans
    functions = (node for node in spans if isinstance(node, cst.FunctionDef) and node.name.value in names)
    return {item for function in functions for item in descendants(function) if item in spans}


def ran_in_calls(module: Module, unit: Unit) -> bool:
    """Tell whether a line of the unit ran during a call."""
    return not module.in_calls.isdisjoint(range(unit.line, unit.line + unit.text.count("\n")))


def _statement_keys(unit: Unit) -> Mapping[cst.CSTNode, StatementKey]:
    """Name each statement by its header's text, with blanks squeezed, and its rank among equals."""
    lines = unit.text.split("\n")
    seen: dict[str, int] = {}
    keys: dict[cst.CSTNode, StatementKey] = {}
    for node, (first, last) in unit.scan.spans.items():
        text = " ".join(" ".join(lines[first - 1 : last]).split())
        seen[text] = seen.get(text, 0) + 1
        keys[node] = (text, seen[text])
    return keys
