"""A check that fails for its time alone is an incident where line events tell the sides apart, in real boxes."""

from pathlib import Path

from authoring.execution import BoxRunner
from tests.e2e.incident.test_capture import bits, captured, refused, runner, written

__all__ = ["runner"]

FIXED = """
import time

def commas(text):
    found = 0
    for each in text:
        found += each == ","
    return found
"""
BROKEN = """
import time

def commas(text):
    for at in range(len(text)):
        found = 0
        for each in text[: at + 1]:
            found += each == ","
    return found
"""
WAITING = FIXED.replace("    found = 0\n", "    found = 0\n    time.sleep(len(text) / 3000)\n")
REPRODUCER = """
import signal

from meter import commas

assert commas("a,b") == 1
signal.setitimer(signal.ITIMER_REAL, 0.2)
assert commas("ab," * 2000) == 2000
signal.setitimer(signal.ITIMER_REAL, 0)
"""


def test_what_takes_many_times_the_line_events_fails_although_it_answers_the_same(
    tmp_path: Path, runner: BoxRunner
) -> None:
    found = captured(written(tmp_path, {"broken": BROKEN, "fixed": FIXED}, REPRODUCER), runner)
    assert bits(found) == {"broken": "10", "fixed": "11"}
    assert [check.view for check in found.capture.checks] == ["value", "value"]


def test_what_only_waits_is_none(tmp_path: Path, runner: BoxRunner) -> None:
    folder = written(tmp_path, {"broken": WAITING, "fixed": FIXED}, REPRODUCER)
    assert refused(folder, runner).code == "SCN004"
