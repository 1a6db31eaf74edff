"""Wheels and source archives as plain files: read within bounds, never extracted by their own rules."""

import bz2
import io
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator

from authoring.model.errors import UsageError
from authoring.system.files import safe_relative
from authoring.system.links import resolve_links

__all__ = ["is_wheel", "unpack"]

_FILES_CAP = 50_000
_BYTES_CAP = 512 << 20
_SUFFIXES = (".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar")
_BROKEN = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    RuntimeError,
    NotImplementedError,
    ValueError,
)


def is_wheel(filename: str) -> bool:
    """Tell a wheel from a source archive by its name."""
    return filename.endswith(".whl")


def unpack(filename: str, data: bytes, max_bytes: int = _BYTES_CAP) -> dict[str, bytes]:
    """Return ``{path: bytes}`` of an archive, sorted; links inside it become copies.

    Raises :class:`UsageError`: WSP033 for a form that is not known, WSP034 for an archive that is broken,
    encrypted, over 50,000 files or 512 MiB, or that holds a path outside, a device or the same path twice;
    WSP020 for a link that leaves it.
    """
    try:
        if filename.endswith((".whl", ".zip")):
            files, links = _collect(filename, _zip_members(data, max_bytes), max_bytes)
        elif filename.endswith(_SUFFIXES):
            files, links = _collect(filename, _tar_members(data, max_bytes), max_bytes)
        else:
            raise UsageError(
                "WSP033", f"{filename} is no wheel and no source archive.", "Choose another version."
            )
    except _BROKEN as error:
        raise _hostile(filename, "cannot be unpacked") from error
    return resolve_links(files, links, filename)


Member = tuple[str, str, bytes]
"""Kind (``file``, ``link`` or ``other``), path, and content or target."""


def _collect(
    filename: str, members: Iterator[Member], max_bytes: int
) -> tuple[dict[str, bytes], dict[str, str]]:
    files: dict[str, bytes] = {}
    links: dict[str, str] = {}
    left = max_bytes
    for kind, name, data in members:
        path = _path(filename, name)
        left -= len(data)
        if kind == "other" or path in files or path in links:
            raise _hostile(filename, "holds a device or the same path twice")
        if left < 0 or len(files) + len(links) >= _FILES_CAP:
            raise _hostile(filename, "unpacks to too much")
        if kind == "link":
            links[path] = data.decode("utf-8", "surrogateescape")
        else:
            files[path] = data
    return files, links


def _path(filename: str, name: str) -> str:
    try:
        return str(safe_relative(name))
    except UsageError as error:
        raise _hostile(filename, f"holds the path {ascii(name)[:80]}") from error


def _zip_members(data: bytes, max_bytes: int) -> Iterator[Member]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        left = max_bytes
        for info in archive.infolist():
            if info.is_dir():
                continue
            with archive.open(info) as stream:
                content = stream.read(left + 1)
            left -= len(content)
            kind = "link" if stat.S_ISLNK(info.external_attr >> 16) else "file"
            yield kind, info.filename, content
            if left < 0:
                return


def _tar_members(data: bytes, max_bytes: int) -> Iterator[Member]:
    with tarfile.open(fileobj=io.BytesIO(_inflated(data, max_bytes)), mode="r:") as archive:
        for info in archive:
            if info.isdir():
                continue
            if info.issym():
                yield "link", info.name, info.linkname.encode("utf-8", "surrogateescape")
            elif info.islnk():
                yield "link", info.name, _relative_to(info.name, info.linkname)
            elif info.isreg():
                stream = archive.extractfile(info)
                yield "file", info.name, stream.read() if stream else b""
            else:
                yield "other", info.name, b""


def _relative_to(name: str, target: str) -> bytes:
    """Return a hard link's target, which is counted from the archive's top, as a symbolic link's."""
    return ("../" * (len(safe_relative(name).parts) - 1) + str(safe_relative(target))).encode()


def _inflated(data: bytes, max_bytes: int) -> bytes:
    """Return the bare tar behind any compression, within the bound."""
    if data.startswith(b"\x1f\x8b"):
        return _bounded(zlib.decompressobj(31).decompress(data, max_bytes + 1), max_bytes)
    if data.startswith(b"BZh"):
        return _bounded(bz2.BZ2Decompressor().decompress(data, max_bytes + 1), max_bytes)
    if data.startswith(b"\xfd7zXZ"):
        return _bounded(lzma.LZMADecompressor(memlimit=1 << 28).decompress(data, max_bytes + 1), max_bytes)
    return _bounded(data, max_bytes)


def _bounded(data: bytes, max_bytes: int) -> bytes:
    if len(data) > max_bytes:
        raise ValueError("too large")
    return data


def _hostile(filename: str, what: str) -> UsageError:
    return UsageError("WSP034", f"The archive {filename} {what}.", "Do not use this release.")
