"""The working folder of our own repositories: made to follow a commit, and compared with it."""

import hashlib
from pathlib import Path

from authoring.system.files import storage, write_tree
from authoring.system.git.objects import changed_paths, list_tree, read_listing
from authoring.system.git.revisions import head_in
from authoring.system.git.session import Session, opened

__all__ = ["dirty_paths", "follow", "untracked_paths"]


def follow(session: Session, old: str | None, new: str) -> None:
    """Bring the files and the index of the working folder from commit ``old`` to ``new``.

    Files are written straight from the objects (no checkout, so no filter runs), each whole; what the
    commits do not know stays. Running it again after an interruption ends in the same state.
    """
    written, removed = changed_paths(list_tree(session, old), list_tree(session, new))
    write_tree(session.root, read_listing(session, written), durable=False)
    for path in removed:
        _remove(session.root, path)
    session.run("read-tree", new)
    session.succeeds("update-index", "-q", "--refresh")


def _remove(root: Path, path: str) -> None:
    target = root / path
    with storage(target):
        target.unlink(missing_ok=True)
        for parent in target.parents:
            if parent == root or not parent.is_dir() or any(parent.iterdir()):
                return
            parent.rmdir()


def dirty_paths(root: Path, commit: str | None = None) -> list[str]:
    """Return the committed files that the working folder holds otherwise or lacks, sorted.

    ``commit`` None means HEAD. Contents are compared, not times, so nothing cached hides a change.
    """
    with opened(root) as session:
        listing = list_tree(session, commit or head_in(session))
        return [path for path, blob in listing.items() if _blob_id(root / path) != blob]


def _blob_id(path: Path) -> str | None:
    try:
        if path.is_symlink() or not path.is_file():
            return None
        data = path.read_bytes()
    except OSError:
        return None
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def untracked_paths(root: Path) -> list[str]:
    """Return the files of the working folder that git neither knows nor ignores, sorted."""
    with opened(root) as session:
        output = session.run("ls-files", "--others", "--exclude-standard", "-z")
        return sorted(path for path in output.decode("utf-8", "replace").split("\0") if path)
