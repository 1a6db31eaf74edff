"""The manifest of a release: what it holds, by digest, and what of it the public may read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from authoring import __version__
from authoring.model.digest import keyed_digest, sha256_hex, tree_digest, value_digest
from authoring.model.manifest import Commitment, Counts, Manifest, Previous, TaskEntry
from authoring.release.proof import Proof
from authoring.release.splits import split_of
from authoring.taskrepo.read import StoredTask

__all__ = [
    "Earlier",
    "build",
    "commitment_of",
    "digest_of",
    "evidence_digest",
    "manifest_path",
    "project",
    "tree_of",
]


Since = Literal["new", "reuse", "regrade", "rerun"]


@dataclass(frozen=True, slots=True)
class Earlier:
    """The release before, as far as a new one looks at it."""

    version: str
    private_sha256: str
    public_sha256: str
    tasks: Mapping[str, StoredTask]


def manifest_path(version: str) -> str:
    """Return where a manifest lies in either repository."""
    return f"releases/{version}.json"


def digest_of(manifest: Manifest) -> str:
    """Return the digest that the tag's message carries."""
    return value_digest(manifest.model_dump(mode="json"))


def tree_of(stored: StoredTask) -> str:
    """Return ``tree_sha256`` of a task: of its public folder, or of a hidden variant's whole hidden
    folder."""
    return tree_digest(stored.files) if stored.tier == "public" else hidden_tree_of(stored)


def hidden_tree_of(stored: StoredTask) -> str:
    """Return ``tree_sha256`` of a task's hidden folder."""
    inner = {f"task/{name}": data for name, data in stored.files.items()} if stored.tier == "hidden" else {}
    return tree_digest({**stored.private, **inner})


def commitment_of(key: bytes, stored: StoredTask) -> str:
    """Return the promise of a task's hidden folder: nobody can guess the folder from it, nor change it
    later."""
    salt = keyed_digest(key, "salt", stored.task.id)
    return sha256_hex((salt + hidden_tree_of(stored)).encode())


def build(
    version: str,
    tasks: Sequence[StoredTask],
    proofs: Mapping[str, Proof],
    earlier: Earlier | None,
    *,
    key: bytes,
    date: str,
    evidence: Mapping[str, bytes],
) -> Manifest:
    """Return the private manifest of the tasks; ``evidence`` holds the records' files by path."""
    return Manifest(
        version=version,
        previous=Previous(version=earlier.version, sha256=earlier.private_sha256) if earlier else None,
        tool=f"authoring {__version__}",
        date=date,
        tasks=tuple(_entry(stored, proofs[stored.task.id], earlier, key) for stored in tasks),
        hidden=tuple(
            Commitment(commitment=text) for text in sorted(commitment_of(key, stored) for stored in tasks)
        ),
        counts=counts_of(tasks),
        environment={"python": ", ".join(sorted({stored.task.environment.python for stored in tasks}))},
        exports={
            "evidence": evidence_digest(evidence, [key for proof in proofs.values() for key in proof.keys])
        },
    )


def evidence_digest(evidence: Mapping[str, bytes], keys: Sequence[str]) -> str:
    """Return ``tree_digest`` of the records of these keys, which binds their results too."""
    wanted = {f"evidence/{key[:2]}/{key}.json" for key in keys}
    return tree_digest({path: data for path, data in evidence.items() if path in wanted})


def counts_of(tasks: Sequence[StoredTask]) -> Counts:
    """Count what a release holds."""
    described = [stored.task for stored in tasks]
    return Counts(
        mechanisms=len({task.mechanism for task in described}),
        families=len({task.contract for task in described}),
        groups=len({task.group for task in described}),
        variants=len(described),
        categories=len({task.category for task in described}),
    )


def _entry(stored: StoredTask, proof: Proof, earlier: Earlier | None, key: bytes) -> TaskEntry:
    return TaskEntry(
        id=stored.task.id,
        group=stored.task.group,
        split=split_of(key, stored.task.group),
        tier="public" if stored.tier == "public" else "hidden",
        tree_sha256=tree_of(stored),
        evidence=proof.keys,
        claim=proof.claim,
        since_previous=_since(stored, earlier.tasks.get(stored.task.id) if earlier else None),
    )


def _since(stored: StoredTask, before: StoredTask | None) -> Since:
    """Say what of old results holds: all, after grading them again, or not without a new run of the agent."""
    if before is None:
        return "new"
    if tree_of(stored) == tree_of(before) and hidden_tree_of(stored) == hidden_tree_of(before):
        return "reuse"
    return "regrade" if _seen_by_agent(stored) == _seen_by_agent(before) else "rerun"


def _seen_by_agent(stored: StoredTask) -> dict[str, bytes | None]:
    return {name: stored.files.get(name) for name in sorted(stored.task.visible)}


def project(manifest: Manifest, earlier_public_sha256: str | None) -> Manifest:
    """Return the public manifest: public tasks only, hidden ones as counts and sorted commitments."""
    previous = None
    if manifest.previous is not None and earlier_public_sha256 is not None:
        previous = Previous(version=manifest.previous.version, sha256=earlier_public_sha256)
    public = tuple(entry for entry in manifest.tasks if entry.tier == "public")
    return manifest.model_copy(update={"tasks": public, "previous": previous})
