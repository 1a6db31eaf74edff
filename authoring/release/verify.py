"""Recompute everything that the repositories state about themselves, and compare."""

from dataclasses import dataclass
from pathlib import Path

from authoring.model.errors import AuthoringError
from authoring.release.findings import Finding
from authoring.release.state import State, head_state, tag_state
from authoring.release.verify_release import check_commitments, check_projection, check_release
from authoring.release.verify_tasks import (
    check_documents,
    check_folder,
    check_pairs,
    check_proofs,
    check_records,
    check_tasks,
)
from authoring.system import git
from authoring.system.lock import is_locked
from authoring.system.workspace import Workspace
from authoring.taskrepo.intent import is_pending
from authoring.taskrepo.read import StoredTask

__all__ = ["Finding", "Report", "verify", "verify_clone"]


@dataclass(frozen=True, slots=True)
class Report:
    """What was recomputed, and what came out otherwise."""

    findings: tuple[Finding, ...]
    unchecked: tuple[str, ...]
    """Sentences about what could not be checked, and why."""
    counts: dict[str, int]
    """How many tasks, files, records, commitments and releases were looked at."""

    @property
    def holds(self) -> bool:
        """Whether nothing was found and something was looked at."""
        return not self.findings and any(self.counts.values())


def verify(workspace: Workspace, tag: str | None = None) -> Report:
    """Verify a release, or the present commits, of a workspace or of a clone of it.

    Only committed files count, so that a run which is writing at the same time is never mistaken for damage.
    Raises :class:`UsageError` REL005 for an unknown release, WSP004 for a malformed key.
    """
    key = workspace.key if workspace.has_key else None
    public = workspace.public if git.is_repository(workspace.public) else None
    return verify_clone(workspace.root, public, key, tag)


def verify_clone(
    private: Path | None, public: Path | None, key: bytes | None, tag: str | None = None
) -> Report:
    """Do as :func:`verify` with either repository alone; without the key commitments stay unchecked."""
    quiet = _is_quiet(private)
    state = tag_state(private, public, tag) if tag else head_state(private, public)
    findings: list[Finding] = []
    unchecked: list[str] = []
    counts = dict.fromkeys(("tasks", "files", "records", "commitments", "releases"), 0)
    for name, side in (("private", state.private), ("public", state.public)):
        if side is None:
            unchecked.append(f"The {name} repository{' has no such tag' if tag else ' is not here'}.")
    tasks = _read(state, findings)
    findings += check_tasks(tasks, state, counts)
    findings += check_records(state, counts)
    findings += check_documents(state)
    if tag:
        findings += check_release(state, tag, tasks, counts)
    if tag and key and state.private and state.public:
        findings += check_commitments(state, tag, tasks, key)
        counts["commitments"] = len(tasks)
    elif tag:
        lacking = "both repositories" if key else "the key"
        unchecked.append(f"What is behind commitments was not checked, without {lacking}.")
    compared = _compare(state, tasks, tag, both=private is not None and public is not None)
    if quiet and _is_quiet(private) and _is_still(state, tag):
        findings += compared
    else:
        unchecked.append("A run is under way or was interrupted, so the repositories were not compared.")
    return Report(tuple(sorted(findings, key=lambda one: (one.place, one.what))), tuple(unchecked), counts)


def _compare(state: State, tasks: list[StoredTask], tag: str | None, both: bool) -> list[Finding]:
    """Return what does not fit between the repositories; it counts only if no run went on meanwhile."""
    if state.private is None or state.public is None:
        lacking = "private" if state.private is None else "public"
        return [Finding(f"{lacking} release {tag}", "this repository lacks the tag")] if tag and both else []
    if tag:
        return [*check_pairs(tasks), *check_projection(state, tag)]
    return [*check_pairs(tasks), *check_proofs(tasks, state), *check_folder(state.public)]


def _is_still(state: State, tag: str | None) -> bool:
    """Tell whether the branches stand where they were read."""
    sides = [side for side in (state.private, state.public) if side is not None]
    return tag is not None or all(git.head(side.root) == side.commit for side in sides)


def _is_quiet(private: Path | None) -> bool:
    return private is None or not (is_locked(private) or is_pending(Workspace(private)))


def _read(state: State, findings: list[Finding]) -> list[StoredTask]:
    try:
        return state.tasks()
    except AuthoringError as error:
        findings.append(Finding("tasks", error.message))
        return []
