"""Names of revisions, turned into commit ids before anything else sees them."""

import re
from pathlib import Path

from authoring.model.errors import CannotJudgeError, UsageError
from authoring.system.git.session import Session, opened

__all__ = ["head", "head_in", "resolve", "resolve_in"]

_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?", re.ASCII)
_LENGTH_CAP = 250


def resolve(root: Path, revision: str) -> str:
    """Return the id (hexadecimal) of the commit that ``revision`` names in the repository at ``root``.

    Raises :class:`UsageError`: WSP002 where there is no repository, WSP015 for text that git would take as an
    option or that no revision can be, WSP016 for a revision that does not exist there.
    """
    with opened(root) as session:
        return resolve_in(session, revision)


def resolve_in(session: Session, revision: str) -> str:
    """Do as :func:`resolve` in an open repository."""
    _check(revision)
    found = session.succeeds("rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}")
    commit = (found or b"").decode("ascii", "replace").strip()
    if not _ID.fullmatch(commit):
        raise UsageError(
            "WSP016",
            f"The repository {session.root} has no commit {revision!a}.",
            "Give a branch, a tag or a commit id; a shallow clone may lack it.",
        )
    return commit


def _check(revision: str) -> None:
    printable = revision.isprintable() and len(revision) <= _LENGTH_CAP
    if not revision or revision.startswith("-") or not printable or ".." in revision:
        raise UsageError(
            "WSP015",
            f"{ascii(revision)[:80]} cannot be a revision.",
            "A revision is a branch, a tag or a commit id; it does not begin with '-' and is no range.",
        )


def head(root: Path) -> str | None:
    """Return the id of the commit that HEAD names, or None in a repository without commits.

    Raises :class:`CannotJudgeError` WSP013 where HEAD names a commit that is not there.
    """
    with opened(root) as session:
        return head_in(session)


def head_in(session: Session) -> str | None:
    """Do as :func:`head` in an open repository."""
    commit, named = (("rev-parse", "--verify", "--quiet", name) for name in ("HEAD^{commit}", "HEAD"))
    found = session.succeeds(*commit)
    if not found and session.succeeds(*named):
        found = session.succeeds(
            *commit
        )  # what still ran for a process that was killed may have committed meanwhile
    if not found and session.succeeds(*named):
        raise CannotJudgeError(
            "WSP013", f"{session.root} lacks the commit that its HEAD names.", "Run git fsck there."
        )
    return found.decode("ascii").strip() if found else None
