"""Main of a warm box: one interpreter that is up, and a fork in namespaces of its own for each run.

The server reads only what the parent writes, holds no program and no secret, and never reads a byte that a child
wrote: the parent hands the pipes of each run over as descriptors.
"""

import gc
import sys
from _socket import AF_UNIX, CMSG_LEN, SOCK_SEQPACKET, socket
from posix import _exit, close, closerange, dup2, fork, getpid, kill, pidfd_open, wait4
from posix import open as open_file
from select import POLLIN, poll

from authoring.execution.driver import compiling, generate, isolate, observe, tracing
from authoring.execution.driver.codec import load_json
from authoring.execution.driver.frames import Pipes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
else:
    Any = object

_signal: Any = __import__("_signal")  # the module signal costs the import of enum


class Server:
    """The loop between the parent's orders and the children."""

    def __init__(self, control: int) -> None:
        self.control = socket(AF_UNIX, SOCK_SEQPACKET, 0, control)
        self.own = pidfd_open(getpid(), 0)
        self.null = open_file("/dev/null", 0)
        self.first = 0

    def loop(self) -> None:
        """Carry out orders until the parent goes away: R runs a child (F one that may fork), P imports modules."""
        self.control.send(b"up")
        while True:
            order, descriptors = self._order()
            if not order:
                _exit(0)
            if order[:1] in (b"R", b"F"):
                ended = self._run(order[1:], descriptors)
                if order[:1] == b"F":
                    self._end_namespace()
                self.control.send(b"%d %d %d %d" % ended)
            elif order[:1] == b"P":
                self._preload(order[1:].decode("ascii").split())

    def _order(self) -> tuple[bytes, list[int]]:
        data, ancillary, _, _ = self.control.recvmsg(1 << 16, CMSG_LEN(12))
        packed = ancillary[0][2] if ancillary else b""
        return data, [int.from_bytes(packed[at : at + 4], sys.byteorder) for at in range(0, len(packed), 4)]

    def _preload(self, names: list[str]) -> None:
        for name in names:
            try:
                __import__(name)
            except Exception:  # a part of the library that this Python lacks, or that will not come up here
                pass
        self.control.send(b"ok")

    def _run(self, order: bytes, descriptors: list[int]) -> tuple[int, int, int, int]:
        try:
            child = self._fork()
        except OSError:
            self._end_namespace()
            child = self._fork()
        if child == 0:
            self._be_child(order, descriptors)
        for descriptor in descriptors:
            close(descriptor)
        return self._wait(child)

    def _fork(self) -> int:
        """Fork into the process namespace of the children, which begins with an idle first process.

        The children see neither the server nor anything outside; what outlives a child that may fork dies with the
        namespace. A child is not the namespace's first process, because that one cannot be ended by a CPU timer.
        What the server holds is taken from the collector of garbage, which would look at all of it in every child.
        """
        if not self.first:
            isolate.new_pid_namespace(self.own)
            self.first = fork()
            if self.first == 0:
                closerange(0, 1024)
                idle()
        gc.freeze()
        return fork()

    def _end_namespace(self) -> None:
        if self.first:
            kill(self.first, 9)
            wait4(self.first, 0)
            self.first = 0

    def _wait(self, child: int) -> tuple[int, int, int, int]:
        """Wait for the child's death, killing it when told to; return status, CPU microseconds, KiB, and killed."""
        watch = pidfd_open(child, 0)
        killed = 0
        poller = poll()
        poller.register(watch, POLLIN)
        poller.register(self.control.fileno(), POLLIN)
        while True:
            ready = [descriptor for descriptor, _ in poller.poll()]
            if watch in ready:
                break
            order, _ = self._order()
            if not order:
                _exit(0)
            killed = 1
            kill(child, 9)
        close(watch)
        _, status, usage = wait4(child, 0)
        return status, int((usage.ru_utime + usage.ru_stime) * 1e6), usage.ru_maxrss, killed

    def _be_child(self, order: bytes, descriptors: list[int]) -> None:
        requests, replies, output = descriptors
        try:
            close(self.control.detach())
            close(self.own)
            dup2(self.null, 0)
            close(self.null)
            dup2(output, 1)
            dup2(output, 2)
            close(output)
            size = int.from_bytes(order[:4], "big")
            settings = load_json(order[4 : 4 + size].decode())
            isolate.leave_shared(settings["tmp_bytes"])
            isolate.limit(settings["limits"])
            isolate.become(settings["uid"])
            isolate.give_up_powers(order[4 + size :])
        except BaseException as error:
            Pipes(requests, replies).send(
                '{"fault":"%s"}' % ascii(str(error)).replace("\\", "/").replace('"', "'")
            )
            _exit(1)
        gc.enable()
        pipes = Pipes(requests, replies)
        if settings["kind"] == "draw":
            generate.serve_draw(pipes)
        if settings["kind"] == "compile":
            compiling.serve_codes(pipes)
        observe.serve(pipes, tracing.tracer_for if settings["kind"] == "trace" else None)
        _exit(0)


def idle() -> None:
    """Be the first process of a namespace: take in what loses its parent, and do nothing else."""
    while True:
        try:
            wait4(-1, 0)
        except ChildProcessError:
            _signal.pause()


def main() -> None:
    """Serve until the parent goes away."""
    gc.disable()
    control = int(sys.argv[1])
    sys.path[:0] = sys.argv[2:]
    observe.forget_origins()
    Server(control).loop()
