"""What ended a child of a warm server."""

from signal import SIGKILL, SIGPROF

import pytest

from authoring.execution.warm import ChildEnd


@pytest.mark.parametrize(
    ("status", "killed", "signal"),
    [
        (0, False, 0),
        (1 << 8, False, 0),
        (SIGPROF, False, SIGPROF),
        (SIGKILL, False, SIGKILL),
        (SIGKILL, True, 0),
    ],
)
def test_the_signal_is_the_childs_own(status: int, killed: bool, signal: int) -> None:
    assert ChildEnd(status, 0, 0, killed).signal == signal


def test_a_kill_that_came_too_late_hides_no_signal() -> None:
    assert ChildEnd(SIGPROF, 0, 0, killed=True).signal == SIGPROF
