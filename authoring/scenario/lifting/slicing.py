"""Keep, of the set-up before a check, what the check can feel.

Every binding of a variable is a variable of its own; a statement ties together those that it touches, since objects
may be shared; kept is what is tied to the check, and what it takes to run that. Functions, classes, imports and
constants tie nothing together, except that a function brings the variables that it captures. A statement that changes
an object of the package stays in any case, since the package may remember it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from authoring.scenario.lifting.literals import Constants
from authoring.scenario.lifting.opened import opened_with
from authoring.scenario.lifting.stand_ins import STAND_INS, is_watching
from authoring.scenario.lifting.syntax import Statement, Uses, callee, single, uses

__all__ = ["Line", "kept_lines"]


@dataclass(frozen=True, slots=True)
class Line:
    """One statement of a straight line, and whether it stands in the check's own function."""

    node: Statement
    is_own: bool = False


_DEFINITIONS = (cst.FunctionDef, cst.ClassDef, cst.Import, cst.ImportFrom)

Version = tuple[str, int]


def kept_lines(
    lines: Sequence[Line], extra: Uses, constants: Constants, tainted: frozenset[str] = frozenset()
) -> list[int]:
    """Return the positions of the lines that stay; the last line holds the mark, ``extra`` is what the check uses.

    ``tainted`` are the names whose values come from the package.
    """
    return _Slice(lines, extra, constants, tainted).kept()


def _rebound(node: Statement) -> set[str]:
    """Return the variables of others that a definition binds when it runs."""
    if isinstance(node, cst.FunctionDef | cst.ClassDef):
        return uses(node).binds - {node.name.value}
    return set()


class _Slice:
    def __init__(
        self, lines: Sequence[Line], extra: Uses, constants: Constants, tainted: frozenset[str]
    ) -> None:
        self.tainted = tainted
        self.lines = lines
        self.constants = constants
        self.found = [uses(line.node) for line in lines]
        self.found[-1].reads |= extra.reads
        self.definitions: dict[str, list[int]] = {}
        for position, line in enumerate(lines):
            if isinstance(single(line.node), _DEFINITIONS):
                for name in self.found[position].binds - self.found[position].outer - _rebound(line.node):
                    self.definitions.setdefault(name, []).append(position)
        self.bound = {
            name
            for position, found in enumerate(self.found)
            for name in found.binds
            if not isinstance(single(lines[position].node), _DEFINITIONS)
        }
        self.captured = self._captures()
        self.shared = set().union(*self.captured.values()) if self.captured else set()
        self.ties: dict[Version, Version] = {}
        self.touched = self._touched()
        self.opened = {name for line in lines if opened_with(line.node) for name in uses(line.node).binds}
        self.watching = self._watching()

    def _captures(self) -> dict[str, set[str]]:
        """Return, for each function and class, the variables that its body reads, through others too."""
        direct: dict[str, set[str]] = {}
        for name, positions in self.definitions.items():
            direct[name] = set().union(*(self._inner_reads(position) for position in positions))
        while True:
            wider = {
                name: reads.union(*(direct[other] for other in reads if other in direct))
                for name, reads in direct.items()
            }
            if wider == direct:
                return {name: reads & self.bound for name, reads in direct.items()}
            direct = wider

    def _inner_reads(self, position: int) -> set[str]:
        found = self.found[position]
        return found.reads | found.binds & found.outer | _rebound(self.lines[position].node)

    def _is_variable(self, name: str) -> bool:
        return name in self.bound and name not in self.constants.values

    def _touched(self) -> list[set[Version]]:
        current: dict[str, int] = {}
        touched: list[set[Version]] = []
        for position, line in enumerate(self.lines):
            found = self.found[position]
            if isinstance(single(line.node), _DEFINITIONS) and not self._decorates(line.node):
                touched.append(set())
                continue
            names = self._names(found.reads)
            versions = {(name, current.get(name, 0)) for name in names if self._is_variable(name)}
            is_simple = isinstance(line.node, cst.SimpleStatementLine | cst.With)
            for name in sorted(found.binds):
                if not self._is_variable(name) or name in self.definitions:
                    continue
                if is_simple and name not in found.reads and name not in self.shared:
                    current[name] = position + 1
                versions.add((name, current.get(name, 0)))
            self._tie(versions)
            touched.append(versions)
        return touched

    def _decorates(self, node: Statement) -> bool:
        return isinstance(node, cst.FunctionDef | cst.ClassDef) and bool(node.decorators)

    def _names(self, reads: set[str]) -> set[str]:
        return reads.union(*(self.captured[name] for name in reads if name in self.captured))

    def _root(self, version: Version) -> Version:
        while version in self.ties:
            version = self.ties[version]
        return version

    def _tie(self, versions: set[Version]) -> None:
        roots = sorted({self._root(version) for version in versions})
        for root in roots[1:]:
            self.ties[root] = roots[0]

    def kept(self) -> list[int]:
        last = len(self.lines) - 1
        changing = [at for at in range(last) if self._changes(self.lines[at].node)]
        wanted = {self._root(version) for at in (last, *changing) for version in self.touched[at]}
        if any(self._root(version) in wanted for version in self.watching):
            calls = [at for at in range(last) if self.found[at].reads & self.tainted and self._runs(at)]
            wanted |= {self._root(version) for at in calls for version in self.touched[at]}
        kept = {last}
        for position in range(last):
            roots = {self._root(version) for version in self.touched[position]}
            if roots & wanted or (not roots and self._is_environment(position)):
                kept.add(position)
        return sorted(self._with_definitions(kept))

    def _runs(self, position: int) -> bool:
        return not isinstance(single(self.lines[position].node), _DEFINITIONS)

    def _watching(self) -> set[Version]:
        """Return the variables that see what calls of the package do beside giving a value."""
        marks = [(at, opened_with(line.node)) for at, line in enumerate(self.lines)]
        seeing = [at for at, mark in marks if mark is not None and is_watching(callee(mark.args[0].value))]
        return {version for at in seeing for version in self.touched[at]}

    def _changes(self, node: Statement) -> bool:
        """Return whether a line opens, or works on, something around the check, or changes an object of the package."""
        mark = opened_with(node)
        if mark is not None:
            return callee(mark.args[0].value) not in STAND_INS
        small = single(node)
        is_call = isinstance(small, cst.Expr) and isinstance(small.value, cst.Call)
        return (is_call and bool(uses(node).reads & self.opened)) or self._changes_package(node)

    def _changes_package(self, node: Statement) -> bool:
        """Return whether a line calls a method of an object of the package, or sets something in it."""
        small = single(node)
        targets: list[cst.CSTNode] = []
        if isinstance(small, cst.Expr) and isinstance(small.value, cst.Call):
            targets = [small.value.func]
        elif isinstance(small, cst.Assign):
            targets = [target.target for target in small.targets]
        inner = [target for target in targets if isinstance(target, cst.Attribute | cst.Subscript)]
        return any(uses(target).reads & self.tainted & self.bound for target in inner)

    def _is_environment(self, position: int) -> bool:
        """Return whether a line changes something outside the reproducer's own variables."""
        small = single(self.lines[position].node)
        if isinstance(small, cst.Expr):
            return isinstance(small.value, cst.Call) and callee(small.value) not in ("print", "pprint")
        if isinstance(small, cst.Assign):
            return any(
                not isinstance(target.target, cst.Name | cst.Tuple | cst.List) for target in small.targets
            )
        return (
            isinstance(small, cst.Del | cst.AugAssign | cst.If | cst.Try) and not self.found[position].binds
        )

    def _with_definitions(self, kept: set[int]) -> set[int]:
        pending = list(kept)
        while pending:
            position = pending.pop()
            found = self.found[position]
            for name in found.reads | found.outer | _rebound(self.lines[position].node):
                for other in self._providers(name):
                    if other not in kept:
                        kept.add(other)
                        pending.append(other)
        return kept

    def _providers(self, name: str) -> list[int]:
        if name in self.definitions:
            return self.definitions[name]
        if name in self.constants.values or name in self.shared:
            return [at for at, found in enumerate(self.found[:-1]) if name in found.binds]
        return []
