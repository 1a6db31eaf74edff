"""The committed state of the two repositories at a moment or at a release, read in one go."""

import re
from dataclasses import dataclass
from pathlib import Path

from authoring.model.errors import UsageError
from authoring.model.manifest import Manifest
from authoring.system import git
from authoring.taskrepo.read import StoredTask, read_tasks

__all__ = ["Side", "State", "digest_in", "head_state", "tag_state"]

_DIGEST = re.compile(r"^Manifest: ([0-9a-f]{64})$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Side:
    """One repository's files at one commit."""

    root: Path
    commit: str | None
    files: dict[str, bytes]
    tag: git.Tag | None = None

    def manifest(self, version: str) -> Manifest:
        """Return the manifest of a release; raise :class:`UsageError` REL006 where it is missing or
        malformed."""
        data = self.files.get(f"releases/{version}.json")
        if data is None:
            raise UsageError("REL006", f"{self.root} has no manifest of release {version}.", "Restore it.")
        try:
            return Manifest.from_json(data)
        except ValueError as error:
            message = f"The manifest of release {version} in {self.root} is malformed: {error}."
            raise UsageError("REL006", message, "Restore it from the repository's history.") from error


@dataclass(frozen=True, slots=True)
class State:
    """Both sides; a clone may lack one of them."""

    private: Side | None
    public: Side | None

    def tasks(self) -> list[StoredTask]:
        """Return all tasks; raise :class:`UsageError` TSK006 for a malformed one."""
        return read_tasks(
            self.private.files if self.private else {}, self.public.files if self.public else {}
        )


def head_state(private: Path | None, public: Path | None) -> State:
    """Return the state of the branches.

    The public side is read first: a commit moves the private one first, so what is public is never newer.
    """
    later = _head(public)
    return State(_head(private), later)


def _head(root: Path | None) -> Side | None:
    if root is None or not git.is_repository(root):
        return None
    commit = git.head(root)
    return Side(root, commit, git.read_files(root, commit))


def tag_state(private: Path | None, public: Path | None, version: str) -> State:
    """Return the state that a release's tags name; a side without the tag is None.

    Raises :class:`UsageError` REL005 where neither side has the tag, WSP018 for text that names no tag.
    """
    later = _tagged(public, version)
    state = State(_tagged(private, version), later)
    if state.private is None and state.public is None:
        raise UsageError("REL005", f"There is no release {version!a}.", "Run: git tag --list")
    return state


def _tagged(root: Path | None, version: str) -> Side | None:
    if root is None or not git.is_repository(root):
        return None
    tag = git.read_tag(root, version)
    return None if tag is None else Side(root, tag.commit, git.read_files(root, tag.commit), tag)


def digest_in(message: str) -> str:
    """Return the manifest's digest that a tag's message carries, or an empty text."""
    found = _DIGEST.search(message)
    return found[1] if found else ""
