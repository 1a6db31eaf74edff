"""Code of long programs, statement by statement: one program after another differs in few of them.

Texts are compiled in a box of their own, by the interpreter that will run them, and only there; here code is a text
that is kept and passed on.
"""

import re
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from itertools import accumulate

from authoring.execution.box import Mounts
from authoring.execution.channel import Channel, Ended
from authoring.execution.conversation import BoxFaultError, await_up, frame
from authoring.execution.interpreter import Interpreter
from authoring.execution.warm import ServerLostError, WarmServer
from authoring.model.errors import CannotJudgeError
from authoring.model.execution import Limits, Perturbation

__all__ = ["Compiler", "statements"]

_LEAST = 4000
"""Characters below which a program is compiled by the process that runs it: asking for code would cost as much."""
_KEPT = 8000
"""Statements whose code is kept."""
_BATCH = 200_000
"""Characters that are compiled in one go."""
_WAIT_S = 20.0
_SLOT = 16
_LIMITS = Limits(reply_bytes=8 << 20, cpu_s=3600)

_BEGIN = re.compile(r"^(?!else\b|elif\b|except\b|finally\b)[^\s#)\]}].*", re.MULTILINE)
_TEXT = re.compile(r"[rbuf]{0,2}[\"']", re.IGNORECASE)
"""A statement that would be the module's docstring, were it the first."""
_FEATURE = re.compile(r"(?:.*;)?[ \t]*from[ \t]+__future__")
"""A statement that changes how those after it are compiled."""


class Compiler:
    """Compiles for one interpreter; safe to use from several threads."""

    def __init__(self, interpreter: Interpreter, driver: Mounts) -> None:
        self._interpreter = interpreter
        self._mounts = driver
        self._lock = threading.Lock()
        self._codes: OrderedDict[tuple[str, str], str | None] = OrderedDict()
        self._server: WarmServer | None = None
        self._channel: Channel | None = None
        self._is_lost = False
        self.ended_cpu_s = 0.0

    def codes(self, source: str, path: str) -> list[tuple[str, int]] | None:
        """Return the code of each statement, to be run one after another, and how many lines stand before it.

        None: compile the source as a whole.
        """
        if len(source) < _LEAST:
            return None
        texts = statements(source)
        if any(map(_FEATURE.match, texts)) or any(map(_TEXT.match, texts[1:])):
            return None
        with self._lock:
            self._compile([text for text in texts if (path, text) not in self._codes], path)
            found = [self._codes.get((path, text)) for text in texts]
            for text in texts:
                if (path, text) in self._codes:
                    self._codes.move_to_end((path, text))
            while len(self._codes) > _KEPT:
                self._codes.popitem(last=False)
        before = accumulate((text.count("\n") for text in texts), initial=0)
        codes = [(code, lines) for code, lines in zip(found, before, strict=False) if code is not None]
        return codes if len(codes) == len(texts) else None

    def close(self) -> None:
        """End the box."""
        with self._lock:
            self._end()

    def _compile(self, texts: Sequence[str], path: str) -> None:
        for batch in _batches(texts):
            if self._is_lost:
                return
            try:
                answer = self._ask(batch, path)
            except (ServerLostError, BoxFaultError, CannotJudgeError):
                answer = Ended("closed")
            codes = answer.get("codes") if isinstance(answer, dict) else None
            if not isinstance(codes, list) or len(codes) != len(batch):
                self._end()
                self._is_lost = True
                return
            self._codes.update(zip([(path, text) for text in batch], codes, strict=True))

    def _ask(self, texts: Sequence[str], path: str) -> dict[str, object] | Ended:
        question = [frame({"path": path, "texts": list(texts)})]
        for is_last in (False, True):
            channel = self._up()
            channel.send(question)
            answer = channel.receive(time.monotonic() + _WAIT_S)
            if not isinstance(answer, Ended) or is_last:
                return answer
            self._end()  # a box that has said all that it may
        raise AssertionError("a loop that returns")

    def _up(self) -> Channel:
        if self._channel is None:
            self._server = WarmServer(self._interpreter, self._mounts, Perturbation(), _SLOT)
            self._channel = self._server.begin(_LIMITS, "compile")
            await_up(self._channel)
        return self._channel

    def _end(self) -> None:
        if self._channel is not None:
            self._channel.close()
        if self._server is not None:
            self.ended_cpu_s += self._server.close()
        self._channel = self._server = None


def statements(source: str) -> list[str]:
    """Cut a program before each statement of its top level that is written at the beginning of a line.

    A cut in the middle of a statement, as a text over several lines can bring about, leaves a part without code.
    """
    begins = list(_begins(source))
    ends = [*begins[1:], len(source)]
    return [source[begin:end] for begin, end in zip(begins, ends, strict=True)]


def _begins(source: str) -> Iterator[int]:
    yield 0
    is_decorated = False
    for found in _BEGIN.finditer(source):
        if not is_decorated and found.start():
            yield found.start()
        is_decorated = found[0].startswith("@")


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in dict.fromkeys(texts):
        batch.append(text)
        size += len(text)
        if size > _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
