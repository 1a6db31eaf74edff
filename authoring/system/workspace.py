"""The workspace: a private git repository, the public one inside it, and the key, made and opened here."""

import os
import secrets
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from authoring.model.errors import CannotJudgeError, UsageError
from authoring.system import git
from authoring.system.clock import now
from authoring.system.files import read_limited, storage, write_atomic, write_tree

__all__ = ["CATALOG_HEADER", "KEY_BYTES", "KEY_VARIABLE", "Workspace"]

KEY_BYTES = 32
KEY_VARIABLE = "AUTHORING_KEY_FILE"
"""Names the key's file in a clone, where ``.authoring/`` is missing."""

CATALOG_HEADER = (
    "id,contract,variant,mechanism,group,category,difficulty,public_checks,hidden_checks,licence\n"
)
"""First line of the public catalogue."""

_MARKER = "authoring.toml"
_IGNORED = (".authoring/", "/public/", ".*.partial")
_PRIVATE_START = {
    ".gitignore": "".join(f"{line}\n" for line in _IGNORED).encode(),
    _MARKER: b"# Settings of this workspace; `authoring config show` lists them all with their values.\n",
}
_PUBLIC_START = {
    ".gitignore": b".*.partial\n",
    "README.md": b"# Tasks from real failures\n\nNo task has been published yet.\n",
    "catalog.csv": CATALOG_HEADER.encode(),
}


@dataclass(frozen=True, slots=True)
class Workspace:
    """A workspace that exists; ``root`` is its absolute folder."""

    root: Path

    @classmethod
    def create(cls, folder: Path, key_file: Path | None = None, date: datetime | None = None) -> "Workspace":
        """Make a workspace in ``folder``, or finish one that was interrupted; an existing one stays.

        ``key_file`` names the key to use; where that file does not exist it is made there too. Raises
        :class:`UsageError`: WSP007 without a git identity, WSP021 where the folder holds something else,
        WSP004 for a malformed key, or one that differs from the workspace's own.
        """
        root = folder.expanduser().resolve()
        who = git.identity(root)
        if root.exists() and not (root / ".authoring").is_dir() and not _is_workspace(root):
            _refuse_occupied(root)
        if key_file is not None and key_file.exists():
            _read_key(key_file)
        with storage(root):
            (root / ".authoring").mkdir(parents=True, exist_ok=True)
        _make_key(root / ".authoring" / "key", key_file)
        moment = date or now()
        for repo, files in ((root, _PRIVATE_START), (root / "public", _PUBLIC_START)):
            _make_repository(repo, files, who, moment)
        return cls(root)

    @classmethod
    def open(cls, folder: Path) -> "Workspace":
        """Open the workspace in ``folder``; the key is read only when it is asked for.

        Raises :class:`UsageError`: WSP001 where there is none, WSP002 where the folder is no git repository.
        """
        root = folder.expanduser().resolve()
        if not root.is_dir():
            raise UsageError("WSP001", f"There is no workspace at {root}.", f"Run: authoring init {folder}")
        if not git.is_repository(root):
            raise UsageError("WSP002", f"{root} is not a git repository.", f"Run: authoring init {folder}")
        if not _is_workspace(root):
            raise UsageError(
                "WSP001",
                f"The repository {root} is not a workspace.",
                "Run: authoring init DIR, for a new folder.",
            )
        return cls(root)

    def path(self, *parts: str) -> Path:
        """Return a path inside the workspace."""
        return self.root.joinpath(*parts)

    @property
    def public(self) -> Path:
        """The folder of the public repository."""
        return self.root / "public"

    @property
    def cache(self) -> Path:
        """The folder of everything that can be obtained again."""
        return self.root / ".authoring" / "cache"

    @property
    def has_key(self) -> bool:
        """Whether there is a key to read (it may still be malformed)."""
        return bool(os.environ.get(KEY_VARIABLE)) or self.path(".authoring", "key").exists()

    @property
    def key(self) -> bytes:
        """The workspace key, 32 bytes.

        Raises :class:`CannotJudgeError` WSP003 where there is none, :class:`UsageError` WSP004 where it is
        malformed, WSP011 where ``AUTHORING_KEY_FILE`` names no readable file.
        """
        named = os.environ.get(KEY_VARIABLE)
        if named:
            return _read_key(Path(named))
        own = self.path(".authoring", "key")
        if not own.exists():
            raise CannotJudgeError(
                "WSP003",
                f"The workspace {self.root} has no key here.",
                f"Set {KEY_VARIABLE} to the key's file.",
            )
        return _read_key(own)


def _is_workspace(root: Path) -> bool:
    return (root / ".git").exists() and (root / _MARKER).exists()


def _refuse_occupied(root: Path) -> None:
    if not root.is_dir() or any(root.iterdir()):
        raise UsageError(
            "WSP021", f"{root} exists and is not an empty folder.", "Give a new or an empty folder."
        )


def _read_key(path: Path) -> bytes:
    key = read_limited(path, 1 << 20)
    if len(key) != KEY_BYTES:
        raise UsageError(
            "WSP004", f"{path} is not a key of {KEY_BYTES} bytes.", "Give the file that init made."
        )
    return key


def _make_key(own: Path, given: Path | None) -> None:
    if given is not None and not given.exists():
        write_atomic(given, _read_key(own) if own.exists() else secrets.token_bytes(KEY_BYTES), 0o600)
    wanted = _read_key(given) if given is not None else None
    if own.exists():
        if wanted is not None and _read_key(own) != wanted:
            raise UsageError("WSP004", f"The workspace has another key than {given}.", "Use its own key.")
        return
    write_atomic(own, wanted or secrets.token_bytes(KEY_BYTES), 0o600)


def _make_repository(root: Path, files: dict[str, bytes], who: git.Identity, date: datetime) -> None:
    """Make a repository with a first commit; where one has a commit already, nothing is done."""
    with storage(root):
        root.mkdir(parents=True, exist_ok=True)
    git.init(root)
    with git.opened(root) as session:
        if git.head_in(session) is not None:
            return
        git.remove_stale_locks(session)
        missing = {path: data for path, data in files.items() if not (root / path).exists()}
        write_tree(root, missing)
        present = {path: (root / path).read_bytes() for path in files}
        tree = git.store_tree(session, git.store_files(session, present))
        commit = git.commit_tree(session, tree, (), "Begin\n", who=who, date=date)
        git.move_branch(session, commit, None, "init")
        git.follow(session, None, commit)
