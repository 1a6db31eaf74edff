"""Tell a box that waits for something that never comes from one that a busy machine keeps waiting."""

import time
from dataclasses import dataclass, field

from authoring.execution.cgroup import descendants, stat_fields

__all__ = ["LOOK_S", "PATIENCE_S", "IdleWatch"]

LOOK_S = 0.25
"""Time between two looks."""
PATIENCE_S = 2.0
"""How long a box is asleep before it is taken to hang."""
_ASLEEP = frozenset("SZX")


@dataclass(slots=True)
class IdleWatch:
    """Looks at all processes of a box: asleep of their own will, and without any CPU between the looks.

    A process that is able to run, or waits for the disk, is not idle however long the machine lets it wait.
    """

    pid: int
    """The box's outermost process."""
    patience_s: float = PATIENCE_S
    _seen: list[tuple[int, str, int]] = field(default_factory=list)
    _since: float = 0.0

    def begin(self) -> None:
        """Forget what was seen: something came."""
        self._seen = []

    def is_idle(self) -> bool:
        """Look once; tell whether the box has been idle at every look for the patience's time."""
        seen = [found for pid in descendants(self.pid) if (found := _look(pid))]
        now = time.monotonic()
        if seen != self._seen or any(state not in _ASLEEP for _, state, _ in seen):
            self._seen, self._since = seen, now
            return False
        return now - self._since >= self.patience_s


def _look(pid: int) -> tuple[int, str, int] | None:
    """Return a process, its state and its CPU in ticks, or None where it is gone."""
    fields = stat_fields(pid)
    return (pid, fields[0], int(fields[11]) + int(fields[12])) if fields else None
