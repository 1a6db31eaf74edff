"""Capture observes the calls back as strictly as every version that is right allows, in real boxes."""

from pathlib import Path

import pytest

from authoring.execution import BoxRunner
from tests.e2e.incident.test_capture import captured, runner, written

__all__ = ["runner"]

FIXED = """
def marks(items, key, most):
    found = [key(item) for item in items]
    return sorted(found)[:most]
"""
REPRODUCER = """
from meter import marks

assert marks([3, 1, 12], key=lambda each: each % 10, most=2) == [1, 2]
assert marks([5, 4, 16], key=lambda each: each % 10, most=3) == [4, 5, 6]
"""
BROKEN = FIXED.replace("[:most]", "[:3]")
REVERSED = BROKEN.replace("in items", "in reversed(items)")
TWICE = BROKEN.replace("[key(item) for", "[key(item) and key(item) for")
PEEKING = BROKEN.replace("    found =", "    items[1:] and key(items[0])\n    found =")
RECORDED = """
from meter import marks

got = []
marks([3, 1, 12], key=lambda each: got.append(each) or each, most=2)
assert got == [3, 1, 12]
assert marks([3, 1], key=lambda each: each, most=1) == [1]
"""


@pytest.mark.parametrize(
    ("broken", "view", "seen"),
    [
        (BROKEN, "value and calls", "seen(calls)"),
        (REVERSED, "value and calls", "seen(sorted(calls, key=repr))"),
        (TWICE, "value", ""),
        (PEEKING, "value", ""),
    ],
    ids=["as fixed", "another order", "twice", "once more"],
)
def test_calls_count_as_far_as_they_are_those_of_the_broken_side_where_it_is_right(
    tmp_path: Path, runner: BoxRunner, broken: str, view: str, seen: str
) -> None:
    found = captured(written(tmp_path, {"broken": broken, "fixed": FIXED}, REPRODUCER), runner)
    assert [check.view for check in found.capture.checks] == [view, view]
    assert ("calls" in found.scenarios) == bool(seen)
    assert seen in found.scenarios


def test_a_record_that_the_reproducer_keeps_itself_is_not_kept_twice(
    tmp_path: Path, runner: BoxRunner
) -> None:
    broken = FIXED.replace("for item in items", "for item in items[1:]").replace("[:most]", "[:1]")
    found = captured(written(tmp_path, {"broken": broken, "fixed": FIXED}, RECORDED), runner)
    assert "called" not in found.scenarios.partition("def marks_2")[0]
