"""A control group for a box whose program may fork: memory and processes bounded over all of them.

Limits of a process do not add up over many; a group's do. Used where we are root and the controllers of version 1 or
2 can be had; elsewhere the parent adds up the memory of the box's processes itself.
"""

import itertools
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from authoring.model.execution import How, Limits

__all__ = ["Group", "box_group", "cpu_s_below", "descendants", "has_cgroup", "resident_bytes", "stat_fields"]

_ROOT = Path("/sys/fs/cgroup")
_MEMORY_CAP = 512 << 20
_OWN_PROCESSES = 4
_PREFIX = "authoring"
_REMOVE_S = 1.0
_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Group:
    """The folders of one group, one or two."""

    folders: tuple[Path, ...]

    def take(self, pid: int) -> None:
        """Move a process and all its descendants into the group; what they start later is in it from the start."""
        moved: set[int] = set()
        while True:
            new = {pid, *descendants(pid)} - moved
            if not new:
                return
            for one in new:
                for folder in self.folders:
                    with suppress(ProcessLookupError):
                        (folder / "cgroup.procs").write_text(str(one))
            moved |= new

    def remove(self) -> None:
        """Remove the group once its processes are gone; the wait is bounded."""
        deadline = time.monotonic() + _REMOVE_S
        for folder in self.folders:
            while folder.exists() and time.monotonic() < deadline:
                try:
                    folder.rmdir()
                except OSError:
                    time.sleep(0.002)


@lru_cache(maxsize=1)
def _version() -> int:
    """Return 1 or 2 where a group can be made with memory and process controllers, else 0."""
    if os.geteuid() != 0:
        return 0
    _sweep()
    for version in (2, 1):
        try:
            _make(version, Limits(processes=1)).remove()
        except OSError:
            continue
        return version
    return 0


def _sweep() -> None:
    """Remove the empty groups of tools that were killed."""
    for parent in (_ROOT, _ROOT / "memory", _ROOT / "pids"):
        for folder in parent.glob(f"{_PREFIX}-*-*"):
            owner = folder.name.split("-")[1]
            if owner.isdigit() and not Path("/proc", owner).exists():
                with suppress(OSError):
                    folder.rmdir()


def has_cgroup(how: How) -> bool:
    """Return whether a run is put into a group: only a program that may fork needs one."""
    return how.limits.processes > 0 and _version() > 0


def _make(version: int, limits: Limits) -> Group:
    name = f"{_PREFIX}-{os.getpid()}-{next(_numbers)}"
    memory = str(min(limits.memory_bytes, _MEMORY_CAP))
    most = str(limits.processes + _OWN_PROCESSES)
    parents = (_ROOT,) if version == 2 else (_ROOT / "memory", _ROOT / "pids")
    if not all((parent / "cgroup.procs").exists() for parent in parents):
        raise FileNotFoundError("no such control groups")
    group = Group(tuple(parent / name for parent in parents))
    try:
        for folder in group.folders:
            folder.mkdir()
        values = {"memory.max": memory} if version == 2 else {"memory.limit_in_bytes": memory}
        for file, value in values.items():
            (group.folders[0] / file).write_text(value)
        (group.folders[-1] / "pids.max").write_text(most)
    except OSError:
        group.remove()
        raise
    return group


@contextmanager
def box_group(how: How) -> Iterator[Group | None]:
    """Give a group for the time of a run, or None where there is none to be had or to need."""
    if not has_cgroup(how):
        yield None
        return
    group = _make(_version(), how.limits)
    try:
        yield group
    finally:
        group.remove()


def descendants(pid: int) -> list[int]:
    """Return the process ids of all that a process started and that is alive, as far as the kernel lists them."""
    found: list[int] = []
    queue = [pid]
    while queue:
        one = queue.pop()
        try:
            descriptor = os.open(f"/proc/{one}/task/{one}/children", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            continue
        try:
            text = os.read(descriptor, 1 << 16)
        except OSError:
            continue
        finally:
            os.close(descriptor)
        children = [int(word) for word in text.split()]
        found += children
        queue += children
    return found


def cpu_s_below(pid: int) -> float:
    """Return the CPU of all that a process started and that is alive, with what those have reaped (proc(5))."""
    return sum(map(_cpu_ticks, descendants(pid))) / os.sysconf("SC_CLK_TCK")


def _cpu_ticks(pid: int) -> int:
    return sum(map(int, stat_fields(pid)[11:15]))


def stat_fields(pid: int) -> list[str]:
    """Return the fields of a process after its name, from its state on, or none where it is gone (proc(5))."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def resident_bytes(pid: int) -> int:
    """Return the resident memory of a process and its descendants, shared pages counted each time."""
    total = 0
    for one in (pid, *descendants(pid)):
        with suppress(OSError, IndexError, ValueError):
            total += int(Path(f"/proc/{one}/statm").read_text().split()[1])
    return total * os.sysconf("SC_PAGE_SIZE")
