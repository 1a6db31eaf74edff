"""Commits and references: made in the object database, then shown by moving one reference.

Author, committer and both dates are always given, so that the same content, message and parents make the same
commit id on every machine. A reference moves only from the value that the caller saw.
"""

import os
import shutil
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from authoring.model.errors import CannotJudgeError
from authoring.system.files import PARTIAL_SUFFIX, remove_tree, storage
from authoring.system.git.identity import Identity
from authoring.system.git.library import GitCommandError, GitCommandNotFound, git
from authoring.system.git.revisions import head_in
from authoring.system.git.session import Session, git_failed, hardened, is_repository, opened

__all__ = [
    "BRANCH",
    "CommitFacts",
    "commit_tree",
    "history",
    "init",
    "move_branch",
    "read_commit",
    "remove_stale_locks",
]

BRANCH = "main"
"""The branch of the repositories that we make."""

_NOTHING = "0" * 40
_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class CommitFacts:
    """What a commit says of itself."""

    id: str
    parents: tuple[str, ...]
    date: datetime
    message: str


def init(root: Path) -> None:
    """Make a repository at ``root`` (a folder that exists), or leave the one that is there as it is.

    It is made aside and moved into place, so that a killed call leaves no half of one.
    """
    for left in root.glob(f".init.*{PARTIAL_SUFFIX}"):
        shutil.rmtree(left, ignore_errors=True)  # the git of a killed call may be about to end in there
    if is_repository(root):
        return
    aside = root / f".init.{os.getpid()}{PARTIAL_SUFFIX}"
    words = ["git", "init", "--quiet", f"--initial-branch={BRANCH}", "--object-format=sha1", "."]
    try:
        with storage(root):
            aside.mkdir()
            git.Git(aside).execute(words, env=hardened(aside) | {"GIT_DIR": str(aside / ".git")})
            remove_tree(root / ".git")
            (aside / ".git").rename(root / ".git")
            remove_tree(aside)
    except (GitCommandError, GitCommandNotFound) as error:
        raise git_failed(root, ("init",), error) from error


def commit_tree(
    session: Session, tree: str, parents: tuple[str, ...], message: str, *, who: Identity, date: datetime
) -> str:
    """Write a commit object and return its id; no reference moves, no hook runs."""
    stamp = f"{int(date.timestamp())} +0000"
    environment = {
        "GIT_AUTHOR_NAME": who.name,
        "GIT_AUTHOR_EMAIL": who.email,
        "GIT_AUTHOR_DATE": stamp,
        "GIT_COMMITTER_NAME": who.name,
        "GIT_COMMITTER_EMAIL": who.email,
        "GIT_COMMITTER_DATE": stamp,
    }
    words = ["commit-tree", tree, *(word for parent in parents for word in ("-p", parent)), "-F", "-"]
    output = session.run(*words, stdin=message.encode(), environment=environment)
    return output.decode("ascii").strip()


def move_branch(session: Session, new: str, old: str | None, reason: str) -> None:
    """Move the branch that HEAD names from ``old`` (None: unborn) to ``new``.

    Raises :class:`CannotJudgeError` WSP017 where it stands elsewhere: someone else committed meanwhile.
    """
    if head_in(session) != old:
        raise CannotJudgeError(
            "WSP017", f"The branch of {session.root} moved meanwhile.", "Run the same command again."
        )
    for attempt in range(_ATTEMPTS):
        try:
            session.run("update-ref", "-m", reason, "HEAD", new, old or _NOTHING)
        except CannotJudgeError:
            if head_in(session) == new:  # the git of a killed run was faster
                return
            if attempt == _ATTEMPTS - 1:
                raise
            time.sleep(0.1)
        else:
            return


def remove_stale_locks(session: Session) -> None:
    """Remove the lock files and half-written objects that a killed run left.

    Call it only where a run of ours was interrupted, and while holding the workspace's lock.
    """
    folder = Path(session.repo.common_dir)
    for path in sorted((folder / "objects").glob("obj*")):
        path.unlink(missing_ok=True)
    for path in (folder / "index.lock", folder / "HEAD.lock", folder / "packed-refs.lock"):
        path.unlink(missing_ok=True)
    for path in sorted((folder / "refs").rglob("*.lock")):
        path.unlink(missing_ok=True)


def read_commit(session: Session, commit: str) -> CommitFacts:
    """Return what a commit says of itself; dates are in UTC."""
    found = session.repo.commit(commit)
    return CommitFacts(
        id=found.hexsha,
        parents=tuple(parent.hexsha for parent in found.parents),
        date=found.committed_datetime,
        message=str(found.message),
    )


def history(root: Path, commit: str | None = None, below: str = "") -> list[CommitFacts]:
    """Return the commits up to ``commit`` (None: HEAD) that touch ``below``, newest first."""
    with opened(root) as session:
        start = commit or head_in(session)
        if start is None:
            return []
        paths = ("--", below) if below else ()
        ids = session.run("rev-list", start, *paths).decode("ascii").split()
        return [read_commit(session, one) for one in ids]
