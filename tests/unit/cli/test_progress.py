"""Progress: what is written when, on a terminal and in a log."""

from io import StringIO
from itertools import count

import pytest

from authoring.cli.progress import LineProgress, LiveProgress, watch
from authoring.model.progress import SilentProgress


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Gone(StringIO):
    """A stream whose reader has gone."""

    def write(self, text: str) -> int:
        raise BrokenPipeError


class Terminal(StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_log_gets_a_line_for_a_phase_and_one_every_thirty_seconds() -> None:
    stream, clock = StringIO(), Clock()
    progress = LineProgress(stream, clock)
    progress.phase("reduce", 100)
    for second in range(1, 62):
        clock.now = second
        progress.step(f"pass {second}")
    assert stream.getvalue().splitlines() == [
        "[    0s] reduce 0/100",
        "[   30s] reduce 30/100: pass 30",
        "[   60s] reduce 60/100: pass 60",
    ]


def test_a_terminal_gets_nothing_for_the_first_second_then_one_line_drawn_over() -> None:
    stream, clock = StringIO(), Clock()
    progress = LiveProgress(stream, clock)
    progress.phase("capture")
    progress.step()
    assert stream.getvalue() == ""
    clock.now = 1.5
    progress.step("broken")
    assert stream.getvalue() == "\r\x1b[2K[2s] capture: broken"
    progress.erase()
    assert stream.getvalue().endswith("\r\x1b[2K")
    assert "\n" not in stream.getvalue()


def test_a_live_line_never_exceeds_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    stream, clock = StringIO(), Clock()
    progress = LiveProgress(stream, clock)
    clock.now = 2
    progress.phase("x" * 500)
    assert len(stream.getvalue().removeprefix("\r\x1b[2K")) == 39


def test_text_of_an_incident_cannot_steer_the_terminal() -> None:
    stream = StringIO()
    LineProgress(stream, Clock()).phase("check \x1b[2J\nnext")
    assert stream.getvalue() == "[    0s] check \\x1b[2J next\n"


def test_work_goes_on_when_nobody_reads_the_progress() -> None:
    progress = LineProgress(Gone(), iter(count()).__next__)
    progress.phase("reduce")
    progress.step("again")


def test_the_observer_fits_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    assert isinstance(watch(StringIO(), quiet=False), LineProgress)
    assert isinstance(watch(Terminal(), quiet=False), LiveProgress)
    assert isinstance(watch(Terminal(), quiet=True), SilentProgress)
    assert isinstance(watch(None, quiet=False), SilentProgress)
    monkeypatch.setenv("TERM", "dumb")
    assert isinstance(watch(Terminal(), quiet=False), LineProgress)
