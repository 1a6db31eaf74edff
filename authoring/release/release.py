"""Freeze the committed tasks as a release: a manifest and an annotated tag in each repository."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from authoring.model.errors import NothingJudgedError, RefusedError, UsageError
from authoring.model.manifest import Manifest
from authoring.release.manifest import Earlier, build, digest_of, manifest_path, project
from authoring.release.proof import Proof, Unproven, prove, read_records
from authoring.release.state import State, head_state, tag_state
from authoring.release.verify_release import check_commitments
from authoring.system import git
from authoring.system.workspace import Workspace
from authoring.taskrepo.intent import Intent, Move, PlacedTag, finish, record
from authoring.taskrepo.read import StoredTask

__all__ = ["Released", "release", "releases_of"]

_VERSION = re.compile(r"[0-9A-Za-z](?:[0-9A-Za-z.+_-]{0,48}[0-9A-Za-z])?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Released:
    """A release as it stands in the repositories."""

    manifest: Manifest
    """The private one."""
    sha256: str
    """Its digest, which the private tag carries."""
    changed: bool
    """False where the release was there already."""


def release(workspace: Workspace, version: str) -> Released:
    """Freeze what both repositories have committed as ``version``.

    Call it while holding the workspace's lock. The same version with the same tasks again does nothing.
    Raises :class:`UsageError` REL002 (no version), REL003 (the version exists with other tasks), WSP005
    (changed committed files), WSP003 (no key), REL008 (another key than the release before);
    :class:`RefusedError` REL001 (a task without valid evidence); :class:`NothingJudgedError` REL004 (no task).
    """
    finish(workspace)
    check_version(version)
    who = git.identity(workspace.root)
    _check_clean(workspace)
    existing = git.read_tag(workspace.root, version)
    state = (
        tag_state(workspace.root, workspace.public, version)
        if existing
        else head_state(workspace.root, workspace.public)
    )
    tasks = state.tasks()
    if not tasks:
        raise NothingJudgedError(
            "REL004", "The workspace has no committed task to release.", "Run: authoring new"
        )
    if existing:
        return _again(workspace, version, state)
    proofs = _proofs(state, tasks)
    earlier = _earlier(workspace)
    _check_key(workspace, earlier)
    moment = _newest(workspace)
    private = build(
        version,
        tasks,
        proofs,
        earlier,
        key=workspace.key,
        date=moment.isoformat(),
        evidence=state.private.files if state.private else {},
    )
    public = project(private, earlier.public_sha256 if earlier else None)
    moves = []
    for root, repository, manifest in (
        (workspace.root, "private", private),
        (workspace.public, "public", public),
    ):
        with git.opened(root) as session:
            old = git.head_in(session)
            stored = git.store_files(session, {manifest_path(version): manifest.to_json()})
            tree = git.store_tree(session, {**git.list_tree(session, old), **stored})
            text = f"Release {version}\n\nManifest: {digest_of(manifest)}\n"
            parents = (old,) if old else ()
            commit = git.commit_tree(session, tree, parents, text, who=who, date=moment)
            tag = git.make_tag(session, version, commit, text, who=who, date=moment)
            moves.append(
                Move(repository=repository, old=old, new=commit, tag=PlacedTag(name=version, id=tag))
            )
    record(workspace, Intent(reason=f"release {version}", moves=tuple(moves)))
    finish(workspace)
    return Released(private, digest_of(private), changed=True)


def check_version(version: str) -> None:
    """Raise :class:`UsageError` REL002 for text that cannot name a release."""
    if not _VERSION.fullmatch(version) or ".." in version or version.endswith(".lock"):
        raise UsageError(
            "REL002",
            f"{ascii(version)[:60]} cannot name a release.",
            "Use letters, digits, dots and hyphens: 1.0.0",
        )


def _check_clean(workspace: Workspace) -> None:
    changed = git.dirty_paths(workspace.root) + git.dirty_paths(workspace.public)
    if changed:
        raise UsageError(
            "WSP005",
            f"{changed[0]} changed without a commit.",
            "Commit the change or take it back.",
            stage="release",
        )


def _again(workspace: Workspace, version: str, state: State) -> Released:
    """Return the release that is there, or refuse where the tasks have changed since."""
    now = head_state(workspace.root, workspace.public)
    if _contents(now) != _contents(state):
        raise UsageError(
            "REL003",
            f"The release {version} exists with other tasks, and it never changes.",
            "Take a new version.",
        )
    if state.private is None:
        raise UsageError(
            "REL005", f"There is no release {version} in {workspace.root}.", "Run: git tag --list"
        )
    manifest = state.private.manifest(version)
    return Released(manifest, digest_of(manifest), changed=False)


def _contents(state: State) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Return what a release freezes: tasks, hidden folders and evidence."""
    sides = (state.private, ("hidden/", "evidence/")), (state.public, ("tasks/",))
    private, public = (
        {path: data for path, data in side.files.items() if path.startswith(folders)} if side else {}
        for side, folders in sides
    )
    return private, public


def _proofs(state: State, tasks: Sequence[StoredTask]) -> dict[str, Proof]:
    records, damaged = read_records(state.private.files if state.private else {})
    if damaged:
        raise RefusedError(
            "REL001", f"The evidence {damaged[0]} is damaged or was edited.", "Restore it.", stage="release"
        )
    found: Mapping[str, Proof | Unproven] = {stored.task.id: prove(stored, records) for stored in tasks}
    unproven = {name: proof.reason for name, proof in found.items() if isinstance(proof, Unproven)}
    if unproven:
        name = min(unproven)
        more = f" (and {len(unproven) - 1} more tasks)" if len(unproven) > 1 else ""
        raise RefusedError(
            "REL001",
            f"{name} cannot be released: {unproven[name]}{more}.",
            f"Run: authoring validate {name.partition('/')[0]}",
            stage="release",
            proof="\n".join(f"{name}: {reason}" for name, reason in sorted(unproven.items())),
        )
    return {name: proof for name, proof in found.items() if isinstance(proof, Proof)}


def releases_of(workspace: Workspace) -> list[str]:
    """Return the versions released, oldest first: in the order of their commits."""
    released = {
        tag.commit: tag.name for tag in git.list_tags(workspace.root) if "\n\nManifest: " in tag.message
    }
    return [released[facts.id] for facts in reversed(git.history(workspace.root)) if facts.id in released]


def _earlier(workspace: Workspace) -> Earlier | None:
    versions = releases_of(workspace)
    if not versions:
        return None
    version = versions[-1]
    state = tag_state(workspace.root, workspace.public, version)
    return Earlier(
        version=version,
        private_sha256=digest_of(state.private.manifest(version)) if state.private else "",
        public_sha256=digest_of(state.public.manifest(version)) if state.public else "",
        tasks={stored.task.id: stored for stored in state.tasks()},
    )


def _check_key(workspace: Workspace, earlier: Earlier | None) -> None:
    """Refuse a key with which the release before was not made: its commitments could never be opened again."""
    if earlier is None:
        return
    state = tag_state(workspace.root, workspace.public, earlier.version)
    found = list(check_commitments(state, earlier.version, list(earlier.tasks.values()), workspace.key))
    if found:
        raise UsageError(
            "REL008",
            f"The key of {workspace.root} does not open the commitments of release {earlier.version}.",
            f"Put the workspace's own key back; `authoring verify {earlier.version}` tells when it is.",
            stage="release",
        )


def _newest(workspace: Workspace) -> datetime:
    """Return the date of the newest task commit, in UTC."""
    dates = [facts.date for facts in git.history(workspace.root, below="hidden")]
    return max(dates).astimezone(UTC)
