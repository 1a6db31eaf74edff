"""The parent's end of a run's pipes: frames with deadlines and caps, and output drained; it never blocks."""

import json
import math
import os
import re
import select
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from authoring.execution.idle import LOOK_S, IdleWatch
from authoring.model.wire import WireError

__all__ = ["Channel", "Ended", "containers", "parse_frame"]

KEEP_OUTPUT = 64 << 10
_CHUNK = 1 << 16
_SMALL_INT = 12
_GUARD_S = 0.05
_REPLIES = 6


@dataclass(frozen=True, slots=True)
class Ended:
    """Why no further frame will come, in a word such as ``closed``, ``late`` or ``reply-size``."""

    reason: str


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise WireError("a key occurs twice")
    return result


def _small_int(text: str) -> int:
    if len(text) > _SMALL_INT:
        raise WireError("a number is too long")
    return int(text)


def _no_number(_: str) -> Any:
    raise WireError("a number that is no integer")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_int=_small_int, parse_float=_no_number, parse_constant=_no_number
)


def parse_frame(body: bytes) -> dict[str, Any]:
    """Return the object of a reply frame; raise :class:`WireError` for anything else, whatever the bytes are."""
    try:
        value = _DECODER.decode(body.decode("utf-8"))
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise WireError("not a JSON object") from error
    if type(value) is not dict:
        raise WireError("not a JSON object")
    return value


_STRING = re.compile(rb'"(?:[^"\\]+|\\.)*+"', re.DOTALL)


def containers(body: bytes, enough: int) -> int:
    """Return how many objects and arrays a JSON text begins; brackets in strings are not counted above ``enough``."""
    most = body.count(b"{") + body.count(b"[")
    if most <= enough:
        return most
    bare = _STRING.sub(b"", body)
    return bare.count(b"{") + bare.count(b"[")


class Channel:
    """Writes requests, reads replies and output; every wait has a deadline."""

    def __init__(
        self, requests: int, replies: int, outputs: tuple[int, ...], *, reply_bytes: int, output_bytes: int
    ) -> None:
        self._requests = requests
        self._replies = replies
        self._reply_bytes = reply_bytes
        self._replies_left = _REPLIES * reply_bytes
        self._output_bytes = output_bytes
        self._pending: deque[memoryview] = deque()
        self._buffer = bytearray()
        self._open = {requests, replies, *outputs}
        self.kept = {descriptor: bytearray() for descriptor in outputs}
        self.output_total = 0
        self.closed = False
        self.is_excessive: Callable[[], bool] | None = None
        self.idle: IdleWatch | None = None
        self.containers_cap: int | None = None
        """How many objects and arrays a reply may hold; each takes far more memory than its text."""
        for descriptor in self._open:
            os.set_blocking(descriptor, False)
        self._poll = select.poll()
        self._poll.register(replies, select.POLLIN)
        for descriptor in outputs:
            self._poll.register(descriptor, select.POLLIN)
        self._writing = False

    def send(self, frames: list[bytes]) -> None:
        """Queue frames and write what the pipe takes now."""
        data = b"".join(len(body).to_bytes(4, "big") + body for body in frames)
        self._pending.append(memoryview(data))
        self._write()

    def _write(self) -> None:
        while self._pending and self._requests in self._open:
            block = self._pending[0]
            try:
                written = os.write(self._requests, block[:_CHUNK])
            except BlockingIOError:
                break
            except OSError:
                self._pending.clear()
                break
            if written == len(block):
                self._pending.popleft()
            else:
                self._pending[0] = block[written:]
        self._watch_writing(bool(self._pending))

    def _watch_writing(self, wanted: bool) -> None:
        if wanted and not self._writing:
            self._poll.register(self._requests, select.POLLOUT)
        elif self._writing and not wanted:
            self._poll.unregister(self._requests)
        self._writing = wanted

    def receive(self, deadline: float) -> dict[str, Any] | Ended:
        """Return the next reply, or why there is none; ``deadline`` is a time of ``time.monotonic``."""
        if self.idle is not None:
            self.idle.begin()
        while True:
            frame = self._frame()
            if frame is not None:
                return frame
            left = deadline - time.monotonic()
            if left <= 0:
                return Ended("late")
            ended, nothing = self._turn(min(left, self._look_s()))
            if ended is not None:
                return ended
            if self.is_excessive is not None and self.is_excessive():
                return Ended("memory")
            if nothing and self.idle is not None and self.idle.is_idle():
                return Ended("late")

    def _look_s(self) -> float:
        if self.is_excessive is not None:
            return _GUARD_S
        return LOOK_S if self.idle is not None else math.inf

    def _frame(self) -> dict[str, Any] | Ended | None:
        if len(self._buffer) < 4:
            return None
        size = int.from_bytes(self._buffer[:4], "big")
        if size > self._reply_bytes:
            return Ended("reply-size")
        if len(self._buffer) < 4 + size:
            return None
        self._replies_left -= size
        if self._replies_left < 0:
            return Ended("replies-size")
        body = bytes(memoryview(self._buffer)[4 : 4 + size])
        del self._buffer[: 4 + size]
        return self._parsed(body)

    def _parsed(self, body: bytes) -> dict[str, Any] | Ended:
        if self.containers_cap is not None and containers(body, self.containers_cap) > self.containers_cap:
            return Ended("reply-size")
        try:
            return parse_frame(body)
        except WireError:
            return Ended("malformed")

    def _turn(self, left: float) -> tuple[Ended | None, bool]:
        """Wait once; return why nothing more can come, and whether nothing came at all."""
        events = self._poll.poll(left * 1000 + 1)
        return self._take(events), not events

    def _take(self, events: list[tuple[int, int]]) -> Ended | None:
        for descriptor, event in events:
            if descriptor == self._requests:
                self._write_or_drop(event)
            elif descriptor in self.kept:
                self._drain(descriptor)
                if self.output_total > self._output_bytes:
                    return Ended("output-size")
            elif not self._fill():
                return Ended("closed")
        return None

    def _write_or_drop(self, event: int) -> None:
        if event & (select.POLLERR | select.POLLHUP):
            self._pending.clear()
        self._write()

    def _fill(self) -> bool:
        try:
            data = os.read(self._replies, _CHUNK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self._buffer += data
        self.closed = not data
        return bool(data)

    def _drain(self, output: int) -> bool:
        """Read one output once; keep its beginning; return whether more may come at once."""
        try:
            data = os.read(output, _CHUNK)
        except BlockingIOError:
            return False
        if not data:
            with suppress(KeyError):
                self._poll.unregister(output)
            return False
        kept = self.kept[output]
        kept += data[: max(0, KEEP_OUTPUT - len(kept))]
        self.output_total += len(data)
        return True

    def has_unasked(self) -> bool:
        """Return whether the other side has said something beyond the replies that were read."""
        if not self._buffer and self._replies in self._open:
            self._fill()
        return bool(self._buffer)

    def drain_rest(self) -> None:
        """Read what output is there once the other side is dead, within bounds."""
        for output in self.kept:
            for _ in range(64):
                if not self._drain(output):
                    break

    def outputs(self) -> tuple[bytes, ...]:
        """Return the beginnings of the outputs, in the order in which they were given."""
        return tuple(bytes(kept) for kept in self.kept.values())

    def close(self) -> None:
        """Close the descriptors."""
        for descriptor in self._open:
            os.close(descriptor)
        self._open.clear()
