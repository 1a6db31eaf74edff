"""The parent's side of a reproducer's run."""

import time
from collections.abc import Callable
from pathlib import Path
from signal import SIGALRM, SIGPROF, SIGVTALRM, SIGXCPU
from typing import Any

from authoring.execution.channel import Channel, Ended
from authoring.execution.conversation import await_up, frame
from authoring.execution.setup import folders_of
from authoring.model.execution import How, ScriptFailure, ScriptRun

__all__ = ["script_run", "script_talk"]

_OUT_OF_TIME = (SIGPROF, SIGXCPU, SIGALRM, SIGVTALRM)
"""The driver's budgets, and a reproducer's own alarm that nothing handles."""


def script_talk(tree: Path, reproducer: str, how: How) -> Callable[[Channel], dict[str, Any] | Ended]:
    """Return the talk that sends the script and waits for its one reply."""
    path = [inside for _, inside in folders_of(tree, how)]

    def talk(channel: Channel) -> dict[str, Any] | Ended:
        channel.send([frame({"path": path, "source": reproducer, "cpu": how.limits.call_cpu_s})])
        await_up(channel)
        return channel.receive(time.monotonic() + how.limits.run_s)

    return talk


def script_run(said: dict[str, Any] | Ended, by_signal: int) -> ScriptRun:
    """Return the run that a reply, or its absence, states."""
    if isinstance(said, Ended):
        hung = said.reason == "late" or by_signal in _OUT_OF_TIME
        return ScriptRun("hung" if hung else "died")
    failure, imported = said.get("failure"), said.get("imported")
    if not (type(imported) is list and all(type(name) is str for name in imported)):
        return ScriptRun("died")
    if failure is None:
        return ScriptRun("pass", None, tuple(imported))
    if not (type(failure) is list and [type(part) for part in failure] == [str, str, str, str, bool]):
        return ScriptRun("died")
    return ScriptRun("fail", ScriptFailure(*failure), tuple(imported))
