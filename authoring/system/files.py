"""Files: written whole or not at all, and read within bounds.

A file is written under a name of its own beside its place and moved there, so that a reader, or a run after
a crash, never sees half of one. What the machine refuses (no space, no permission) is told from bad input.
"""

import errno
import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from authoring.model.errors import AuthoringError, CannotJudgeError, UsageError

__all__ = [
    "PARTIAL_SUFFIX",
    "publish_tree",
    "read_limited",
    "read_names",
    "read_text_limited",
    "read_tree",
    "remove_partials",
    "remove_tree",
    "replace_tree",
    "safe_relative",
    "storage",
    "write_atomic",
    "write_tree",
]

PARTIAL_SUFFIX = ".partial"
"""Every file or folder that is being written ends so; git ignores them in a workspace."""

_PART_BYTES = 1 << 20
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}


@contextmanager
def storage(path: Path) -> Iterator[None]:
    """Turn what the machine's storage refuses while ``path`` is written into a coded error.

    Raises :class:`CannotJudgeError` WSP008 where there is no space left, and WSP009 for any other failure.
    """
    try:
        yield
    except OSError as error:
        raise _storage_error(path, error) from error


def _storage_error(path: Path, error: OSError) -> AuthoringError:
    reason = (error.strerror or str(error)).lower()
    if error.errno in _FULL:
        return CannotJudgeError(
            "WSP008", f"There is no space left to write {path} ({reason}).", "Free some space."
        )
    hint = "Change its permissions." if error.errno in _FORBIDDEN else "Look at the file system."
    return CannotJudgeError("WSP009", f"{path} cannot be written: {reason}.", hint)


def write_atomic(path: Path, data: bytes, mode: int = 0o644, *, durable: bool = True) -> None:
    """Write a file whole, with its folders, and flush it to the disk; nothing is left behind on failure.

    ``durable`` false leaves the flushing to the machine, for files that can be made again after a power cut.
    Raises :class:`CannotJudgeError` WSP008 or WSP009 where the machine refuses.
    """
    with storage(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.parent / f".{path.name}.{os.getpid()}{PARTIAL_SUFFIX}"
        try:
            _write_file(partial, data, mode, durable)
            partial.replace(path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
        if durable:
            _flush_folder(path.parent)


def _write_file(path: Path, data: bytes, mode: int, durable: bool) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, mode)
    with os.fdopen(descriptor, "wb") as stream:
        os.fchmod(stream.fileno(), mode)
        stream.write(data)
        stream.flush()
        if durable:
            os.fsync(stream.fileno())


def _flush_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def safe_relative(name: str) -> PurePosixPath:
    """Return ``name`` as a relative path inside a folder.

    Raises :class:`UsageError` WSP012 for a name that is absolute, empty, climbs with ``..``, or holds a
    back-slash or a control character.
    """
    path = PurePosixPath(name)
    if (
        not path.parts
        or path.is_absolute()
        or ".." in path.parts
        or "\\" in name
        or any(ord(letter) < 32 or ord(letter) == 127 for letter in name)
    ):
        raise UsageError(
            "WSP012",
            f"The path {ascii(name)[:200]} leaves its folder or holds a character that no path may.",
            "Use a relative path of plain characters.",
        )
    return path


def write_tree(folder: Path, files: Mapping[str, bytes], *, durable: bool = True) -> None:
    """Write each file of ``{relative path: bytes}`` whole into ``folder``; other files there stay.

    A file that already holds its bytes is not touched. Raises :class:`UsageError` WSP012 for a path that
    leaves the folder and :class:`CannotJudgeError` as :func:`write_atomic` does.
    """
    for name in sorted(files):
        path = folder / safe_relative(name)
        if not _holds(path, files[name]):
            write_atomic(path, files[name], durable=durable)


def _holds(path: Path, data: bytes) -> bool:
    try:
        return not path.is_symlink() and path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False


def replace_tree(folder: Path, files: Mapping[str, bytes]) -> None:
    """Make ``folder`` hold exactly these files: write what differs, then remove the rest."""
    write_tree(folder, files)
    for name in sorted(set(read_names(folder)) - set(files)):
        with storage(folder / name):
            (folder / name).unlink()
            _remove_empty_parents(folder / name, folder)


def _remove_empty_parents(path: Path, top: Path) -> None:
    for parent in path.parents:
        if parent == top or any(parent.iterdir()):
            return
        parent.rmdir()


def publish_tree(folder: Path, files: Mapping[str, bytes]) -> None:
    """Make ``folder`` appear at once with these files; where it is there already, nothing is done.

    For caches, whose readers compare digests: nothing is flushed to the disk.
    """
    if folder.exists():
        return
    partial = folder.parent / f".{folder.name}.{os.getpid()}{PARTIAL_SUFFIX}"
    remove_tree(partial)
    try:
        with storage(folder):
            for name in sorted(files):
                path = partial / safe_relative(name)
                path.parent.mkdir(parents=True, exist_ok=True)
                _write_file(path, files[name], 0o644, durable=False)
            partial.mkdir(parents=True, exist_ok=True)
            _rename_unless_there(partial, folder)
    finally:
        remove_tree(partial)


def _rename_unless_there(source: Path, target: Path) -> None:
    try:
        source.rename(target)
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise


def remove_tree(folder: Path) -> None:
    """Remove a folder and all in it, following no links; a missing one is fine."""
    with storage(folder):
        if folder.is_symlink() or folder.is_file():
            folder.unlink()
        elif folder.exists():
            shutil.rmtree(folder)


def remove_partials(folder: Path) -> None:
    """Remove what interrupted writes left in ``folder``; call it only while holding the workspace's lock."""
    for path in sorted(folder.rglob(f".*{PARTIAL_SUFFIX}")):
        remove_tree(path)


def read_names(folder: Path) -> list[str]:
    """Return the sorted relative paths of the regular files below ``folder``; no partial ones, no links."""
    if not folder.is_dir():
        return []
    return sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink() and not path.name.endswith(PARTIAL_SUFFIX)
    )


def read_tree(folder: Path, max_bytes: int = 512 << 20) -> dict[str, bytes]:
    """Return ``{relative path: bytes}`` of the regular files below ``folder``, sorted; links are left out.

    Raises :class:`UsageError` WSP010 for a file or a folder over ``max_bytes``.
    """
    files: dict[str, bytes] = {}
    left = max_bytes
    for name in read_names(folder):
        files[name] = read_limited(folder / name, left)
        left -= len(files[name])
    return files


def read_limited(path: Path, max_bytes: int) -> bytes:
    """Return a regular file's bytes.

    Raises :class:`UsageError`: WSP011 where it is missing, not readable or no regular file (a pipe is never
    waited for), WSP010 where it is larger than ``max_bytes``.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        reason = error.strerror.lower() if isinstance(error, OSError) and error.strerror else "not a path"
        raise UsageError("WSP011", f"{path} cannot be read: {reason}.", "Check the path.") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UsageError("WSP011", f"{path} is not a regular file.", "Give a file.")
    with os.fdopen(descriptor, "rb") as stream:
        data = _read_at_most(stream, max_bytes + 1)
    if len(data) > max_bytes:
        raise UsageError("WSP010", f"{path} is larger than {max_bytes:,} bytes.", "Give a smaller file.")
    return data


def _read_at_most(stream: BinaryIO, most: int) -> bytes:
    """Read in parts: one read of a high bound would take that much memory for a small file too."""
    data = bytearray()
    while len(data) < most and (part := stream.read(min(_PART_BYTES, most - len(data)))):
        data += part
    return bytes(data)


def read_text_limited(path: Path, max_bytes: int) -> str:
    """Return a regular file's UTF-8 text without a byte order mark; WSP011 also where it is not UTF-8."""
    try:
        return read_limited(path, max_bytes).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            "WSP011", f"{path} is not UTF-8 text (byte {error.start}).", "Save the file as UTF-8."
        ) from error
