"""The lock of a workspace: one run writes, and another is told who it is."""

import fcntl
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from authoring.model.errors import CannotJudgeError
from authoring.system.files import storage

__all__ = ["is_locked", "workspace_lock"]

_ATTEMPTS = 6


@contextmanager
def workspace_lock(root: Path) -> Iterator[None]:
    """Hold the lock of the workspace at ``root``; the kernel frees it when the process ends, however it ends.

    Raises :class:`CannotJudgeError` WSP006, which names the process that holds it.
    """
    path = _lock_path(root)
    with storage(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        _take(descriptor, root)
        with storage(path):
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, _holder(), 0)
        yield
    finally:
        os.close(descriptor)


def _take(descriptor: int, root: Path) -> None:
    """Take the lock; a reader that only asks whether it is held has it for a moment too, so ask a few times."""
    for attempt in range(_ATTEMPTS):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError as error:
            if attempt == _ATTEMPTS - 1:
                raise _held(root, os.pread(descriptor, 4096, 0)) from error
            time.sleep(0.05)


def is_locked(root: Path) -> bool:
    """Tell whether a run holds the workspace's lock now."""
    try:
        descriptor = os.open(_lock_path(root), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _lock_path(root: Path) -> Path:
    return root / ".authoring" / "lock"


def _holder() -> bytes:
    words = [Path(sys.argv[0]).name if sys.argv and sys.argv[0] else "python", *sys.argv[1:3]]
    return json.dumps({"pid": os.getpid(), "command": " ".join(words)[:200]}).encode()


def _held(root: Path, note: bytes) -> CannotJudgeError:
    try:
        holder = json.loads(note)
        who = f"process {int(holder['pid'])} ({holder['command']!s})"
    except (ValueError, KeyError, TypeError):
        who = "another process"
    return CannotJudgeError(
        "WSP006", f"The workspace {root} is in use by {who}.", "Wait until that run has ended, or stop it."
    )
