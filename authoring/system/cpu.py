"""The CPU that this process and everything below it has used, processes that still run included."""

import os
import resource
from pathlib import Path

__all__ = ["process_cpu_s", "process_tree_cpu_s"]

_PARENT, _FIRST_TIME = 1, 11
"""Fields of ``/proc/PID/stat`` after the command's name: the parent, and utime, stime, cutime, cstime."""


def process_cpu_s() -> float:
    """Return seconds of CPU of this process and its reaped children."""
    own, reaped = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + reaped.ru_utime + reaped.ru_stime


def process_tree_cpu_s() -> float:
    """Return seconds of CPU of this process, its reaped children and all running descendants (proc(5)).

    What ends without being reaped by a process that lives is not seen here.
    """
    ticks = sum(sum(times) for times in _descendants().values())
    return process_cpu_s() + ticks / os.sysconf("SC_CLK_TCK")


def _descendants() -> dict[int, list[int]]:
    """Return the times of every process below this one, by its id."""
    parents: dict[int, int] = {}
    times: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(entry.name)] = int(fields[_PARENT])
        times[int(entry.name)] = [int(field) for field in fields[_FIRST_TIME : _FIRST_TIME + 4]]
    return {process: times[process] for process in parents if _is_below(process, parents)}


def _is_below(process: int, parents: dict[int, int]) -> bool:
    above = parents.get(process)
    while above:
        if above == os.getpid():
            return True
        above = parents.get(above)
    return False
