"""A revision as plain files, read from the object database: no checkout, so no hook or filter runs."""

from pathlib import Path

from authoring.model.errors import UsageError
from authoring.system.files import publish_tree, safe_relative
from authoring.system.git.objects import read_objects
from authoring.system.git.revisions import resolve_in
from authoring.system.git.session import Session, opened
from authoring.system.links import resolve_links

__all__ = ["export_revision", "revision_files"]

_FILES = {"100644", "100755", "100664"}
_LINK = "120000"
_READ = _FILES | {_LINK}
_FILES_CAP = 50_000
_BYTES_CAP = 512 << 20


def export_revision(root: Path, revision: str, dest: Path) -> str:
    """Write the files of a revision to ``dest`` (which appears at once) and return the commit's id.

    Submodules are left out; a link inside the tree becomes a copy. Raises :class:`UsageError` as
    :func:`revision_files` does.
    """
    commit, files = revision_files(root, revision)
    publish_tree(dest, files)
    return commit


def revision_files(root: Path, revision: str) -> tuple[str, dict[str, bytes]]:
    """Return the commit's id and ``{path: bytes}`` of a revision.

    Raises :class:`UsageError`: WSP002, WSP015, WSP016 as :func:`resolve` does; WSP012 for a path, and WSP020
    for a link, that leaves the tree; WSP010 where the tree holds more than 50,000 files or 512 MiB.
    """
    with opened(root) as session:
        commit = resolve_in(session, revision)
        rows = _rows(session, commit)
        _check_size(rows, f"The revision {revision!a}")
        contents = read_objects(session, (blob for mode, blob, _, _ in rows if mode in _READ))
    files = {path: contents[blob] for mode, blob, _, path in rows if mode in _FILES}
    links = {path: contents[blob].decode("utf-8", "replace") for mode, blob, _, path in rows if mode == _LINK}
    return commit, resolve_links(files, links, f"revision {revision}")


def _rows(session: Session, commit: str) -> list[tuple[str, str, int, str]]:
    """Return mode, object id, size in bytes and path of every file and link."""
    rows = []
    for row in session.run("ls-tree", "-r", "-l", "-z", "--full-tree", commit).split(b"\0"):
        facts, _, name = row.partition(b"\t")
        if facts:
            mode, _, blob, size = facts.decode("ascii").split()
            path = str(safe_relative(name.decode("utf-8", "backslashreplace")))
            rows.append((mode, blob, int(size) if size.isdigit() else 0, path))
    return rows


def _check_size(rows: list[tuple[str, str, int, str]], what: str) -> None:
    if len(rows) > _FILES_CAP or sum(size for _, _, size, _ in rows) > _BYTES_CAP:
        raise UsageError(
            "WSP010",
            f"{what} holds more than {_FILES_CAP:,} files or {_BYTES_CAP >> 20} MiB.",
            "Give a smaller tree.",
        )
