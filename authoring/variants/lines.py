"""What the template writer needs of the merged program: lines, each with the versions that hold it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from authoring.model.variants import VersionName

__all__ = ["Line", "VersionedLine", "project", "versions_of"]


class VersionedLine(Protocol):
    """One line of the merged program."""

    @property
    def text(self) -> str:
        """The line without its line end."""

    @property
    def versions(self) -> frozenset[VersionName]:
        """The versions that hold it; never empty."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of our own making."""

    text: str
    versions: frozenset[VersionName]


def versions_of(lines: Sequence[VersionedLine]) -> frozenset[VersionName]:
    """Return every version that holds a line."""
    return frozenset().union(*(line.versions for line in lines))


def project(lines: Sequence[VersionedLine], version: VersionName) -> str:
    """Return the plain source of one version."""
    return "".join(f"{line.text}\n" for line in lines if version in line.versions)
