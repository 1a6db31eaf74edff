"""An incident whose reproducer fails for its time alone, on a call that ends soon enough, becomes a task about cost."""

import json
import shutil
from pathlib import Path

import pytest

from tests.e2e.new.job import DATA, Desk, patterns

pytestmark = [pytest.mark.timeout(1500), pytest.mark.slow]

NAME = "csvish-rescan"
TIMED = """import signal

from csvish import fields

assert fields("a,b") == ["a", "b"]
assert fields('"a,b",c') == ["a,b", "c"]
assert fields("") == [""]

signal.setitimer(signal.ITIMER_REAL, 0.1)
assert len(fields("ab," * 3600)) == 3601
signal.setitimer(signal.ITIMER_REAL, 0)
"""


def test_a_timed_check_bounds_line_events(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / NAME
    shutil.copytree(DATA / "costs" / NAME, folder)
    (folder / "repro.py").write_text(TIMED)
    workspace = desk.thrifty_workspace("timed")
    told = desk.run("new", NAME, "--incident", folder / "incident.toml", "--workspace", workspace, "--json")
    assert told.code == 0, told.out + told.err
    assert patterns(told.document, ("broken", "reference")) == ("1110", "1111")
    for file in (
        workspace / "public" / "tasks" / NAME / "base" / "checks.json",
        workspace / "hidden" / NAME / "base" / "hidden_checks.json",
    ):
        checks = json.loads(file.read_text())["checks"]
        assert any("cost" in check for check in checks)
        assert "signal" not in file.read_text()
