"""Frames of four bytes of length and UTF-8 JSON, on the two pipes of a run."""

from posix import _exit, read, write

from authoring.execution.driver.codec import load_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
else:
    Any = object


class Pipes:
    """The request pipe and the reply pipe."""

    def __init__(self, requests: int, replies: int) -> None:
        self.requests = requests
        self.replies = replies
        self._buffer = b""

    def receive(self) -> Any:
        """Return the next request; leave the process where the parent closed the pipe."""
        size = int.from_bytes(self._exactly(4), "big")
        return load_json(self._exactly(size).decode("utf-8", "surrogatepass"))

    def _exactly(self, size: int) -> bytes:
        while len(self._buffer) < size:
            part = read(self.requests, 1 << 16)
            if not part:
                _exit(0)
            self._buffer += part
        data, self._buffer = self._buffer[:size], self._buffer[size:]
        return data

    def send(self, text: str) -> None:
        """Write one reply whole."""
        body = text.encode("ascii")
        data = len(body).to_bytes(4, "big") + body
        while data:
            data = data[write(self.replies, data) :]
