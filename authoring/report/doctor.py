"""What this machine can isolate and run, each line proved, with what to do about what is missing."""

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from authoring.execution import BoxRunner, available_interpreters
from authoring.execution.doctor import probe
from authoring.model.errors import AuthoringError
from authoring.model.progress import Progress
from authoring.system.machine import free_bytes, git_version, pip_version

__all__ = ["Finding", "State", "examine"]

State = Literal["fine", "note", "missing"]
"""``missing`` is what judging needs and lacks; ``note`` is worth knowing and stops nothing."""

_LEAST_GIT = (2, 30)
_LEAST_FREE_BYTES = 1 << 30


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    area: str
    """``machine``, ``workspace`` or ``sandbox``."""
    name: str
    state: State
    found: str
    mend: str = ""
    """What to do where it is not fine."""


def examine(folder: Path, python: str, progress: Progress) -> list[Finding]:
    """Return the findings for the machine, the workspace in ``folder`` (if there is one) and the sandbox.

    The sandbox is attacked by probes under the named Python (empty: the tool's own).
    """
    progress.phase("looking at the machine")
    findings = [*_programs(), *_room(folder), *_git(folder)]
    progress.phase("attacking the sandbox")
    return [*findings, *_sandbox(python)]


def _programs() -> Iterator[Finding]:
    pip = pip_version()
    yield _finding("machine", "pip", bool(pip), pip or "not found", "Run: python -m ensurepip --upgrade.")
    versions = ", ".join(found.version for found in available_interpreters())
    yield _finding("machine", "interpreters", bool(versions), versions or "none", "Install Python 3.12.")


def _room(folder: Path) -> Iterator[Finding]:
    for name, place in (("room for the workspace", folder), ("room for boxes", Path(tempfile.gettempdir()))):
        free = free_bytes(place)
        yield _finding(
            "machine",
            name,
            free >= _LEAST_FREE_BYTES,
            f"{free / (1 << 30):.1f} GiB free",
            f"Free space at {place}.",
        )


def _git(folder: Path) -> Iterator[Finding]:
    version = git_version()
    new_enough = bool(version) and tuple(int(part) for part in version.split(".")[:2]) >= _LEAST_GIT
    yield _finding("machine", "git", new_enough, version or "not found", "Install git 2.30 or later.")
    if version:
        yield from _workspace(folder)


def _workspace(folder: Path) -> Iterator[Finding]:
    """Look at what needs git, whose library cannot even be imported where the program is missing."""
    from authoring.system.git import identity
    from authoring.system.lock import is_locked
    from authoring.system.workspace import Workspace

    def who() -> str:
        found = identity(Path.cwd())
        return f"{found.name} <{found.email}>"

    yield _asked("machine", "git identity", who)
    try:
        workspace = Workspace.open(folder)
    except AuthoringError as error:
        yield Finding("workspace", "workspace", "note", error.message, error.hint)
        return
    yield Finding("workspace", "workspace", "fine", str(workspace.root))
    yield _asked("workspace", "key", lambda: f"{len(workspace.key)} bytes")
    if is_locked(workspace.root):
        yield Finding("workspace", "lock", "note", "another run is at work", "Wait for it to end.")


def _sandbox(python: str) -> Iterator[Finding]:
    with BoxRunner() as runner:
        for result in probe(runner, python):
            yield _finding("sandbox", result.name, result.holds, result.detail, result.mend)


def _finding(area: str, name: str, is_fine: bool, found: str, mend: str) -> Finding:
    return Finding(area, name, "fine", found) if is_fine else Finding(area, name, "missing", found, mend)


def _asked(area: str, name: str, question: Callable[[], str]) -> Finding:
    try:
        return Finding(area, name, "fine", question())
    except AuthoringError as error:
        return Finding(area, name, "missing", error.message, error.hint)
