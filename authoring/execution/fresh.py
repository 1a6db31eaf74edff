"""A fresh box for one run: the way of every program that comes from outside."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from authoring.execution.box import Mounts, box_command, spare_uid
from authoring.execution.bundle import FRESH_FILES
from authoring.execution.cgroup import box_group, resident_bytes
from authoring.execution.channel import Channel
from authoring.execution.idle import IdleWatch
from authoring.execution.interpreter import Interpreter
from authoring.execution.rlimits import resource_limits
from authoring.execution.seccomp import filter_program
from authoring.execution.started import Pipes, start
from authoring.model.execution import How

__all__ = ["FreshRun", "fresh_run"]

_SETTLE_S = 0.25
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class FreshRun:
    """What a fresh box left beside its replies."""

    stdout: bytes
    stderr: bytes
    exit: int
    """Exit status of the sandbox, which gives a signal's number and 128 where one ended the program."""

    @property
    def signal(self) -> int:
        """Return the signal that ended the program by itself, or 0."""
        return self.exit - 128 if self.exit > 128 else 0


def fresh_run(
    interpreter: Interpreter,
    mounts: Mounts,
    how: How,
    talk: Callable[[Channel], Result],
    *,
    parts: tuple[str, ...] = FRESH_FILES,
    slot: int = 0,
) -> tuple[Result, FreshRun]:
    """Start a box, talk with it until ``talk`` returns, kill it, and return both what was said and what it left."""
    limits = how.limits
    pipes = Pipes.make(2)
    requests, replies, stdout, stderr = pipes.box_ends()
    words = [f"{name}={value}" for name, value in resource_limits(limits).items()]
    call_filter = _as_pipe(filter_program(allow_fork=limits.processes > 0))
    command = box_command(
        interpreter,
        mounts,
        parts,
        [str(replies), str(spare_uid(slot)), *words],
        how=how.perturbation,
        tmp_bytes=limits.tmp_bytes,
        filter_descriptor=call_filter,
        warm=False,
    )
    with box_group(how) as group:
        started = start(command, requests, stdout, stderr, (replies, call_filter))
        os.close(call_filter)
        pipes.close_box_ends()
        channel = pipes.channel(limits)
        if limits.call_cpu_s is not None:
            channel.idle = IdleWatch(started.pid)
        try:
            if group is not None:
                group.take(started.pid)
            elif limits.processes > 0:
                channel.is_excessive = lambda: resident_bytes(started.pid) > limits.memory_bytes
            result = talk(channel)
        finally:
            status = started.settled(_SETTLE_S) if channel.closed else None
            status = started.kill() if status is None else status
            channel.drain_rest()
            channel.close()
    kept = channel.outputs()
    return result, FreshRun(kept[0], kept[1], status)


def _as_pipe(data: bytes) -> int:
    """Return the reading end of a pipe that holds the data, which is smaller than a pipe's buffer."""
    reading, writing = os.pipe2(os.O_CLOEXEC)
    os.write(writing, data)
    os.close(writing)
    return reading
