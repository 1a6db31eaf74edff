"""Files that a stage generates and their author may edit: an edit is kept, the new text lies beside it."""

from pathlib import Path

from authoring.model.digest import sha256_hex
from authoring.system.files import read_text_limited, write_atomic
from authoring.taskrepo.stages.work import Work

__all__ = ["current_text", "forget_generated", "is_edited", "is_generated", "write_generated"]

_SPACE = "generated"
_CAP = 16 << 20


def write_generated(work: Work, path: str, text: str) -> None:
    """Write a file of the workspace; where its author edited it, write ``<path>.new`` beside it instead.

    An edit that says what would be written stays an edit: what else the stage makes depends on it.
    """
    target = work.workspace.path(path)
    data = text.encode()
    if is_edited(work, path):
        if target.read_bytes() != data:
            write_atomic(target.with_name(target.name + ".new"), data)
        return
    digest = sha256_hex(data)
    work.journal.put(
        _SPACE, path, [*_generated(work, path), digest]
    )  # whatever is there after a crash is ours
    write_atomic(target, data)
    work.journal.put(_SPACE, path, [digest])


def is_edited(work: Work, path: str) -> bool:
    """Tell whether a file differs from what was generated last; an unknown one is taken as generated."""
    target = work.workspace.path(path)
    known = _generated(work, path)
    return bool(known) and target.is_file() and sha256_hex(target.read_bytes()) not in known


def is_generated(work: Work, path: str) -> bool:
    """Tell whether a file is known to be what was generated last; one that the journal does not know is not."""
    return bool(_generated(work, path)) and not is_edited(work, path)


def _generated(work: Work, path: str) -> list[str]:
    """Return digests of what was generated last: of what was there and what should be, where a run was cut off."""
    known = work.journal.get(_SPACE, path)
    return [known] if isinstance(known, str) else list(known or ())  # journals of before hold one alone


def current_text(work: Work, path: str) -> str:
    """Return a generated file's text as it is now, edits included."""
    return read_text_limited(Path(work.workspace.path(path)), _CAP)


def forget_generated(work: Work, folder: str) -> None:
    """Remove the generated files of a folder of the workspace; what its author edited stays."""
    place = work.workspace.path(folder)
    for file in sorted(place.rglob("*")):
        path = str(file.relative_to(work.workspace.root))
        if file.is_file() and is_generated(work, path):
            file.unlink()
            work.journal.forget(_SPACE, path)
    for inner in sorted((each for each in (place, *place.rglob("*")) if each.is_dir()), reverse=True):
        if not any(inner.iterdir()):
            inner.rmdir()
