"""Blobs and trees: folders as values, written to and read from the object database without a checkout."""

import hashlib
from collections.abc import Iterable, Mapping
from io import BytesIO
from pathlib import Path

from gitdb import IStream, LooseObjectDB

from authoring.model.errors import CannotJudgeError, UsageError
from authoring.system.files import safe_relative, storage
from authoring.system.git.library import tree_to_stream
from authoring.system.git.session import Session, opened

__all__ = [
    "Listing",
    "all_objects",
    "changed_paths",
    "list_tree",
    "merge_listing",
    "read_files",
    "read_listing",
    "read_objects",
    "store_files",
    "store_tree",
]

Listing = dict[str, str]
"""Blob id by path: a tree as a flat value. Only regular files have a place in our repositories."""

_FILE_MODE = 0o100644
_FOLDER_MODE = 0o040000


def store_files(session: Session, files: Mapping[str, bytes]) -> Listing:
    """Write each file as a blob and return the ids by path."""
    return {str(safe_relative(path)): _store(session, b"blob", files[path]).hex() for path in sorted(files)}


def _store(session: Session, kind: bytes, data: bytes) -> bytes:
    """Write an object in this process (GitPython would start one of git for each) unless it is there."""
    name = hashlib.sha1(b"%s %d\0" % (kind, len(data)) + data, usedforsecurity=False)
    database = LooseObjectDB(str(Path(session.repo.common_dir) / "objects"))
    if not database.has_object(name.digest()):
        with storage(session.root):
            database.store(IStream(kind, len(data), BytesIO(data)))
    return name.digest()


def store_tree(session: Session, listing: Mapping[str, str]) -> str:
    """Write the tree objects of a listing and return the root tree's id."""
    return _store_folder(session, {tuple(path.split("/")): blob for path, blob in listing.items()}).hex()


def _store_folder(session: Session, entries: Mapping[tuple[str, ...], str]) -> bytes:
    folders: dict[str, dict[tuple[str, ...], str]] = {}
    rows: list[tuple[bytes, int, str]] = []
    for path, blob in entries.items():
        if len(path) == 1:
            rows.append((bytes.fromhex(blob), _FILE_MODE, path[0]))
        else:
            folders.setdefault(path[0], {})[path[1:]] = blob
    rows += [(_store_folder(session, below), _FOLDER_MODE, name) for name, below in folders.items()]
    rows.sort(key=lambda row: row[2].encode() + (b"/" if row[1] == _FOLDER_MODE else b""))
    stream = BytesIO()
    tree_to_stream(rows, stream.write)
    return _store(session, b"tree", stream.getvalue())


def list_tree(session: Session, commit: str | None) -> Listing:
    """Return the regular files of a commit (none for None); links and submodules are left out."""
    if commit is None:
        return {}
    rows = session.run("ls-tree", "-r", "-z", "--full-tree", commit).decode("utf-8", "surrogateescape")
    listing: Listing = {}
    for row in rows.split("\0"):
        facts, _, path = row.partition("\t")
        if facts.startswith("100"):
            listing[path] = facts.split(" ")[2]
    return listing


def merge_listing(listing: Mapping[str, str], folders: tuple[str, ...], files: Mapping[str, str]) -> Listing:
    """Return the listing with everything below ``folders`` replaced by ``files``."""
    kept = {
        path: blob for path, blob in listing.items() if not path.startswith(tuple(f + "/" for f in folders))
    }
    return dict(sorted({**kept, **files}.items()))


def read_files(root: Path, commit: str | None, below: str = "") -> dict[str, bytes]:
    """Return ``{path: bytes}`` of a commit's regular files whose path begins with ``below``."""
    with opened(root) as session:
        return read_listing(session, list_tree(session, commit), below)


def read_listing(session: Session, listing: Mapping[str, str], below: str = "") -> dict[str, bytes]:
    """Return ``{path: bytes}`` of a listing's files whose path begins with ``below``, sorted."""
    wanted = {path: blob for path, blob in sorted(listing.items()) if path.startswith(below)}
    contents = read_objects(session, wanted.values())
    return {path: contents[blob] for path, blob in wanted.items()}


def read_blob(session: Session, blob: str) -> bytes:
    """Return a blob's bytes."""
    return read_objects(session, [blob])[blob]


def read_objects(session: Session, names: Iterable[str]) -> dict[str, bytes]:
    """Return the content of objects by id, all read by one process.

    Raises :class:`CannotJudgeError` WSP013 where one is not there.
    """
    wanted = sorted(set(names))
    if not wanted:
        return {}
    output = session.run(
        "cat-file", "--batch", "--buffer", stdin="".join(f"{name}\n" for name in wanted).encode()
    )
    found: dict[str, bytes] = {}
    at = 0
    for name in wanted:
        end = output.index(b"\n", at)
        header = output[at:end].split(b" ")
        if len(header) != 3 or not header[2].isdigit():
            raise CannotJudgeError(
                "WSP013", f"{session.root} lacks the object {name}.", "Run git fsck there."
            )
        size = int(header[2])
        found[name] = output[end + 1 : end + 1 + size]
        at = end + size + 2
    return found


def all_objects(session: Session, max_bytes: int = 1 << 30) -> dict[str, bytes]:
    """Return every blob, commit and tag of the object database by id, those that nothing refers to included.

    Raises :class:`UsageError` WSP010 where they are larger than ``max_bytes`` together.
    """
    rows = session.run("cat-file", "--batch-all-objects", "--batch-check").decode("ascii").splitlines()
    facts = [row.split(" ") for row in rows]
    wanted = [name for name, kind, _ in facts if kind != "tree"]
    if sum(int(size) for _, kind, size in facts if kind != "tree") > max_bytes:
        raise UsageError("WSP010", f"The objects of {session.root} are too large to read.", "Run git gc.")
    return read_objects(session, wanted)


def changed_paths(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return what to write (blob by path) and what to remove to come from one listing to another."""
    written = {path: blob for path, blob in sorted(new.items()) if old.get(path) != blob}
    return written, tuple(sorted(set(old) - set(new)))
