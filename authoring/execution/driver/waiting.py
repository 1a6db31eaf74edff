"""Let time pass at once where a process does nothing but wait for it.

A sleep, or an event loop that waits for its next timer, is skipped where nothing else could wake it: no other thread
runs, no timer is pending, the process may have no children and the loop watches no file but its own. Then the clocks
go forward by what was skipped, and whatever reads them sees the time that a real wait takes. What a call skips counts
against its deadline: beyond that it waits for real, and so is late.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
else:
    Any = object

_signal: Any = __import__("_signal")  # the module signal costs the import of enum
_thread: Any = __import__("_thread")
_time: Any = __import__("time")

_CLOCKS = ("time", "monotonic", "perf_counter")
_NS_PER_S = 1_000_000_000
_OWN_FILES = 1
"""What an event loop watches for its own sake: the pipe by which signals and threads wake it."""


class Waiting:
    """The clocks of a process, which waits do not stop."""

    def __init__(self, call_s: float, *texts: str) -> None:
        """Change the clocks; ``call_s`` is what a call may skip.

        ``texts`` tell whether event loops will run, whose module is then imported ahead.
        """
        self._call_ns = int(call_s * _NS_PER_S)
        self._skipped_ns = 0
        self._bound_ns = self._call_ns
        self._patched: Any = None
        for name in _CLOCKS:
            setattr(_time, name, self._seconds(getattr(_time, name)))
            setattr(_time, name + "_ns", self._nanoseconds(getattr(_time, name + "_ns")))
        _time.sleep = self._skipping_sleep(_time.sleep)
        if any("asyncio" in text for text in texts):
            __import__("selectors")

    def begin_call(self) -> None:
        """Allow a call its own time, and have event loops skip waits once the module that they wait with is there."""
        self._bound_ns = self._skipped_ns + self._call_ns
        selectors = sys.modules.get("selectors")
        if selectors is self._patched or not hasattr(selectors, "EpollSelector"):
            return
        self._patched = selectors
        kind: Any = selectors.__dict__["EpollSelector"]
        kind.select = self._skipping_select(kind.select)

    def _seconds(self, read: Any) -> Any:
        def clock() -> float:
            return float(read() + self._skipped_ns / _NS_PER_S)

        return clock

    def _nanoseconds(self, read: Any) -> Any:
        def clock() -> int:
            return int(read() + self._skipped_ns)

        return clock

    def _skipping_sleep(self, sleep: Any) -> Any:
        def skipping_sleep(seconds: Any, /) -> None:
            if type(seconds) not in (int, float) or not self._skips(seconds):
                sleep(seconds)

        return skipping_sleep

    def _skips(self, seconds: float) -> bool:
        """Let time pass, where that is the same as waiting; tell whether it did."""
        if not (0 < seconds < self._call_ns and is_alone()):
            return False
        after = self._skipped_ns + int(seconds * _NS_PER_S)
        if after > self._bound_ns:
            return False
        self._skipped_ns = after
        return True

    def _skipping_select(self, select: Any) -> Any:
        def skipping_select(selector: Any, timeout: Any = None) -> Any:
            if not timeout or timeout < 0 or len(selector.get_map()) > _OWN_FILES:
                return select(selector, timeout)
            ready = select(selector, 0)
            if ready or self._skips(timeout):
                return ready
            return select(selector, timeout)

        return skipping_select


def is_alone() -> bool:
    """Tell whether nothing inside the process could end a wait before its time: no thread, no pending alarm."""
    return not _thread._count() and not _signal.getitimer(_signal.ITIMER_REAL)[0]
