"""Write the tag of an open gate, with the decision and its evidence committed before it."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from authoring.model.digest import sha256_hex
from authoring.model.errors import UsageError
from authoring.model.manifest import Decision
from authoring.system import git
from authoring.system.workspace import Workspace
from authoring.taskrepo.intent import Intent, Move, finish, record

__all__ = ["FIELDS", "decision_path", "require_free", "tag_message", "write_tag"]

FIELDS = ("Release", "Manifest", "Decision", "Claim")
"""The lines that end a tag's message, in order."""


def decision_path(tag: str) -> str:
    """Return where a decision lies, in the private and in the public repository."""
    return f"gates/{tag}.json"


def tag_message(tag: str, decision: Decision) -> str:
    """Return the message of an open gate's tag."""
    digest = sha256_hex(decision.to_json())
    values = (decision.release, decision.manifest_sha256, digest, decision.claim or "none")
    lines = [f"{name}: {value}" for name, value in zip(FIELDS, values, strict=True)]
    return f"{tag}: {decision.passed} of {decision.judged} tasks pass\n\n" + "\n".join(lines) + "\n"


def require_free(root: Path, tag: str) -> None:
    """Raise ``UsageError``: WSP018 for what cannot name a tag, GTE008 where a tag has the name."""
    with git.opened(root) as session:
        git.check_tag_name(session, tag)
    if git.read_tag(root, tag) is not None:
        raise UsageError(
            "GTE008", f"the tag {tag} exists in {root} and never moves", "Choose another name.", stage="gate"
        )


def write_tag(
    workspace: Workspace,
    decision: Decision,
    tag: str,
    target: tuple[Path, str],
    *,
    date: datetime,
) -> str:
    """Commit an open decision with its evidence, then tag ``target`` (repository and commit); return the
    tag's id.

    Call it while holding the workspace's lock. Run again after an interruption it ends in the same state.
    Raise ``ValueError`` for a closed gate.
    """
    if not decision.open:
        raise ValueError("only an open gate makes a tag")
    finish(workspace)
    evidence = {path: workspace.path(path).read_bytes() for path in map(_evidence_path, decision.evidence)}
    gates = {decision_path(tag): decision.to_json()}
    message = f"Gate {tag}\n\nRelease: {decision.release}\nManifest: {decision.manifest_sha256}\n"
    who = git.identity(workspace.root)
    moves = []
    for root, repository, files in (
        (workspace.root, "private", {**gates, **evidence}),
        (workspace.public, "public", gates),
    ):
        moves += _commit(root, repository, files, message, who=who, date=date)
    if moves:
        record(workspace, Intent(reason=f"gate {tag}", moves=tuple(moves)))
        finish(workspace)
    root, commit = target
    with git.opened(root) as session:
        made = git.make_tag(session, tag, commit, tag_message(tag, decision), who=who, date=date)
        git.place_tag(session, tag, made)
    return made


def _evidence_path(key: str) -> str:
    return f"evidence/{key[:2]}/{key}.json"


def _commit(
    root: Path,
    repository: str,
    files: Mapping[str, bytes],
    message: str,
    *,
    who: git.Identity,
    date: datetime,
) -> list[Move]:
    """Store the files in a commit beside the branch; return its move, or nothing to move."""
    with git.opened(root) as session:
        old = git.head_in(session)
        before = git.list_tree(session, old)
        after = {**before, **git.store_files(session, files)}
        if after == before:
            return []
        tree = git.store_tree(session, after)
        new = git.commit_tree(session, tree, (old,) if old else (), message, who=who, date=date)
    return [Move(repository=repository, old=old, new=new)]
