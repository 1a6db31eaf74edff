"""`grade` on a public task folder that stands alone: real boxes, real verdicts."""

from pathlib import Path

import pytest

from authoring.model.contract import Entry, Origin, ScenarioSpec
from authoring.model.digest import sha256_hex
from authoring.model.task import Check, CheckCounts, Checks, Task, TaskEnvironment
from authoring.model.wire import encode
from tests.e2e.cli.test_init import authoring

SCENARIOS = 'def double(program, p, seen):\n    seen(program.double(p["number"]))\n'
BROKEN = "def double(number):\n    return number + 2\n"
RIGHT = "def double(number):\n    return number * 2\n"


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """Return the folder of a task whose checks double 2 and 5."""
    checks = Checks(
        task="doubling/base",
        scenarios_sha256=sha256_hex(SCENARIOS.encode()),
        checks=tuple(
            Check(
                id=f"c{number}",
                name=f"doubles {number}",
                scenario="double",
                rules=("doubles",),
                params=encode({"number": number}),
                expect=({"value": encode(2 * number)},),
            )
            for number in (2, 5)
        ),
    )
    files = {
        "program.py": BROKEN.encode(),
        "scenarios.py": SCENARIOS.encode(),
        "checks.json": checks.to_json(),
        "prompt.md": b"Mend it.\n",
    }
    described = Task(
        id="doubling/base",
        contract="doubling",
        mechanism="wrong-operator",
        group="wrong-operator",
        category="arithmetic",
        difficulty="1-5",
        entry=Entry(name="double", kind="function", original="numbers:double"),
        compare={"double": ScenarioSpec(id="double", function="double", level="both")},
        environment=TaskEnvironment(python="3.11"),
        files={name: sha256_hex(data) for name, data in files.items()},
        checks=CheckCounts(public=2, hidden=0),
        origin=Origin(package="numbers", releases=("1", "2"), licence="MIT"),
        licence="MIT",
    )
    folder = tmp_path / "task"
    folder.mkdir()
    for name, data in {**files, "task.json": described.to_json()}.items():
        (folder / name).write_bytes(data)
    (tmp_path / "right.py").write_text(RIGHT)
    (tmp_path / "broken.py").write_text(BROKEN)
    return folder


def test_a_right_program_passes_and_only_public_checks_are_claimed(task: Path) -> None:
    code, document, error = authoring("grade", "task", "right.py", cwd=task.parent)
    assert (code, document["status"]) == (0, "done"), error
    [candidate] = document["data"]["candidates"]
    assert candidate["verdict"] == "pass"
    assert candidate["counts"] == {"public": {"cases": 2, "passed": 2}}
    assert document["warnings"] == ["Only public checks were there to judge by."]


def test_one_wrong_candidate_among_right_ones_is_exit_1_and_each_has_its_verdict(task: Path) -> None:
    code, document, _ = authoring("grade", "task", "right.py", "broken.py", cwd=task.parent)
    assert (code, document["status"], document["errors"][0]["code"]) == (1, "refused", "USE007")
    assert [item["verdict"] for item in document["data"]["candidates"]] == ["pass", "wrong"]
    assert document["data"]["candidates"][1]["rules"] == {"doubles": False}


def test_a_candidate_that_is_not_there_is_exit_2(task: Path) -> None:
    code, document, _ = authoring("grade", "task", "nowhere.py", cwd=task.parent)
    assert (code, document["errors"][0]["code"]) == (2, "VAL101")


def test_a_task_that_does_not_exist_is_exit_2_with_the_nearest_name(task: Path) -> None:
    authoring("init", "w", cwd=task.parent)
    target = task.parent / "w/public/tasks/doubling/base"
    target.parent.mkdir(parents=True)
    task.rename(target)
    code, document, _ = authoring("grade", "doublin/base", "../right.py", cwd=task.parent / "w")
    assert (code, document["errors"][0]["code"]) == (2, "TSK007")
    assert "doubling/base" in document["errors"][0]["hint"]
    assert authoring("grade", "doubling/base", "../right.py", cwd=task.parent / "w")[0] == 0


def test_a_task_that_was_edited_is_exit_2(task: Path) -> None:
    (task / "scenarios.py").write_text("def double(program, p, seen):\n    seen(4)\n")
    code, document, _ = authoring("grade", "task", "right.py", cwd=task.parent)
    assert (code, document["errors"][0]["code"]) == (2, "VAL102")
