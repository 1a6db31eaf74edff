"""A candidate in the form of a unified diff, applied to the pristine files in memory."""

import io
from collections.abc import Mapping
from typing import Any

from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchSet

__all__ = ["apply_patch", "is_patch"]

_SUFFIXES = (".patch", ".diff")
_STARTS = (b"diff --git ", b"--- ", b"Index: ")


def is_patch(name: str, data: bytes) -> bool:
    """Return whether a candidate file is a patch, by its name or by how it begins."""
    return name.endswith(_SUFFIXES) or data.startswith(_STARTS)


def apply_patch(data: bytes, pristine: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files that a patch changes, as they are afterwards; raise ``ValueError`` where it does not apply."""
    try:
        patch = PatchSet(io.StringIO(data.decode("utf-8"), newline=""))
    except (UnidiffParseError, UnicodeDecodeError) as error:
        raise ValueError("it is no unified diff in UTF-8") from error
    if not len(patch):
        raise ValueError("it changes no file")
    return {path: after for part in patch for path, after in _after(part, pristine).items()}


def _after(part: Any, pristine: Mapping[str, bytes]) -> dict[str, bytes]:
    path, old = str(part.path), _name(str(part.source_file), "a/")
    if part.is_removed_file or part.is_rename or (old != path and not part.is_added_file):
        raise ValueError("it removes or renames a file")
    before = b"" if part.is_added_file else pristine.get(path)
    if before is None:
        raise ValueError(f"it changes {path[-200:]!a}, which the task does not have")
    if part.is_added_file and path in pristine:
        raise ValueError(f"it adds {path[-200:]!a}, which the task has")
    return {path: _changed(part, before)}


def _name(name: str, prefix: str) -> str:
    return name.removeprefix(prefix)


def _changed(part: Any, before: bytes) -> bytes:
    lines = before.decode("utf-8").splitlines(keepends=True)
    result: list[str] = []
    at = 0
    for hunk in part:
        start = max(hunk.source_start - 1, 0) if hunk.source_length else hunk.source_start
        if start < at or start > len(lines):
            raise ValueError("its hunks are out of order")
        result += lines[at:start]
        source = _texts(hunk, "source")
        if [line.rstrip("\n") for line in lines[start : start + len(source)]] != [
            line.rstrip("\n") for line in source
        ]:
            raise ValueError("its context differs from the task's file")
        result += _texts(hunk, "target")
        at = start + len(source)
    return "".join(result + lines[at:]).encode()


def _texts(hunk: Any, side: str) -> list[str]:
    """Return one side's lines of a hunk; a line with the note that no newline follows loses its newline."""
    chosen: list[str] = []
    last_counts = False
    for line in hunk:
        if line.line_type == "\\":
            if last_counts and chosen:
                chosen[-1] = chosen[-1].rstrip("\n")
            continue
        last_counts = bool(line.is_context or (line.is_removed if side == "source" else line.is_added))
        if last_counts:
            chosen.append(line.value)
    return chosen
