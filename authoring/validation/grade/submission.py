"""A candidate as it was handed in, read once: paths and bytes, and what about it is no plain file (R1, R3)."""

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from authoring.model.digest import tree_digest
from authoring.model.errors import UsageError
from authoring.validation.grade.patch import apply_patch, is_patch

__all__ = ["Submission", "read_submission"]

FILE_CAP = 1 << 20
TOTAL_CAP = 16 << 20
FILES_CAP = 2000
_NAME_CAP = 1000


@dataclass(frozen=True, slots=True)
class Submission:
    """The bytes that are judged; nothing is read a second time."""

    files: Mapping[str, bytes]
    """By path relative to the task's folder, with ``/``."""
    odd: tuple[str, ...] = field(default=())
    """What was found that is no plain file of bounded size, as sentences."""

    @property
    def sha256(self) -> str:
        """Return the digest of the files and of what is odd about them."""
        odd = "\n".join(self.odd).encode()
        return tree_digest({**self.files, "\x00odd": odd} if odd else self.files)


def read_submission(path: Path, program: str, pristine: Mapping[str, bytes]) -> Submission:
    """Return the submission in a file, a folder or a patch; a file stands for the task's program.

    Raise :class:`UsageError` where there is nothing to read.
    """
    try:
        kind = path.lstat()
    except OSError as error:
        raise UsageError(
            "VAL101",
            f"The candidate {str(path)[:200]!a} cannot be read.",
            "Give a file, a folder or a patch that exists and may be read.",
        ) from error
    if stat.S_ISDIR(kind.st_mode):
        return _read_folder(path)
    odd: list[str] = []
    data = _read_file(path, path.name, odd)
    if data is None:
        return Submission({}, tuple(odd))
    if is_patch(path.name, data):
        return _patched(data, pristine)
    return Submission({program: data})


def _patched(data: bytes, pristine: Mapping[str, bytes]) -> Submission:
    try:
        return Submission(apply_patch(data, pristine))
    except ValueError as error:
        return Submission({}, (f"the patch does not apply: {error}",))


def _read_folder(root: Path) -> Submission:
    files: dict[str, bytes] = {}
    odd: list[str] = []
    total = 0
    for folder, names in _walk(root, odd):
        for name in names:
            path = folder / name
            relative = path.relative_to(root).as_posix()
            data = _read_file(path, relative, odd)
            if data is not None:
                files[relative] = data
                total += len(data)
            if total > TOTAL_CAP:
                odd.append(f"more than {TOTAL_CAP} bytes in all")
                return Submission({}, tuple(odd))
    return Submission(files, tuple(odd))


def _walk(root: Path, odd: list[str]) -> "list[tuple[Path, list[str]]]":
    """Return folders with the names of what is no folder, sorted; links are not followed, and depth costs nothing."""
    found: list[tuple[Path, list[str]]] = []
    waiting = [root]
    entries = 0
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(folder) as listing:
                children = sorted(islice(listing, FILES_CAP + 1), key=lambda child: child.name)
        except OSError:
            odd.append(f"a folder that cannot be read: {str(folder)[-_NAME_CAP:]!a}")
            continue
        entries += len(children)
        if entries > FILES_CAP:
            odd.append(f"more than {FILES_CAP} entries")
            break
        folders = {child.name for child in children if child.is_dir(follow_symlinks=False)}
        found.append((folder, [child.name for child in children if child.name not in folders]))
        waiting += [folder / name for name in sorted(folders, reverse=True)]
    return found


def _read_file(path: Path, shown: str, odd: list[str]) -> bytes | None:
    """Return a plain file's bytes, or say what else it is; the file that is asked about is the one that is read."""
    name = f"{shown[-_NAME_CAP:]!a}"
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError as error:
        odd.append(f"{name} is no plain file ({os.strerror(error.errno or 0)})")
        return None
    with os.fdopen(descriptor, "rb") as file:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode):
            odd.append(f"{name} is no plain file")
            return None
        if facts.st_nlink != 1:
            odd.append(f"{name} has more than one hard link")
            return None
        data = file.read(FILE_CAP + 1)
    if len(data) > FILE_CAP:
        odd.append(f"{name} is larger than {FILE_CAP} bytes")
        return None
    return data
