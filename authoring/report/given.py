"""What a person gives to name an incident: a file, or a source with its revisions and a reproducer."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from authoring.incident.read import incident_from_options, read_incident
from authoring.model.errors import UsageError
from authoring.model.incident import Incident

__all__ = ["Given", "incident_of"]


@dataclass(frozen=True, slots=True)
class Given:
    """The options that name a source; everything that was not given is empty."""

    id: str
    incident: Path | None = None
    package: str = ""
    repository: str = ""
    directories: bool = False
    broken: str = ""
    fixed: str = ""
    attempt: str = ""
    reproducer: Path | None = None
    test: str = ""
    comment: Path | None = None
    traceback: Path | None = None
    record: Sequence[str] | None = None
    """The project's own tests, to record from."""
    record_with: Sequence[str] | None = None
    """What they import beside the package, ``name==version``."""

    @property
    def has_source(self) -> bool:
        """Whether anything but the id was given."""
        return any(getattr(self, name) for name in self.__dataclass_fields__ if name != "id")


def incident_of(given: Given) -> tuple[Incident, Path]:
    """Return the incident and the folder that its paths start at.

    Raises :class:`UsageError` USE010 to USE013 for options that contradict each other or lack something, and what
    reading the incident raises (INC…).
    """
    if given.incident is not None:
        return _from_file(given, given.incident)
    sources = [
        name
        for name, value in (
            ("--package", given.package),
            ("--repo", given.repository),
            ("--dirs", given.directories),
        )
        if value
    ]
    if len(sources) != 1:
        said = f"{' and '.join(sources)} are given together" if sources else "No source is given"
        raise UsageError(
            "USE010",
            f"{said}.",
            "Give one of --incident FILE, --package NAME, --repo PATH or --dirs.",
            stage="capture",
        )
    for flag, value in (("--broken", given.broken), ("--fixed", given.fixed)):
        if not value:
            raise UsageError("USE011", f"{flag} is missing.", f"Add {flag} X.", stage="capture")
    if (given.reproducer is None) == (not given.test):
        raise UsageError(
            "USE012",
            "The failure is shown by --repro FILE or by --test NODEID, one of them.",
            "Give one of the two.",
            stage="capture",
        )
    return incident_from_options(
        given.id,
        broken=given.broken,
        fixed=given.fixed,
        attempt=given.attempt or None,
        package=given.package or None,
        repository=given.repository or None,
        directories=given.directories,
        reproducer=given.reproducer,
        test=given.test or None,
    )


def _from_file(given: Given, file: Path) -> tuple[Incident, Path]:
    other = [
        name
        for name in (
            "package",
            "repository",
            "directories",
            "broken",
            "fixed",
            "attempt",
            "reproducer",
            "test",
        )
        if getattr(given, name)
    ]
    if other:
        raise UsageError(
            "USE010",
            f"--incident and --{_FLAGS.get(other[0], other[0])} are given together.",
            "Write it into the file, or give all of it as options.",
            stage="capture",
        )
    incident, folder = read_incident(file)
    if incident.id != given.id:
        raise UsageError(
            "USE013",
            f"The command names {ascii(given.id)[:90]}, and {file} names {incident.id}.",
            f"Run: authoring new {incident.id} --incident {file}",
            stage="capture",
        )
    return incident, folder


_FLAGS: dict[str, Any] = {"repository": "repo", "directories": "dirs", "reproducer": "repro"}
