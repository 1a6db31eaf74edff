"""Laws of commits to both repositories, on real repositories."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from authoring.model.errors import AuthoringError
from authoring.system import git
from authoring.system.files import read_tree
from authoring.system.workspace import Workspace
from authoring.taskrepo.commit import Publication, audit, commit
from authoring.taskrepo.intent import is_pending
from authoring.taskrepo.read import read_tasks, variant_of
from tests.unit.taskrepo.synthetic import DATE, changed, contract_of, publication, tasks_of, workspace_in

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _identity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Some One")
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", "one@example.org")
    monkeypatch.delenv("AUTHORING_KEY_FILE", raising=False)


def trees(workspace: Workspace) -> tuple[dict[str, bytes], dict[str, bytes]]:
    return (
        git.read_files(workspace.root, git.head(workspace.root)),
        git.read_files(workspace.public, git.head(workspace.public)),
    )


def refused(workspace: Workspace, wanted: Publication) -> str:
    before = git.head(workspace.root), git.head(workspace.public)
    with pytest.raises(AuthoringError) as error:
        commit(workspace, wanted)
    assert (git.head(workspace.root), git.head(workspace.public)) == before
    assert not is_pending(workspace)
    return error.value.code


def test_a_commit_fills_both_repositories_and_leaves_them_clean(tmp_path: Path) -> None:
    workspace = workspace_in(tmp_path / "w")
    done = commit(workspace, replace(publication(workspace), reviewed_by="Re Viewer"))
    private, public = trees(workspace)
    assert done.changed
    assert {path.split("/")[0] for path in private} == {
        ".gitignore",
        "authoring.toml",
        "contracts",
        "evidence",
        "hidden",
        "incidents",
    }
    assert {path.split("/")[0] for path in public} == {
        ".gitignore",
        "LICENSES",
        "README.md",
        "catalog.csv",
        "tasks",
    }
    assert sorted({path.split("/")[2] for path in public if path.startswith("tasks/")}) == ["base", "p2"]
    assert sorted({path.split("/")[2] for path in private if path.startswith("hidden/")}) == [
        "base",
        "h1",
        "h2",
        "h3",
        "p2",
    ]
    for repo in (workspace.root, workspace.public):
        assert git.dirty_paths(repo) == git.untracked_paths(repo) == []
        facts = git.history(repo)[0]
        assert facts.date == DATE
        trailers = [line for line in facts.message.splitlines() if ": " in line][-4:]
        assert [line.split(":")[0] for line in trailers] == [
            "Incident",
            "Contract",
            "Evidence",
            "Reviewed-by",
        ]


def test_the_same_commit_again_does_nothing(tmp_path: Path) -> None:
    workspace = workspace_in(tmp_path / "w")
    first = commit(workspace, publication(workspace))
    again = commit(workspace, publication(workspace))
    assert again == replace(first, changed=False)


def test_the_same_inputs_give_the_same_commits_in_a_fresh_workspace(tmp_path: Path) -> None:
    heads = []
    for name in ("a", "b"):
        workspace = workspace_in(tmp_path / name)
        for number in (2, 1):
            commit(workspace, publication(workspace, number))
        heads.append((git.head(workspace.root), git.head(workspace.public), trees(workspace)))
    assert heads[0] == heads[1]


def test_the_catalogue_names_every_task_and_the_card_says_how_to_run(tmp_path: Path) -> None:
    workspace = workspace_in(tmp_path / "w")
    for number in (2, 1):
        commit(workspace, publication(workspace, number))
    _, public = trees(workspace)
    rows = public["catalog.csv"].decode().splitlines()
    assert [row.split(",")[0] for row in rows[1:]] == [
        "clip-001/base",
        "clip-001/p2",
        "clip-002/base",
        "clip-002/p2",
    ]
    assert b"python run_checks.py" in public["README.md"]
    licences = [data.decode() for path, data in public.items() if path.startswith("LICENSES/")]
    assert len(licences) == 1
    assert "Permission is granted." in licences[0]


def test_a_committed_task_is_read_back_as_it_was(tmp_path: Path) -> None:
    workspace = workspace_in(tmp_path / "w")
    commit(workspace, publication(workspace))
    stored = read_tasks(*trees(workspace))
    assert [(each.task.id, each.tier) for each in stored] == [
        (task.id, task.spec.tier) for task in sorted(tasks_of(1), key=lambda task: task.id)
    ]
    for each, task in zip(stored, sorted(tasks_of(1), key=lambda task: task.id), strict=True):
        read = variant_of(each)
        assert (read.public, read.hidden, read.program) == (task.public, task.hidden, task.program)
        assert (read.reference, read.hard_negative, read.prompt) == (
            task.reference,
            task.hard_negative,
            task.prompt,
        )


def test_no_object_of_the_public_repository_was_ever_private(tmp_path: Path) -> None:
    workspace = workspace_in(tmp_path / "w")
    commit(workspace, publication(workspace))
    with git.opened(workspace.public) as session:
        objects = git.all_objects(session)
    hidden = {
        data
        for path, data in trees(workspace)[0].items()
        if path.startswith(("hidden/", "contracts/", "evidence/"))
    }
    shared = {data for data in objects.values() if data in hidden}
    assert shared <= {read_tree(ROOT / "authoring" / "taskrepo")["run_checks.py"]}


def test_an_edit_of_a_contract_is_a_second_commit_that_removes_what_went(tmp_path: Path) -> None:
    workspace = workspace_in(tmp_path / "w")
    first = commit(workspace, publication(workspace))
    fewer = tasks_of(1, ("base", "h1"))
    second = commit(workspace, publication(workspace, tasks=fewer))
    assert second.private != first.private
    private, public = trees(workspace)
    assert not any("/p2/" in path for path in [*private, *public])
    assert not (workspace.public / "tasks" / "clip-001" / "p2").exists()
    assert any(path.startswith("evidence/") for path in private)


def test_without_licence_or_notice_nothing_is_published(tmp_path: Path) -> None:
    workspace = workspace_in(tmp_path / "w")
    for gone in ({"licence": ""}, {"notices": ()}, {"package": ""}):
        origin = contract_of(1).origin.model_copy(update=gone)
        tasks = tuple(
            replace(task, contract=task.contract.model_copy(update={"origin": origin}))
            for task in tasks_of(1)
        )
        assert refused(workspace, publication(workspace, tasks=tasks)) == "TSK001"


def test_a_hidden_only_contract_is_not_published(tmp_path: Path) -> None:
    workspace = workspace_in(tmp_path / "w")
    before = git.head(workspace.public)
    commit(workspace, publication(workspace, tasks=tasks_of(1, ("h1", "h2"))))
    assert git.head(workspace.public) == before


def test_a_leak_is_refused_before_any_object_is_written(tmp_path: Path) -> None:
    workspace = workspace_in(tmp_path / "w")
    tasks = tasks_of(1)
    leaking = changed(tasks, prompt="See:\n\n" + tasks[0].reference)
    wanted = publication(workspace, tasks=leaking)
    with git.opened(workspace.public) as session:
        before = set(git.all_objects(session))
    assert refused(workspace, wanted) == "TSK003"
    with git.opened(workspace.public) as session:
        assert set(git.all_objects(session)) == before


def test_a_leak_in_an_old_object_is_found(tmp_path: Path) -> None:
    workspace = workspace_in(tmp_path / "w")
    with git.opened(workspace.public) as session:
        git.store_files(session, {"x": tasks_of(1)[2].reference.encode()})
    assert refused(workspace, publication(workspace)) == "TSK003"


def test_contracts_of_an_incident_are_audited_together_before_the_first_is_committed(tmp_path: Path) -> None:
    workspace = workspace_in(tmp_path / "w")
    first, second = tasks_of(1), tasks_of(2)
    telling = changed(first, prompt="See:\n\n" + second[0].reference)
    wanted = [publication(workspace, tasks=one) for one in (telling, second)]
    audit(workspace, wanted[:1])
    audit(workspace, [publication(workspace, tasks=first), wanted[1]])
    with pytest.raises(AuthoringError) as error:
        audit(workspace, wanted)
    assert error.value.code == "TSK003"


def test_what_a_person_changed_is_not_overwritten(tmp_path: Path) -> None:
    workspace = workspace_in(tmp_path / "w")
    wanted = publication(workspace)
    for path in (workspace.public / "README.md", workspace.root / "authoring.toml"):
        old = path.read_bytes()
        path.write_bytes(b"mine")
        assert refused(workspace, wanted) == "WSP005"
        assert path.read_bytes() == b"mine"
        path.write_bytes(old)


def test_files_of_another_contract_and_missing_evidence_are_refused(tmp_path: Path) -> None:
    workspace = workspace_in(tmp_path / "w")
    wanted = publication(workspace)
    assert refused(workspace, replace(wanted, files={"contracts/other/x": b""})) == "TSK002"
    assert refused(workspace, replace(wanted, evidence=("f" * 64,))) == "TSK004"


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_commit_killed_at_any_moment_leaves_each_repository_whole_and_the_next_run_finishes(
    tmp_path: Path,
) -> None:
    wanted = workspace_in(tmp_path / "wanted")
    commit(wanted, publication(wanted, 1))
    begun = time.monotonic()
    commit(wanted, publication(wanted, 2))
    took = time.monotonic() - begun
    code = (
        "import sys; from pathlib import Path; from authoring.system.workspace import Workspace\n"
        "from authoring.system.lock import workspace_lock; from authoring.taskrepo.commit import commit\n"
        "from tests.unit.taskrepo.synthetic import publication\n"
        "w = Workspace.open(Path(sys.argv[1]))\n"
        "with workspace_lock(w.root):\n"
        "    wanted = publication(w, 2); print('up', flush=True); commit(w, wanted)\n"
    )
    template = workspace_in(tmp_path / "template")
    commit(template, publication(template, 1))
    start = trees(template)
    for index in range(20):
        workspace = Workspace(Path(shutil.copytree(template.root, tmp_path / f"w{index}")))
        child = subprocess.Popen(
            [sys.executable, "-c", code, str(workspace.root)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert child.stdout is not None
        child.stdout.readline()
        moment = time.monotonic() + took * index / 16
        while child.poll() is None and time.monotonic() < moment:
            for place, (now, old, new) in enumerate(zip(trees(workspace), start, trees(wanted), strict=True)):
                assert now in (old, new), place
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait(timeout=60)
        child.stdout.close()
        for now, old, new in zip(trees(workspace), start, trees(wanted), strict=True):
            assert now in (old, new)
        commit(workspace, publication(workspace, 2))
        assert trees(workspace) == trees(wanted)
        assert not is_pending(workspace)
        for repo in (workspace.root, workspace.public):
            assert git.dirty_paths(repo) == git.untracked_paths(repo) == []


def test_the_public_checks_run_as_an_agent_runs_them(tmp_path: Path) -> None:
    workspace = workspace_in(tmp_path / "w")
    commit(workspace, publication(workspace))
    folder = workspace.public / "tasks" / "clip-001" / "base"
    run = [sys.executable, "-I", str(folder / "run_checks.py")]
    broken = subprocess.run(run, capture_output=True, text=True, check=False, timeout=120, cwd="/")
    assert broken.returncode in (0, 1)
    count = len(json.loads((folder / "checks.json").read_text())["checks"])
    assert sum(line.startswith(("pass ", "FAIL ")) for line in broken.stdout.splitlines()) == count
