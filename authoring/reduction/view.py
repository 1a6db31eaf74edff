"""A merged program seen as statements: what passes look at."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from authoring.model.variants import VersionName
from authoring.reduction.edits import Cut, Versions
from authoring.reduction.lines import indent_of, node_count
from authoring.reduction.merged import MergedProgram
from authoring.reduction.structure import Statement, statements

__all__ = ["Unit", "View"]


@dataclass(frozen=True, slots=True)
class Unit:
    """A statement of the merged program: the line that heads it, and its extent in every version that holds it."""

    line: int
    block: tuple[int, ...]
    """What it stands in: the lines that head it, by version, as one key."""
    depth: int
    statements: Mapping[VersionName, Statement]


class View:
    """Positions, statements and units of one state; computed once, when first asked for."""

    def __init__(
        self,
        program: MergedProgram,
        exports: frozenset[str] = frozenset(),
        ran: Mapping[int, Versions] | None = None,
    ) -> None:
        self.program = program
        self.exports = exports
        self.ran = ran
        """Merged lines that ran, each with the versions in which they did; None where nothing was traced."""

    @cached_property
    def held(self) -> dict[VersionName, tuple[int, ...]]:
        """For each version, the merged line of each of its own lines."""
        lines = self.program.lines
        return {
            version: tuple(n for n, line in enumerate(lines) if version in line.versions)
            for version in self.program.versions
        }

    @cached_property
    def trees(self) -> dict[VersionName, tuple[Statement, ...]]:
        """The statements of each version, in its own line numbers."""
        return {version: statements(self.program.texts(version)) for version in self.program.versions}

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """AST nodes of each merged line."""
        return tuple(node_count(line.text) for line in self.program.lines)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Every statement of the merged program, in the order of its lines."""
        found: dict[int, dict[VersionName, Statement]] = {}
        parents: dict[int, dict[VersionName, int]] = {}
        for version in self.program.versions:
            for parent, statement in _with_parents(self.trees[version], -1):
                line = self.held[version][statement.head]
                found.setdefault(line, {})[version] = statement
                parents.setdefault(line, {})[version] = self.held[version][parent] if parent >= 0 else -1
        clusters = _clusters(parents)
        lines = self.program.lines
        return tuple(
            Unit(line, clusters[line], indent_of(lines[line].text) // 4, found[line])
            for line in sorted(found)
        )

    def extent(self, unit: Unit) -> dict[int, Versions]:
        """Return the merged lines of a unit, each with the versions for which it belongs to it."""
        return self.lines_of({version: (s.start, s.stop) for version, s in unit.statements.items()})

    def lines_of(self, ranges: Mapping[VersionName, tuple[int, int]]) -> dict[int, Versions]:
        """Return the merged lines of ranges given in each version's own numbers."""
        out: dict[int, set[VersionName]] = {}
        for version, (start, stop) in ranges.items():
            for line in self.held[version][start:stop]:
                out.setdefault(line, set()).add(version)
        return {line: frozenset(versions) for line, versions in sorted(out.items())}

    def cuts(self, lines: Mapping[int, Versions]) -> tuple[Cut, ...]:
        """Return the cuts of merged lines."""
        return tuple(Cut(line, versions) for line, versions in lines.items())

    def gain(self, lines: Mapping[int, Versions]) -> int:
        """Return how many merged nodes go when these lines go."""
        return sum(
            self.weights[n] for n, versions in lines.items() if versions == self.program.lines[n].versions
        )


def _with_parents(block: tuple[Statement, ...], parent: int) -> Iterator[tuple[int, Statement]]:
    for statement in block:
        yield parent, statement
        for arm in statement.arms:
            yield from _with_parents(arm.body, arm.header)


def _clusters(parents: Mapping[int, Mapping[VersionName, int]]) -> dict[int, tuple[int, ...]]:
    """Return for each line the smallest set of parents closed under "a line stands in both"."""
    leader: dict[int, int] = {}

    def find(node: int) -> int:
        while leader.setdefault(node, node) != node:
            node = leader[node]
        return node

    for held in parents.values():
        first, *others = sorted(set(held.values()))
        for other in others:
            leader[find(other)] = find(first)
    members: dict[int, set[int]] = {}
    for held in parents.values():
        for parent in held.values():
            members.setdefault(find(parent), set()).add(parent)
    return {line: tuple(sorted(members[find(next(iter(held.values())))])) for line, held in parents.items()}
