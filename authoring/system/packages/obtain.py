"""Releases, revisions and folders as trees that a box can import from, kept in a cache that checks
digests."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from authoring.model.digest import sha256_hex, tree_digest, value_digest
from authoring.model.document import Document
from authoring.model.errors import UsageError
from authoring.system.files import publish_tree, read_limited, read_tree, remove_tree, write_atomic
from authoring.system.packages.index import Archive, download, parse_pin
from authoring.system.packages.layout import importable, top_levels, wheel_files
from authoring.system.packages.metadata import Metadata, notices_of, read_metadata
from authoring.system.packages.unpack import is_wheel, unpack

__all__ = ["ObtainedTree", "obtain_dependency", "obtain_files", "obtain_release"]

_ARCHIVE_CAP = 256 << 20


@dataclass(frozen=True, slots=True)
class ObtainedTree:
    """One side, or one dependency, unpacked."""

    path: Path
    """The folder to put on ``sys.path``: import packages and modules, and a release's metadata; read-only
    by custom."""
    archive_sha256: str
    """Digest of the wheel or source archive; empty for revisions and folders."""
    sha256: str
    """``tree_digest`` of everything below ``path``."""
    licence: str
    """As the metadata states it; empty where it states none."""
    notices: tuple[str, ...]
    """Texts of the licence files."""
    top_levels: tuple[str, ...]
    """Import names, sorted."""


class _Note(Document):
    """What the cache knows of a tree; written after the tree."""

    archive_sha256: str
    filename: str
    tree_sha256: str
    licence: str
    notices: tuple[str, ...]
    top_levels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Laid:
    files: dict[str, bytes]
    licence: str
    notices: tuple[str, ...]
    top_levels: tuple[str, ...]


def obtain_release(name: str, version: str, cache: Path, python: str = "") -> ObtainedTree:
    """Return a release unpacked below ``cache``, from there if its digests still hold, else by pip.

    ``python`` (``3.12``) chooses among wheels with compiled code. Nothing of the release is built or run.
    Raises what :func:`download` and :func:`unpack` raise, and :class:`UsageError` WSP037 where it holds
    nothing to import.
    """
    key = value_digest([re.sub(r"[-_.]+", "-", name).lower(), version, python])
    note_path = cache / "releases" / f"{key}.json"
    known = _cached(cache, note_path)
    if known is not None:
        return known
    archive = download(name, version, python)
    return _store_release(cache, note_path, archive, f"{name} {version}")


def obtain_dependency(pin: str, cache: Path, python: str = "") -> ObtainedTree:
    """Return a pinned dependency (``name==version``) as :func:`obtain_release` does; WSP036 for another
    form."""
    name, version = parse_pin(pin)
    return obtain_release(name, version, cache, python)


def obtain_files(files: Mapping[str, bytes], cache: Path, what: str, import_name: str = "") -> ObtainedTree:
    """Return the import packages among the files of a revision or folder, laid out below ``cache``.

    ``import_name`` names the package to look for, where it is known. Raises :class:`UsageError` WSP037
    where there is nothing to import.
    """
    laid = _lay_source(files, (import_name,) if import_name else ())
    if not laid.top_levels:
        raise _nothing(what)
    return _store(cache, laid, "")


def _cached(cache: Path, note_path: Path) -> ObtainedTree | None:
    """Return what the cache holds, or None after removing what does not match its digest."""
    try:
        note = _Note.model_validate_json(note_path.read_bytes())
    except (OSError, ValidationError):
        return None
    archive, tree = cache / "archives" / note.archive_sha256, cache / "trees" / note.tree_sha256
    if _holds_archive(archive, note.archive_sha256) and _holds_tree(tree, note.tree_sha256):
        return _obtained(tree, note)
    if _holds_archive(archive, note.archive_sha256):
        return _store_release(cache, note_path, Archive(note.filename, archive.read_bytes()), note.filename)
    archive.unlink(missing_ok=True)
    return None


def _holds_archive(path: Path, digest: str) -> bool:
    try:
        return sha256_hex(read_limited(path, _ARCHIVE_CAP)) == digest
    except UsageError:
        return False


def _holds_tree(path: Path, digest: str) -> bool:
    return path.is_dir() and tree_digest(read_tree(path)) == digest


def _store_release(cache: Path, note_path: Path, archive: Archive, what: str) -> ObtainedTree:
    laid = _lay_out(archive)
    if not laid.top_levels:
        raise _nothing(what)
    write_atomic(cache / "archives" / archive.sha256, archive.data)
    obtained = _store(cache, laid, archive.sha256)
    note = _Note(
        archive_sha256=archive.sha256,
        filename=archive.filename,
        tree_sha256=obtained.sha256,
        licence=laid.licence,
        notices=laid.notices,
        top_levels=laid.top_levels,
    )
    write_atomic(note_path, note.model_dump_json().encode())
    return obtained


def _store(cache: Path, laid: _Laid, archive_sha256: str) -> ObtainedTree:
    digest = tree_digest(laid.files)
    tree = cache / "trees" / digest
    if tree.exists() and not _holds_tree(tree, digest):
        remove_tree(tree)
    publish_tree(tree, laid.files)
    return ObtainedTree(tree, archive_sha256, digest, laid.licence, laid.notices, laid.top_levels)


def _obtained(tree: Path, note: _Note) -> ObtainedTree:
    return ObtainedTree(
        tree, note.archive_sha256, note.tree_sha256, note.licence, note.notices, note.top_levels
    )


def _lay_out(archive: Archive) -> _Laid:
    files = unpack(archive.filename, archive.data)
    if is_wheel(archive.filename):
        return _lay_wheel(files)
    tops = {path.partition("/")[0] for path in files if "/" in path}
    top = f"{tops.pop()}/" if len(tops) == 1 and all("/" in path for path in files) else ""
    return _lay_source({path[len(top) :]: data for path, data in files.items()}, ())


def _lay_wheel(files: Mapping[str, bytes]) -> _Laid:
    laid = wheel_files(files)
    folders = {path.partition("/")[0] + "/" for path in laid if path.partition("/")[0].endswith(".dist-info")}
    documents = [laid[f"{folder}METADATA"] for folder in sorted(folders) if f"{folder}METADATA" in laid]
    metadata = _read(documents)
    names = top_levels({path: data for path, data in laid.items() if not path.startswith(tuple(folders))})
    return _Laid(laid, metadata.licence, _notices(laid, tuple(folders), metadata), names)


def _lay_source(files: Mapping[str, bytes], named: tuple[str, ...]) -> _Laid:
    """Lay out a source tree: its import packages, and its metadata where a distribution would be looked
    up."""
    metadata = _read([files[path] for path in ("PKG-INFO",) if path in files])
    stated = [data for path, data in sorted(files.items()) if path.endswith(".egg-info/top_level.txt")]
    names = named or tuple(
        sorted({line for data in stated for line in data.decode("utf-8", "replace").split()})
    )
    laid = importable(files, names) or importable(files)
    found = top_levels(laid)
    if metadata.name and metadata.version:
        stem = re.sub(r"[-_.]+", "_", metadata.name).lower()
        folder = f"{stem}-{metadata.version}.dist-info"
        if re.fullmatch(r"[A-Za-z0-9_.!+-]+", folder):
            laid[f"{folder}/METADATA"] = metadata.text.encode()
    return _Laid(dict(sorted(laid.items())), metadata.licence, _notices(files, ("",), metadata), found)


def _notices(files: Mapping[str, bytes], folders: tuple[str, ...], metadata: Metadata) -> tuple[str, ...]:
    found = notices_of(files, folders)
    return found or ((metadata.notice,) if metadata.notice else ())


def _read(documents: list[bytes]) -> Metadata:
    return read_metadata(documents[0].decode("utf-8", "replace") if documents else "")


def _nothing(what: str) -> UsageError:
    return UsageError("WSP037", f"{what} holds no package or module to import.", "Name it with import_name.")
