"""Progress on standard error: one live line on a terminal, else a line for a phase every thirty seconds."""

import os
import shutil
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TextIO

from authoring.cli.screen import clean
from authoring.model.progress import Progress, SilentProgress

__all__ = ["LineProgress", "LiveProgress", "close", "watch"]

_LINE_EVERY_S = 30.0
_REDRAW_EVERY_S = 0.1
_SHOW_AFTER_S = 1.0


class _Phase:
    """The phase that goes on and how far it is, as one line."""

    def __init__(self, name: str, total: int | None) -> None:
        self.name, self.total, self.done, self.text = name, total, 0, ""

    def advance(self, text: str) -> None:
        self.done += 1
        self.text = text or self.text

    def line(self) -> str:
        count = f" {self.done}/{self.total}" if self.total else ""
        tail = f": {self.text}" if self.text else ""
        return clean(f"{self.name}{count}{tail}").replace("\n", " ")


class _Observer(ABC):
    """What both forms share: a stream that may go away, a clock, and the phase."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream: TextIO | None = stream
        self._clock = clock
        self._began = self._shown = clock()
        self._phase = _Phase("", None)

    def phase(self, name: str, total: int | None = None) -> None:
        """Begin a phase and show it."""
        self._phase = _Phase(name, total)
        self._show(self._clock(), new_phase=True)

    def step(self, text: str = "") -> None:
        """Count one step and show it when enough time has passed since the last line."""
        self._phase.advance(text)
        self._show(self._clock(), new_phase=False)

    @abstractmethod
    def _show(self, now: float, new_phase: bool) -> None:
        """Draw the phase, if it is time to."""

    def _write(self, text: str) -> None:
        """Write, or stop watching when the reader has gone: the work goes on."""
        if self._stream is None:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:
            self._stream = None


class LineProgress(_Observer):
    """For logs: a line when a phase begins, then one every thirty seconds while it lasts."""

    def _show(self, now: float, new_phase: bool) -> None:
        if new_phase or now - self._shown >= _LINE_EVERY_S:
            self._shown = now
            self._write(f"[{now - self._began:5.0f}s] {self._phase.line()}\n")


class LiveProgress(_Observer):
    """For terminals: one line that is drawn over, shown once the command has taken a second."""

    def _show(self, now: float, new_phase: bool) -> None:
        if now - self._began < _SHOW_AFTER_S or (not new_phase and now - self._shown < _REDRAW_EVERY_S):
            return
        self._shown = now
        width = max(20, shutil.get_terminal_size().columns - 1)
        self._write(f"\r\x1b[2K{f'[{now - self._began:.0f}s] {self._phase.line()}'[:width]}")

    def erase(self) -> None:
        """Remove the line, so that what is written next begins on a clean one."""
        self._write("\r\x1b[2K")


def watch(stream: TextIO | None, quiet: bool) -> Progress:
    """Return the observer that fits the stream: live on a terminal, lines elsewhere, silent when quiet."""
    if quiet or stream is None:
        return SilentProgress()
    if stream.isatty() and os.environ.get("TERM") != "dumb":
        return LiveProgress(stream)
    return LineProgress(stream)


def close(progress: Progress) -> None:
    """Take a live line off the terminal before anything else is written."""
    if isinstance(progress, LiveProgress):
        progress.erase()
