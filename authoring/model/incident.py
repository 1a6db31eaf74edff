"""incident.toml: a real failure, by the revisions, releases or folders that show it (DESIGN.md 5.2)."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from authoring.model.document import Part

__all__ = ["MEASURED_KEYS", "Dependency", "Incident", "Side", "Slug"]

Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?$")]
"""An id: lower-case letters, digits and single hyphens inside; it names folders, so nothing else."""

Side = Literal["broken", "attempt", "fixed"]
"""The trees of an incident."""

MEASURED_KEYS = frozenset(
    "facts modules patterns failure fix_size fix_size_basis fix_size_broken_to_attempt release_diff module_diff "
    "modules_suffice executed_modules executed_lines package_modules package_files package_loc attempt_gap "
    "attempt_note style verified note".split()
)
"""Keys that are kept and ignored: claims to verify, never inputs."""


class Dependency(Part):
    """A pinned run-time dependency."""

    name: str
    version: str
    sha256: str = ""
    """Digest of the wheel or sdist; empty until it was obtained."""


class Incident(Part):
    """An incident as its author states it, after checks; the paths in it are relative to its file's folder."""

    id: Slug
    broken: str
    fixed: str
    attempt: str | None = None
    package: str | None = None
    """Name of the distribution whose releases the sides are."""
    repository: str | None = None
    """Path of the git repository whose revisions the sides are."""
    directories: bool = False
    """Whether the sides are paths beside the file."""
    import_name: str | None = None
    dependencies: tuple[str, ...] = ()
    """Pins, ``name==version``."""
    python: tuple[str, ...] = ()
    """Versions that the claim was checked on, such as ``3.12``."""
    reproducer: str = "repro.py"
    test: str | None = None
    """A pytest node id inside the trees, instead of a reproducer."""
    symptom: str = ""
    rule: str = ""
    category: str = ""
    mechanism: str = ""
    severity: str = ""
    owner: str = ""
    discovered: str = ""
    """ISO date; dates the commits."""
    source: str = ""
    comment: str = ""
    licence: str = ""
    facts: dict[str, Any] = Field(default_factory=dict)
    """Everything measured that came with the file; kept, never an input."""
