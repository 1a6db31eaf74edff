"""Several versions of one program as one sequence of lines, each with the set of versions that hold it.

An edit of a line that all versions hold is an edit of all of them, so the versions cannot drift apart while they
shrink, and what they share is counted once.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from authoring.model.variants import VersionName
from authoring.reduction.lines import node_count

__all__ = ["ORDER", "Choice", "MergedLine", "MergedProgram", "program_nodes"]

ORDER: tuple[VersionName, ...] = ("broken", "hard_negative", "reference")
"""Every order over versions follows this one."""


@dataclass(frozen=True, slots=True)
class MergedLine:
    """One line; ``text`` holds a line break only where one statement spans several physical lines."""

    text: str
    versions: frozenset[VersionName]


@dataclass(frozen=True, slots=True)
class Choice:
    """A maximal run ``lines[start:stop]`` with one set of versions that is not all of them."""

    start: int
    stop: int
    versions: frozenset[VersionName]


@dataclass(frozen=True, slots=True)
class MergedProgram:
    """The merged lines and the versions that they make up, in :data:`ORDER`."""

    lines: tuple[MergedLine, ...]
    versions: tuple[VersionName, ...]

    def texts(self, version: VersionName) -> list[str]:
        """Return the lines of one version."""
        return [line.text for line in self.lines if version in line.versions]

    def project(self, version: VersionName) -> str:
        """Return the source of one version, byte for byte."""
        return "".join(f"{text}\n" for text in self.texts(version))

    def programs(self) -> dict[VersionName, str]:
        """Return the source of every version."""
        return {version: self.project(version) for version in self.versions}

    def choices(self) -> tuple[Choice, ...]:
        """Return the maximal runs of lines that not every version holds, in order."""
        found: list[Choice] = []
        everyone = frozenset(self.versions)
        for position, line in enumerate(self.lines):
            if line.versions == everyone:
                continue
            if found and found[-1].stop == position and found[-1].versions == line.versions:
                found[-1] = Choice(found[-1].start, position + 1, line.versions)
            else:
                found.append(Choice(position, position + 1, line.versions))
        return tuple(found)

    def nodes(self) -> int:
        """Return the AST nodes of the merged program: what versions share is counted once."""
        return 1 + sum(node_count(line.text) for line in self.lines)

    def differing(self) -> int:
        """Return the AST nodes of the lines that not every version holds."""
        everyone = frozenset(self.versions)
        return sum(node_count(line.text) for line in self.lines if line.versions != everyone)

    def sizes(self) -> dict[VersionName, int]:
        """Return the AST nodes of every version."""
        return {version: program_nodes(self.texts(version)) for version in self.versions}


def program_nodes(lines: Iterable[str]) -> int:
    """Return the AST nodes of a program given as logical lines (docstrings are taken to be gone)."""
    return 1 + sum(map(node_count, lines))


def single(texts: Sequence[str], version: VersionName) -> list[MergedLine]:
    """Return lines that one version alone holds."""
    alone = frozenset((version,))
    return [MergedLine(text, alone) for text in texts]


def ordered(versions: Iterable[VersionName] | Mapping[VersionName, object]) -> tuple[VersionName, ...]:
    """Return versions in :data:`ORDER`."""
    held = set(versions)
    return tuple(version for version in ORDER if version in held)
