"""A release as the gate takes it: its manifest and tasks, read from the commits that its tags name."""

from collections.abc import Mapping
from dataclasses import dataclass

from authoring.model.digest import sha256_hex
from authoring.model.errors import UsageError
from authoring.model.evidence import Record
from authoring.model.manifest import Manifest
from authoring.release import digest_of, tag_state, verify
from authoring.release.proof import read_records
from authoring.system.workspace import Workspace
from authoring.taskrepo.read import StoredTask, variant_of
from authoring.validation.flake import flake_bound
from authoring.variants.material import VariantTask

__all__ = ["Frozen", "FrozenTask", "open_release"]


@dataclass(frozen=True, slots=True)
class FrozenTask:
    """One task of a release."""

    stored: StoredTask
    variant: VariantTask
    flake_bound: float
    """Upper bound on the flake rate that the release's evidence gives; 1 where it holds none of this task."""


@dataclass(frozen=True, slots=True)
class Frozen:
    """A release whose tags and manifest agree."""

    version: str
    manifest: Manifest
    manifest_sha256: str
    commit: str
    """The release commit of the private repository."""
    tasks: tuple[FrozenTask, ...]
    private: Mapping[str, bytes]
    """The private repository's files at that commit, by path."""


def open_release(workspace: Workspace, version: str) -> Frozen:
    """Return a release of the workspace, after verifying it as `authoring verify` does.

    Raise ``UsageError``: REL005 where there is no such release, GTE004 for the first thing that is not what
    its manifests say, and where the private repository lacks the tag.
    """
    report = verify(workspace, version)
    if report.findings:
        first = report.findings[0]
        raise _damaged(version, f"{first.place}: {first.what}")
    state = tag_state(workspace.root, workspace.public, version)
    if state.private is None or state.private.commit is None:
        raise _damaged(version, "the private repository has no such tag")
    manifest = state.private.manifest(version)
    records = {record.key: record for record in read_records(state.private.files)[0]}
    stored = {each.task.id: each for each in state.tasks()}
    absent = sorted({entry.id for entry in manifest.tasks} - stored.keys())
    if absent:
        raise _damaged(version, f"the task {absent[0]} is not here: the public repository lacks the tag")
    tasks = tuple(
        _task(stored[entry.id], [records[key] for key in entry.evidence if key in records])
        for entry in manifest.tasks
    )
    return Frozen(version, manifest, digest_of(manifest), state.private.commit, tasks, state.private.files)


def _task(stored: StoredTask, records: list[Record]) -> FrozenTask:
    variant = variant_of(stored)
    reference, scenarios = (sha256_hex(text.encode()) for text in (variant.reference, variant.scenarios))
    runs = [
        record.result.verdict == "pass"
        for record in records
        if record.subject.program == reference and record.subject.scenarios == scenarios
    ]
    return FrozenTask(stored, variant, flake_bound(len(runs), runs.count(False)))


def _damaged(version: str, reason: str) -> UsageError:
    return UsageError(
        "GTE004",
        f"the release {version} cannot be judged by: {reason}",
        f"Run `authoring verify {version}`, and restore what it names from the history.",
        stage="gate",
    )
