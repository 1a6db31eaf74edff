"""`release` and `verify` as a user meets them, on a workspace with synthetic tasks."""

import shutil
import subprocess
from pathlib import Path

import pytest

from authoring.system.workspace import Workspace
from authoring.taskrepo import commit
from tests.e2e.cli.test_init import IDENTITY, authoring
from tests.unit.taskrepo.synthetic import publication, workspace_in


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """Return a workspace with the tasks of one contract."""
    for name, value in IDENTITY.items():
        monkeypatch.setenv(name, value)
    made = workspace_in(tmp_path / "w")
    commit(made, publication(made, 1))
    return made


def test_a_release_is_tagged_in_both_repositories_and_verifies(workspace: Workspace) -> None:
    code, document, error = authoring("release", "1.0.0", cwd=workspace.root)
    assert (code, document["data"]["changed"]) == (0, True), error
    for repo in (workspace.root, workspace.public):
        tags = subprocess.run(["git", "tag", "--list"], cwd=repo, capture_output=True, text=True, check=True)
        assert tags.stdout.split() == ["1.0.0"]
    code, document, error = authoring("verify", "1.0.0", cwd=workspace.root)
    assert (code, document["data"]["holds"], document["warnings"]) == (0, True, []), error


def test_the_same_release_again_does_nothing_and_is_exit_0(workspace: Workspace) -> None:
    authoring("release", "1.0.0", cwd=workspace.root)
    code, document, _ = authoring("release", "1.0.0", cwd=workspace.root)
    assert (code, document["data"]["changed"]) == (0, False)


def test_a_changed_public_file_is_found_and_is_exit_1(workspace: Workspace) -> None:
    [program, *_] = sorted(workspace.public.glob("tasks/*/*/program.py"))
    program.write_text("tampered = True\n")
    code, document, _ = authoring("verify", cwd=workspace.root)
    assert (code, document["status"], document["errors"][0]["code"]) == (1, "refused", "REL007")
    assert document["data"]["findings"]


def test_a_clone_of_the_public_repository_verifies_alone_and_says_what_it_could_not_check(
    workspace: Workspace, tmp_path: Path
) -> None:
    authoring("release", "1.0.0", cwd=workspace.root)
    clone = tmp_path / "clone"
    shutil.copytree(workspace.public, clone)
    code, document, error = authoring("verify", "1.0.0", cwd=clone)
    assert code == 0, error
    assert document["data"]["unchecked"]


def test_an_unknown_release_is_exit_2(workspace: Workspace) -> None:
    code, document, _ = authoring("verify", "9.9.9", cwd=workspace.root)
    assert (code, document["errors"][0]["code"]) == (2, "REL005")


def test_a_release_of_nothing_is_exit_4_and_a_workspace_without_tasks_is_whole(tmp_path: Path) -> None:
    authoring("init", "empty", cwd=tmp_path)
    code, document, _ = authoring("release", "1.0.0", cwd=tmp_path / "empty")
    assert (code, document["errors"][0]["code"]) == (4, "REL004")
    code, document, _ = authoring("verify", cwd=tmp_path / "empty")
    assert (code, document["warnings"]) == (0, ["No task is committed yet."])
