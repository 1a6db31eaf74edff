"""The resource limits of a process in a box, by the names of the kernel."""

from authoring.model.execution import Limits

__all__ = ["resource_limits"]

_THREADS = 25
_OPEN_FILES = 64
_STACK_BYTES = 64 << 20


def resource_limits(limits: Limits) -> dict[str, int]:
    """Return the limits to set in the box, by the part of their name after ``RLIMIT_``."""
    return {
        "AS": limits.memory_bytes,
        "CORE": 0,
        "CPU": limits.cpu_s,
        "FSIZE": limits.file_bytes,
        "MEMLOCK": 0,
        "MSGQUEUE": 0,
        "NOFILE": _OPEN_FILES,
        "NPROC": _THREADS + max(0, limits.processes - 24),
        "STACK": _STACK_BYTES,
    }
