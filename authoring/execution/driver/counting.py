"""A bound on the line events of a call, counted from before anything of the subject can run.

All Python code counts that runs in the call, whatever file it says that it is from, so that no name of a file hides
work. A process that exceeds the bound ends as one does that used up its CPU.
"""

import sys
from posix import _exit, getpid, kill

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
else:
    Any = object

_signal: Any = __import__("_signal")  # the module signal costs the import of enum
_monitoring: Any = getattr(sys, "monitoring", None)

_SUSPECT = frozenset(
    (
        "sys.settrace",
        "sys.setprofile",
        "sys.monitoring.register_callback",
        "gc.get_objects",
        "gc.get_referrers",
        "gc.get_referents",
    )
)
"""What the interpreter tells of when it is done, and what only a program does that looks for its counter."""

_EVENTS = 0 if _monitoring is None else _monitoring.events.LINE | _monitoring.events.JUMP


def give_up() -> None:
    """End the process as the kernel ends one whose CPU is used up, whatever it made of that signal."""
    try:
        _signal.pthread_sigmask(_signal.SIG_UNBLOCK, (_signal.SIGPROF,))
        _signal.signal(_signal.SIGPROF, _signal.SIG_DFL)
        kill(getpid(), _signal.SIGPROF)
    finally:
        _exit(1)


class Counter:
    """Counts between ``start`` and ``stop``; how events are had is left to a subclass."""

    def __init__(self) -> None:
        touched: list[str] = []
        self._is_own = True

        def hear(event: str, _: Any) -> None:
            if event in _SUSPECT and not self._is_own:
                touched.append(event)

        self._touched = touched
        self._left = self._bound = 0
        self._tell: Any = None
        sys.addaudithook(hear)

    def start(self, bound: int, tell: Any) -> None:
        """Count down from a bound; ``tell`` is called where a program exceeds it that reached for what counts."""
        self._left = self._bound = bound
        self._tell = tell
        self._is_own = True
        self._begin()
        self._is_own = False

    def stop(self) -> bool:
        """Stop counting; return whether nothing of the program reached for what counts."""
        self._is_own = True
        is_kept = self._end()
        self._is_own = False
        return is_kept and not self._touched and 0 <= self._left < self._bound

    def count(self) -> None:
        """Count one event; end the process where it is one too many."""
        self._left -= 1
        if self._left < 0:
            self._is_own = True
            if self._touched:
                self._tell()
                _exit(1)
            give_up()

    def _begin(self) -> None:
        raise NotImplementedError

    def _end(self) -> bool:
        """Stop, and return whether the events were still had as at the start."""
        raise NotImplementedError


class MonitoringCounter(Counter):
    """Events by ``sys.monitoring`` (Python 3.12 and later), out of the program's sight."""

    TOOL = 3

    def __init__(self) -> None:
        super().__init__()
        _monitoring.use_tool_id(self.TOOL, "authoring")
        self._kept = self._line
        _monitoring.register_callback(self.TOOL, _monitoring.events.LINE, self._kept)
        _monitoring.register_callback(self.TOOL, _monitoring.events.JUMP, self._jump)
        vars(sys)["monitoring"] = _Watched(self._touched)
        self._is_own = False

    def _line(self, _code: Any, _number: int) -> None:
        self.count()

    def _jump(self, code: Any, offset: int, destination: int) -> Any:
        """Count a loop's turn on one line, which settrace tells of as a line and monitoring does not."""
        if destination > offset or _line_at(code, offset) != _line_at(code, destination):
            return _monitoring.DISABLE
        self.count()
        return None

    def _begin(self) -> None:
        _monitoring.set_events(self.TOOL, _EVENTS)

    def _end(self) -> bool:
        is_on = _monitoring.get_events(self.TOOL) == _EVENTS
        _monitoring.set_events(self.TOOL, 0)
        if _monitoring.get_tool(self.TOOL) != "authoring":
            return False
        return (
            is_on
            and _monitoring.register_callback(self.TOOL, _monitoring.events.LINE, self._kept) is self._kept
        )


def _line_at(code: Any, offset: int) -> Any:
    return next((line for low, high, line in code.co_lines() if low <= offset < high), None)


class _Watched:
    """Stands where ``sys.monitoring`` was: says that it was asked for."""

    __slots__ = ("_touched",)

    def __init__(self, touched: list[str]) -> None:
        object.__setattr__(self, "_touched", touched)

    def __getattribute__(self, name: str) -> Any:
        object.__getattribute__(self, "_touched").append("sys.monitoring")
        raise AttributeError(name)


class SettraceCounter(Counter):
    """Events by ``sys.settrace``, of the thread that calls."""

    def __init__(self) -> None:
        super().__init__()
        self._kept = self._event
        self._is_own = False

    def _event(self, _frame: Any, event: str, _argument: Any) -> Any:
        if event == "line":
            self.count()
        return self._kept

    def _begin(self) -> None:
        sys.settrace(self._kept)

    def _end(self) -> bool:
        is_on = sys.gettrace() is self._kept
        sys.settrace(None)
        return is_on


def counter_for(is_traced: bool) -> Counter | None:
    """Return the counter of this interpreter; None where the run is traced by the only means that there is."""
    if _monitoring is not None:
        return MonitoringCounter()
    return None if is_traced else SettraceCounter()
