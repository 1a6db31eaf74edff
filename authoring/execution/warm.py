"""A warm server in a box: one interpreter that is up, a fork in its own namespaces for each run (our own programs)."""

import os
import select
import socket
import time
from dataclasses import dataclass
from signal import SIGKILL

from authoring.execution.box import Mounts, box_command, spare_uid
from authoring.execution.bundle import SERVER_FILES
from authoring.execution.cgroup import cpu_s_below
from authoring.execution.channel import Channel
from authoring.execution.conversation import frame
from authoring.execution.idle import PATIENCE_S, IdleWatch
from authoring.execution.interpreter import Interpreter
from authoring.execution.rlimits import resource_limits
from authoring.execution.seccomp import filter_program
from authoring.execution.started import Pipes, Started, start
from authoring.model.errors import CannotJudgeError
from authoring.model.execution import Limits, Perturbation

__all__ = ["ChildEnd", "ServerLostError", "WarmServer"]

_UP_S = 30.0
_END_S = 10.0
_PRELOAD_S = 30.0


class ServerLostError(Exception):
    """The server itself is gone or silent: our own fault, never the subject's."""


@dataclass(frozen=True, slots=True)
class ChildEnd:
    """How a child of the server ended."""

    status: int
    """As ``os.wait`` gives it."""
    cpu_us: int
    memory_kib: int
    killed: bool
    """Whether the parent asked for its death."""

    @property
    def signal(self) -> int:
        """Return the signal that ended the child by itself, or 0.

        The server kills with SIGKILL; it may be told to when the child has died of another signal already.
        """
        signal = os.WTERMSIG(self.status) if os.WIFSIGNALED(self.status) else 0
        return 0 if self.killed and signal == SIGKILL else signal


class WarmServer:
    """One server; at most one child runs at a time."""

    def __init__(
        self, interpreter: Interpreter, mounts: Mounts, perturbation: Perturbation, slot: int
    ) -> None:
        self._slot = slot
        self.preloaded: set[str] = set()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control = ours
        null = os.open("/dev/null", os.O_RDWR | os.O_CLOEXEC)
        self._errors_reading, errors = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(self._errors_reading, False)
        command = box_command(
            interpreter,
            mounts,
            SERVER_FILES,
            [str(theirs.fileno()), *mounts.path],
            how=perturbation,
            tmp_bytes=1 << 20,
            filter_descriptor=None,
            warm=True,
        )
        self._started: Started = start(command, null, null, errors, (theirs.fileno(),))
        theirs.close()
        os.close(null)
        os.close(errors)
        if self._answer(_UP_S) != b"up":
            words = self._errors()
            self.close()
            raise CannotJudgeError(
                "EXE005", f"The warm box does not start: {words}", "Run `authoring doctor`."
            )

    def _errors(self) -> str:
        try:
            return os.read(self._errors_reading, 4096).decode("utf-8", "replace").strip()[-300:]
        except BlockingIOError:
            return "it says nothing"

    def _answer(self, wait_s: float) -> bytes:
        poller = select.poll()
        poller.register(self._control.fileno(), select.POLLIN)
        if not poller.poll(wait_s * 1000):
            return b""
        try:
            return self._control.recv(4096)
        except OSError:
            return b""

    def _send(self, order: bytes, descriptors: tuple[int, ...] = ()) -> None:
        try:
            if descriptors:
                socket.send_fds(self._control, [order], descriptors)
            else:
                self._control.send(order)
        except OSError as error:
            raise ServerLostError from error

    def preload(self, modules: set[str]) -> None:
        """Have the server import modules of the standard library, so that its children need not."""
        new = modules - self.preloaded
        if new:
            self._send(b"P" + " ".join(sorted(new)).encode("ascii"))
            if self._answer(_PRELOAD_S) != b"ok":
                raise ServerLostError
            self.preloaded |= new

    def begin(self, limits: Limits, kind: str = "observe", patience_s: float = PATIENCE_S) -> Channel:
        """Fork a child for a kind of run (observe, trace, draw or compile) and return the channel to it.

        Where calls have a CPU budget, a child that has slept for ``patience_s`` hangs.
        """
        settings = frame(
            {
                "kind": kind,
                "limits": resource_limits(limits),
                "tmp_bytes": limits.tmp_bytes,
                "uid": spare_uid(self._slot),
            }
        )
        order = (
            (b"F" if limits.processes else b"R")
            + len(settings).to_bytes(4, "big")
            + settings
            + filter_program(limits.processes > 0)
        )
        pipes = Pipes.make(1)
        channel = pipes.channel(limits)
        if limits.call_cpu_s is not None:
            channel.idle = IdleWatch(self._started.pid, patience_s)
        try:
            self._send(order, pipes.box_ends())
        except ServerLostError:
            channel.close()
            raise
        finally:
            pipes.close_box_ends()
        return channel

    def end(self) -> ChildEnd:
        """Kill the child, if it still runs, and return how it ended."""
        self._send(b"K")
        deadline = time.monotonic() + _END_S
        answer = self._answer(deadline - time.monotonic())
        parts = answer.split()
        if len(parts) != 4:
            raise ServerLostError
        status, cpu_us, memory_kib, killed = map(int, parts)
        return ChildEnd(status, cpu_us, memory_kib, bool(killed))

    def kill(self) -> None:
        """Kill the box and leave the rest as it is, so that the next order finds it gone."""
        self._started.kill()

    def close(self) -> float:
        """Kill the box whole, close all that leads to it, and return the seconds of CPU that nobody else can count."""
        cpu_s = cpu_s_below(self._started.pid)
        self._control.close()
        self._started.kill()
        os.close(self._errors_reading)
        return cpu_s
