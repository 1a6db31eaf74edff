"""A run that is killed at any moment leaves both repositories whole, and the next one ends in the same state."""

import os
import random
import signal
import threading
import time
from pathlib import Path

import pytest

from authoring.model.reduction import ReductionReport
from tests.e2e.new.job import ORDERS, Desk, Told, committed_trees

pytestmark = [pytest.mark.timeout(1700), pytest.mark.slow]

KILLS = 20


def test_killed_at_random_moments_it_ends_in_the_same_state(desk: Desk, authored: tuple[Path, Told]) -> None:
    workspace = desk.workspace("killed")
    words = ("new", "orders-page-cursor", "--incident", ORDERS, "--workspace", workspace)
    moments = random.Random(20)
    seen: list[Told] = []
    stop = threading.Event()

    def poll() -> None:
        while not stop.is_set():
            seen.append(desk.run("verify", "--workspace", workspace, "--json", timeout=120))

    watcher = threading.Thread(target=poll)
    watcher.start()
    try:
        for _ in range(KILLS):
            process = desk.start(*words)
            time.sleep(moments.uniform(0.2, 12.0))
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(timeout=30)
        last = desk.run(*words, "--json")
    finally:
        stop.set()
        watcher.join()
    assert last.code == 0, last.out + last.err
    assert [told.err for told in seen if told.code not in (0, 4)] == []
    assert committed_trees(workspace) == committed_trees(authored[0])


def test_a_reduction_that_is_terminated_leaves_the_best_so_far_and_ends_the_same(
    desk: Desk, authored: tuple[Path, Told]
) -> None:
    workspace = desk.workspace("terminated")
    told = desk.run("capture", "orders-page-cursor", "--incident", ORDERS, "--workspace", workspace)
    assert told.code == 0, told.err
    process = desk.start("reduce", "orders-page-cursor", "--workspace", workspace)
    place = workspace / "contracts" / "orders-page-cursor"
    while not (place / "program" / "reference.py").exists() and process.poll() is None:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGTERM)
    assert process.wait(timeout=60) == 143
    report = ReductionReport.from_json((place / "reduction.json").read_bytes())
    assert (report.complete, report.ended) == (False, "cut-off")
    for version in report.sizes:
        compile((place / "program" / f"{version}.py").read_text(), version, "exec")
    shown = desk.run("show", "orders-page-cursor", "--workspace", workspace)
    assert "not complete: it is under way, or was cut off" in shown.out
    again = desk.run("reduce", "orders-page-cursor", "--workspace", workspace)
    assert again.code == 0, again.err
    for name in ("reduction.json", "program/broken.py", "program/reference.py"):
        assert (place / name).read_bytes() == (authored[0] / place.relative_to(workspace) / name).read_bytes()
