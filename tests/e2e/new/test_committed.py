"""One command turns an incident into committed tasks, without a hand edit."""

import json
import sys
import tomllib
from pathlib import Path

import pytest

from authoring.model.task import Checks
from authoring.model.variants import VersionName
from authoring.reduction.align import merge_text
from authoring.variants.base import examples_of
from authoring.variants.render import render_source
from authoring.variants.slots import find_slots
from tests.e2e.new.job import ORDERS, Desk, Told, committed_trees, git, patterns

pytestmark = pytest.mark.timeout(1500)


def test_our_own_incident_is_committed_with_the_patterns_that_it_has(authored: tuple[Path, Told]) -> None:
    _, told = authored
    document = told.document
    assert document["status"] == "committed"
    assert patterns(document, ("broken", "hard_negative", "reference")) == ("11000", "10101", "11111")


def test_the_same_command_again_does_nothing(desk: Desk, authored: tuple[Path, Told]) -> None:
    workspace, _ = authored
    before = [git(repository, "rev-parse", "HEAD") for repository in (workspace, workspace / "public")]
    told = desk.run("new", "orders-page-cursor", "--incident", ORDERS, "--workspace", workspace, "--json")
    assert told.code == 0
    assert told.document["data"]["measure"] == {}
    assert before == [
        git(repository, "rev-parse", "HEAD") for repository in (workspace, workspace / "public")
    ]


def test_the_public_repository_holds_no_reference_and_no_hidden_check(authored: tuple[Path, Told]) -> None:
    workspace, _ = authored
    names = git(workspace / "public", "ls-tree", "-r", "--name-only", "HEAD").splitlines()
    assert {Path(name).name for name in names if name.startswith("tasks/")} == {
        "checks.json",
        "hard_negative.py",
        "program.py",
        "prompt.md",
        "run_checks.py",
        "scenarios.py",
        "task.json",
    }
    objects = git(workspace / "public", "rev-list", "--objects", "--all").splitlines()
    private = set(git(workspace, "rev-list", "--objects", "--all").split())
    shared = {line.split()[0] for line in objects} & private
    hidden = git(workspace, "ls-tree", "-r", "HEAD", "hidden/").splitlines()
    assert not shared & {
        line.split()[2] for line in hidden if "reference.py" in line or "checks.json" in line
    }


def test_every_prompt_says_what_its_own_public_checks_ask(authored: tuple[Path, Told]) -> None:
    workspace, _ = authored
    tasks = sorted((workspace / "public" / "tasks" / "orders-page-cursor").iterdir())
    assert len(tasks) > 1
    for task in tasks:
        said = examples_of(Checks.from_json((task / "checks.json").read_bytes()).checks)
        prompt = (task / "prompt.md").read_text("utf-8")
        assert all(f"  - `{each}`: {words}\n" in prompt for each, words in said.items())


def test_the_template_renders_the_base_byte_for_byte(authored: tuple[Path, Told]) -> None:
    workspace, _ = authored
    contract = workspace / "contracts" / "orders-page-cursor"
    template = (contract / "source.py.j2").read_text()
    versions: tuple[VersionName, ...] = ("broken", "hard_negative", "reference")
    programs = {version: (contract / "program" / f"{version}.py").read_text() for version in versions}
    constants = {slot.name: slot.value for slot in find_slots(merge_text(programs).lines)}
    assert {name: render_source(template, name, constants) for name in programs} == programs


def test_a_relation_that_the_sample_keeps_is_checked_in_every_variant(authored: tuple[Path, Told]) -> None:
    workspace, _ = authored
    content = (workspace / "contracts" / "orders-page-cursor" / "contract.toml").read_text()
    scenarios = tomllib.loads(content)["scenarios"]
    (relation,) = [spec["id"] for spec in scenarios if "relation_of" in spec]
    public = workspace / "public" / "tasks" / "orders-page-cursor"
    hidden = workspace / "hidden" / "orders-page-cursor"
    folders = [*sorted(public.iterdir()), *(hidden / name / "task" for name in ("h1", "h2", "h3"))]
    assert len(folders) == 5
    for folder in folders:
        assert f"def {relation}(program, p, seen):" in (folder / "scenarios.py").read_text()
        checks = json.loads((folder / "checks.json").read_text())["checks"]
        assert relation in [check["scenario"] for check in checks]


@pytest.mark.slow
def test_a_fresh_workspace_with_the_same_key_gets_byte_identical_trees(
    desk: Desk, authored: tuple[Path, Told]
) -> None:
    other = desk.workspace("orders-again")
    told = desk.run("new", "orders-page-cursor", "--incident", ORDERS, "--workspace", other, "--json")
    assert told.code == 0, told.out + told.err
    assert committed_trees(other) == committed_trees(authored[0])


def test_every_public_task_can_be_checked_by_its_candidate(
    authored: tuple[Path, Told], tmp_path: Path
) -> None:
    import shutil
    import subprocess

    workspace, _ = authored
    task = tmp_path / "task"
    shutil.copytree(workspace / "public" / "tasks" / "orders-page-cursor" / "base", task)
    command = [sys.executable, "run_checks.py"]
    assert subprocess.run(command, cwd=task, check=False, capture_output=True, timeout=60).returncode == 1
    reference = workspace / "hidden" / "orders-page-cursor" / "base" / "reference.py"
    (task / "program.py").write_bytes(reference.read_bytes())
    assert subprocess.run(command, cwd=task, check=False, capture_output=True, timeout=60).returncode == 0
    assert json.loads((task / "task.json").read_text())["reference_solution"] is None
