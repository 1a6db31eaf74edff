"""Processes that we start, and the pipes to them."""

import os
import select
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass

from authoring.execution.cgroup import descendants
from authoring.execution.channel import Channel
from authoring.model.execution import Limits

__all__ = ["Pipes", "Started", "start"]

_DEATH_S = 2.0
_WATCHED = 64


@dataclass(frozen=True, slots=True)
class Pipes:
    """Both ends of the pipes of a run; the box's ends are to be closed once it has them."""

    requests: tuple[int, int]
    replies: tuple[int, int]
    outputs: tuple[tuple[int, int], ...]

    @classmethod
    def make(cls, outputs: int) -> "Pipes":
        """Open the pipes, one or two of them for output; none is inherited unless named."""
        return cls(_pipe(), _pipe(), tuple(_pipe() for _ in range(outputs)))

    def box_ends(self) -> tuple[int, ...]:
        """Return what goes into the box: requests to read, replies and outputs to write."""
        return self.requests[0], self.replies[1], *(output[1] for output in self.outputs)

    def close_box_ends(self) -> None:
        """Close our copies of the box's ends, so that its death is an end of file."""
        for descriptor in self.box_ends():
            os.close(descriptor)

    def channel(self, limits: Limits) -> Channel:
        """Return the parent's side as a channel, which owns the descriptors from now on."""
        return Channel(
            self.requests[1],
            self.replies[0],
            tuple(output[0] for output in self.outputs),
            reply_bytes=limits.reply_bytes + 65_536,
            output_bytes=limits.output_bytes,
        )


def _pipe() -> tuple[int, int]:
    return os.pipe2(os.O_CLOEXEC)


@dataclass(slots=True)
class Started:
    """A box's outermost process."""

    process: subprocess.Popen[bytes]

    def settled(self, wait_s: float) -> int | None:
        """Return the exit status of a box that ends by itself, or None where it has not within the time."""
        try:
            return self.process.wait(wait_s)
        except subprocess.TimeoutExpired:
            return None

    @property
    def pid(self) -> int:
        """Return the process id of the sandbox."""
        return self.process.pid

    def kill(self) -> int:
        """Kill the box whole, wait until all in it are gone, and return the exit status; the wait is bounded (R8).

        The first process of the namespace is gone only once all others of it are; the sandbox's own end says less.
        """
        watched = [
            descriptor for descriptor in map(_watch, descendants(self.pid)[:_WATCHED]) if descriptor >= 0
        ]
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self.process.kill()
        for descriptor in watched:
            with suppress(ProcessLookupError, PermissionError):
                signal.pidfd_send_signal(descriptor, signal.SIGKILL)
        deadline = time.monotonic() + _DEATH_S
        for descriptor in watched:
            _wait_gone(descriptor, deadline)
            os.close(descriptor)
        status = self.settled(max(0.0, deadline - time.monotonic()))
        return -signal.SIGKILL if status is None else status


def _watch(pid: int) -> int:
    try:
        return os.pidfd_open(pid)
    except OSError:
        return -1


def _wait_gone(descriptor: int, deadline: float) -> None:
    poller = select.poll()
    poller.register(descriptor, select.POLLIN)
    poller.poll(max(0.0, deadline - time.monotonic()) * 1000)


def start(command: list[str], stdin: int, stdout: int, stderr: int, inherited: tuple[int, ...]) -> Started:
    """Start a box in a session and process group of its own, with only the named descriptors."""
    return Started(
        subprocess.Popen(
            command,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            pass_fds=inherited,
            env={},
            cwd="/",
            start_new_session=True,
        )
    )
