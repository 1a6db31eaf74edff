"""A release as the gate takes it: its manifest and tasks, read from the commits that its tags name."""

from collections.abc import Mapping
from dataclasses import dataclass

from authoring.model.digest import sha256_hex, value_digest
from authoring.model.errors import UsageError
from authoring.model.evidence import Record
from authoring.model.manifest import Manifest
from authoring.system import git
from authoring.system.workspace import Workspace
from authoring.taskrepo.read import StoredTask, read_tasks, variant_of
from authoring.validation.flake import flake_bound
from authoring.validation.judge import key_of
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
    """Return a release of the workspace.

    Raise ``UsageError`` GTE003 where there is no such release, GTE004 where its manifest, tasks or evidence
    are not what the manifest says.
    """
    tag = git.read_tag(workspace.root, version)
    if tag is None:
        known = ", ".join(each.name for each in git.list_tags(workspace.root)[-5:]) or "none yet"
        raise UsageError(
            "GTE003", f"there is no release {version!a}", f"Releases and gates: {known}.", stage="gate"
        )
    private = git.read_files(workspace.root, tag.commit)
    try:
        manifest = Manifest.from_json(private[f"releases/{version}.json"])
    except (KeyError, ValueError) as error:
        raise _damaged(version, "its manifest is missing or malformed") from error
    digest = value_digest(manifest.model_dump(mode="json"))
    if digest not in tag.message:
        raise _damaged(version, "its tag names another manifest")
    public_tag = git.read_tag(workspace.public, version) if git.is_repository(workspace.public) else None
    public = git.read_files(workspace.public, public_tag.commit) if public_tag is not None else {}
    stored = {each.task.id: each for each in read_tasks(private, public)}
    missing = sorted({entry.id for entry in manifest.tasks} - stored.keys())
    if missing:
        raise _damaged(version, f"the task {missing[0]} is not in the repositories")
    records = {entry.id: _records(version, private, entry.evidence) for entry in manifest.tasks}
    tasks = tuple(_task(stored[entry.id], records[entry.id]) for entry in manifest.tasks)
    return Frozen(version, manifest, digest, tag.commit, tasks, private)


def _records(version: str, private: Mapping[str, bytes], keys: tuple[str, ...]) -> list[Record]:
    found = []
    for key in keys:
        try:
            record = Record.from_json(private[f"evidence/{key[:2]}/{key}.json"])
        except (KeyError, ValueError) as error:
            raise _damaged(version, f"the evidence {key[:12]} is missing or malformed") from error
        if key_of(record.subject) != key:
            raise _damaged(version, f"the evidence {key[:12]} was edited")
        found.append(record)
    return found


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
