"""Verify a release: its manifests against tags, tasks, evidence, commitments and the release before."""

from collections.abc import Iterator, Sequence

from authoring.model.errors import AuthoringError
from authoring.model.manifest import Manifest
from authoring.release.findings import Finding
from authoring.release.manifest import commitment_of, counts_of, digest_of, evidence_digest, project, tree_of
from authoring.release.proof import Unproven, prove, read_records
from authoring.release.state import Side, State, digest_in
from authoring.system import git
from authoring.taskrepo.read import StoredTask

__all__ = ["check_commitments", "check_projection", "check_release"]


def check_release(
    state: State, version: str, tasks: Sequence[StoredTask], counts: dict[str, int]
) -> Iterator[Finding]:
    """Check the manifests of a release, counting them."""
    for name, side in (("private", state.private), ("public", state.public)):
        if side is None or side.tag is None:
            continue
        place = f"{name} release {version}"
        try:
            manifest = side.manifest(version)
        except AuthoringError as error:
            yield Finding(place, error.message)
            continue
        counts["releases"] += 1
        if digest_of(manifest) != digest_in(side.tag.message):
            yield Finding(place, "the manifest is not the one that the tag names")
        if manifest.version != version:
            yield Finding(place, f"the manifest is of release {manifest.version!a}")
        yield from _check_chain(place, side, manifest)
        tiers = {"public"} if name == "public" else {"public", "hidden"} if state.public else {"hidden"}
        yield from _check_entries(place, manifest, [each for each in tasks if each.tier in tiers], tiers)
    if state.private is not None and state.public is not None:
        yield from _check_evidence(state.private, version, tasks)


def _check_chain(place: str, side: Side, manifest: Manifest) -> Iterator[Finding]:
    if manifest.previous is None:
        return
    try:
        before = digest_of(side.manifest(manifest.previous.version))
    except AuthoringError as error:
        yield Finding(place, error.message)
        return
    tag = git.read_tag(side.root, manifest.previous.version)
    if before != manifest.previous.sha256 or tag is None or digest_in(tag.message) != before:
        yield Finding(
            place, f"the release {manifest.previous.version} before it is not the one it was made from"
        )


def _check_entries(
    place: str, manifest: Manifest, tasks: Sequence[StoredTask], tiers: set[str]
) -> Iterator[Finding]:
    entries = {entry.id: entry for entry in manifest.tasks if entry.tier in tiers}
    present = {stored.task.id: stored for stored in tasks}
    for name in sorted(set(entries) | set(present)):
        if name not in present:
            yield Finding(place, f"{name} is missing")
        elif name not in entries:
            yield Finding(place, f"{name} is not in the manifest")
        elif tree_of(present[name]) != entries[name].tree_sha256:
            yield Finding(place, f"{name} is not the task that the manifest names")
        elif entries[name].group != present[name].task.group:
            yield Finding(place, f"{name} is of another group")


def _check_evidence(side: Side, version: str, tasks: Sequence[StoredTask]) -> Iterator[Finding]:
    """Compare the evidence that the private manifest names with what the records prove now."""
    try:
        manifest = side.manifest(version)
    except AuthoringError:
        return
    place = f"private release {version}"
    if manifest.counts != counts_of(tasks):
        yield Finding(place, "its counts are not those of its tasks")
    records, _ = read_records(side.files)
    named = [key for entry in manifest.tasks for key in entry.evidence]
    if manifest.exports.get("evidence") != evidence_digest(side.files, named):
        yield Finding(place, "a record of the evidence is not the one that was released")
    entries = {entry.id: entry for entry in manifest.tasks}
    for stored in tasks:
        entry = entries.get(stored.task.id)
        proof = prove(stored, records)
        if entry is None:
            continue
        if isinstance(proof, Unproven):
            yield Finding(place, f"{stored.task.id}: {proof.reason}")
        elif not set(entry.evidence) <= {each.key for each in records}:
            yield Finding(place, f"{stored.task.id}: a record that the manifest names is missing")
        elif (proof.keys, proof.claim) != (entry.evidence, entry.claim):
            yield Finding(place, f"{stored.task.id}: the evidence is not what the manifest names")


def check_commitments(
    state: State, version: str, tasks: Sequence[StoredTask], key: bytes
) -> Iterator[Finding]:
    """Check that every hidden folder is the one that both manifests commit to."""
    expected = sorted(commitment_of(key, stored) for stored in tasks)
    for name, side in (("private", state.private), ("public", state.public)):
        try:
            stated = [each.commitment for each in side.manifest(version).hidden] if side else expected
        except AuthoringError:
            continue
        if stated != expected:
            yield Finding(f"{name} release {version}", "a hidden folder is not the one that was committed to")


def check_projection(state: State, version: str) -> Iterator[Finding]:
    """Check that the public manifest shows what the private one allows."""
    if state.private is None or state.public is None:
        return
    try:
        private, public = state.private.manifest(version), state.public.manifest(version)
    except AuthoringError:
        return
    if public != project(private, public.previous.sha256 if public.previous else None):
        yield Finding(f"public release {version}", "it is not the projection of the private manifest")
