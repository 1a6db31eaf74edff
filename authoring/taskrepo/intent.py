"""The intent record: which two commits belong together, so that a crash between them is finished, not
noticed."""

from pathlib import Path

from authoring.model.document import Document, Part
from authoring.model.errors import CannotJudgeError
from authoring.system import git
from authoring.system.files import storage, write_atomic
from authoring.system.workspace import Workspace

__all__ = ["Intent", "Move", "PlacedTag", "finish", "is_pending", "record"]


class PlacedTag(Part):
    """A tag that belongs to the move."""

    name: str
    id: str
    """Id of the tag object."""


class Move(Part):
    """One repository's part: its branch goes from one commit to another."""

    repository: str
    """``private`` or ``public``."""
    old: str | None
    new: str
    tag: PlacedTag | None = None


class Intent(Document):
    """What is being shown; all its objects are stored already."""

    reason: str
    moves: tuple[Move, ...]


def _path(workspace: Workspace) -> Path:
    return workspace.path(".authoring", "intent.json")


def record(workspace: Workspace, intent: Intent) -> None:
    """Write the record; from here on the moves happen, whatever happens to this process."""
    write_atomic(_path(workspace), intent.to_json())


def is_pending(workspace: Workspace) -> bool:
    """Tell whether a run was interrupted between two commits."""
    return _path(workspace).exists()


def finish(workspace: Workspace) -> tuple[Move, ...]:
    """Carry out the intent that is recorded, if any, and forget it; return its moves.

    Call it only while holding the workspace's lock. Running it again, after any interruption, ends in the
    same state. Raises :class:`CannotJudgeError` TSK005 where a branch stands at neither end of its move,
    and forgets the intent: someone else committed, and the command has to be run again.
    """
    try:
        intent = Intent.from_json(_path(workspace).read_bytes())
    except FileNotFoundError:
        return ()
    except ValueError as error:
        raise CannotJudgeError(
            "TSK005", f"{_path(workspace)} cannot be read: {error}.", "Remove it and run the command again."
        ) from error
    _check_ends(workspace, intent)
    for move in intent.moves:
        _carry_out(_root(workspace, move), move, intent.reason)
    _forget(workspace)
    return intent.moves


def _root(workspace: Workspace, move: Move) -> Path:
    return workspace.public if move.repository == "public" else workspace.root


def _check_ends(workspace: Workspace, intent: Intent) -> None:
    for move in intent.moves:
        root = _root(workspace, move)
        if git.head(root) not in (move.old, move.new):
            _forget(workspace)
            raise CannotJudgeError(
                "TSK005",
                f"The branch of {root} moved while a commit was under way.",
                "Run the same command again.",
            )


def _carry_out(root: Path, move: Move, reason: str) -> None:
    with git.opened(root) as session:
        git.remove_stale_locks(session)
        if git.head_in(session) == move.old and move.new != move.old:
            git.move_branch(session, move.new, move.old, reason)
        git.follow(session, move.old, move.new)
        if move.tag is not None:
            git.place_tag(session, move.tag.name, move.tag.id)


def _forget(workspace: Workspace) -> None:
    with storage(_path(workspace)):
        _path(workspace).unlink(missing_ok=True)
