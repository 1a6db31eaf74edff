"""An incident whose versions differ in nothing but cost becomes a task, and who lowers the count is found out."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from authoring.execution import BoxRunner
from authoring.validation.grade import Graded, Grader, Submission, load_material
from tests.e2e.new.job import DATA, KEY, Desk

pytestmark = [pytest.mark.timeout(1500), pytest.mark.slow]

INCIDENTS = ("csvish-rescan", "globby-backtrack")


@pytest.fixture(scope="module", params=INCIDENTS)
def place(request: pytest.FixtureRequest, desk: Desk) -> tuple[Path, Path]:
    """The folder of an incident's base in public and in hidden."""
    name = str(request.param)
    workspace = desk.thrifty_workspace(name)
    incident = DATA / "costs" / name / "incident.toml"
    told = desk.run("new", name, "--incident", incident, "--workspace", workspace, "--json")
    assert told.code == 0, told.out + told.err
    return workspace / "public" / "tasks" / name / "base", workspace / "hidden" / name / "base"


def checks(file: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(file.read_text())["checks"]
    return found


def test_the_broken_program_fails_what_bounds_its_cost_and_nothing_else(place: tuple[Path, Path]) -> None:
    public, hidden = place
    bounded = [
        [check["id"] for check in checks(file) if "cost" in check]
        for file in (public / "checks.json", hidden / "hidden_checks.json")
    ]
    assert all(bounded)
    found = graded(place, (public / "program.py").read_text())
    assert found.verdict == "timeout"
    assert not [check for check, verdict in found.checks.items() if verdict in ("wrong", "error")]
    assert {check for check, verdict in found.checks.items() if verdict == "timeout"} <= {
        *bounded[0],
        *bounded[1],
    }


def test_a_candidate_sees_the_cost_of_its_program(place: tuple[Path, Path], tmp_path: Path) -> None:
    public, hidden = place
    task = tmp_path / "task"
    shutil.copytree(public, task)
    command = [sys.executable, "run_checks.py"]
    done = subprocess.run(command, cwd=task, check=False, capture_output=True, timeout=120, text=True)
    assert done.returncode == 1
    assert "it takes more than" in done.stdout
    shutil.copy(hidden / "reference.py", task / "program.py")
    assert subprocess.run(command, cwd=task, check=False, capture_output=True, timeout=120).returncode == 0


CHEATS = {
    "tracing": "import sys\nsys.settrace(None)\n",
    "monitoring": "import sys\ntry:\n    sys.monitoring.set_events(3, 0)\nexcept AttributeError:\n    sys.settrace(None)\n",
    "profile": "import sys\nsys.setprofile(None)\n",
    "objects": "import gc\nfor each in gc.get_objects():\n    if type(each).__name__ == 'MonitoringCounter':\n"
    "        each._left = 10**9\n",
}


@pytest.mark.parametrize("way", CHEATS)
def test_a_program_that_lowers_its_count_is_suspected(place: tuple[Path, Path], way: str) -> None:
    found = graded(place, CHEATS[way] + (place[0] / "program.py").read_text())
    assert found.verdict == "error"
    assert "line-count-touched" in found.signals
    assert found.suspected_cheat


def graded(place: tuple[Path, Path], source: str) -> Graded:
    with BoxRunner() as runner:
        grader = Grader(runner, load_material(*place), KEY)
        return grader.grade(Submission({"program.py": source.encode()}))
