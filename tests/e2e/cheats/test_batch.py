"""A batch that is cut off goes on: no verdict is lost and none is made twice."""

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from authoring.execution import BoxRunner
from authoring.system.journal import Journal
from authoring.validation.grade import Grader, grade_many, load_material
from tests.e2e.cheats.corpus import CORPUS, lay_task

ROOT = Path(__file__).parents[3]

COUNT = 12
BATCH = """\
import json, sys
from pathlib import Path
from authoring.execution import BoxRunner
from authoring.system.journal import Journal
from authoring.validation.grade import Grader, grade_many, load_material
place = Path(sys.argv[1])
with BoxRunner() as runner, Journal(place / "journal.sqlite") as journal:
    grader = Grader(runner, load_material(place / "task", place / "hidden"), b"k" * 32)
    for item in grade_many(grader, sorted((place / "programs").iterdir()), journal, workers=2):
        print(json.dumps([item.path.name, item.graded.verdict, item.resumed]), flush=True)
"""


@pytest.fixture
def place() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="authoring-test-") as folder:
        root = Path(folder)
        lay_task(root / "task", root / "hidden", 0)
        (root / "programs").mkdir()
        for at in range(COUNT):
            name = "honest-01-plain" if at % 2 else "wrong-01-created-at-only"
            source = (CORPUS / name / "candidate.py").read_text(encoding="utf-8")
            (root / "programs" / f"{at:02}.py").write_text(f"# {at}\n{source}", encoding="utf-8")
        yield root


def run(place: Path, stop: int | None) -> list[list[Any]]:
    """Grade the batch and kill it after so many verdicts; return those that it told."""
    command = [sys.executable, "-c", BATCH, str(place)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={"PYTHONPATH": str(ROOT)})
    assert process.stdout is not None
    told = []
    for line in process.stdout:
        told.append(json.loads(line))
        if len(told) == stop:
            process.send_signal(signal.SIGKILL)
    process.wait(60)
    return told


def test_a_batch_killed_twice_loses_nothing_and_repeats_nothing(place: Path) -> None:
    told = [*run(place, 3), *run(place, 7)]
    final = run(place, None)
    assert [(name, verdict) for name, verdict, _ in final] == [
        (f"{at:02}.py", "pass" if at % 2 else "wrong") for at in range(COUNT)
    ]
    judged = [name for name, _, resumed in [*told, *final] if not resumed]
    assert len(judged) == len(set(judged))
    assert sum(resumed for _, _, resumed in final) > 6


def test_equal_candidates_are_judged_once_and_all_are_told(place: Path) -> None:
    paths = [place / "programs/01.py", place / "programs/00.py", place / "programs/01.py"]
    with BoxRunner() as runner, Journal(place / "own.sqlite") as journal:
        grader = Grader(runner, load_material(place / "task", place / "hidden"), b"k" * 32)
        items = list(grade_many(grader, paths, journal))
        assert [item.graded.verdict for item in items] == ["pass", "wrong", "pass"]
        assert items[0].graded.record == items[2].graded.record
        again = list(grade_many(grader, paths, journal))
    assert all(item.resumed for item in again)
    assert [item.graded.record for item in again] == [item.graded.record for item in items]


def test_a_record_is_the_same_whoever_runs_it_and_bound_to_what_ran(place: Path) -> None:
    material = load_material(place / "task", place / "hidden")
    with BoxRunner() as runner:
        grader = Grader(runner, material, b"k" * 32)
        right = (CORPUS / "honest-01-plain/candidate.py").read_text(encoding="utf-8")
        first, second = grader.judge(right).record, Grader(runner, material, b"k" * 32).judge(right).record
        other = grader.judge(right + "\n# other\n").record
    assert first == second
    assert first.key != other.key
    assert first.result.observations_hmac == other.result.observations_hmac
    assert len(first.result.checks) == material.task.checks.public + material.task.checks.hidden
