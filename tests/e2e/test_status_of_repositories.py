"""Laws of status: what is where, without writing anything."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from authoring.model.errors import UsageError
from authoring.system import git
from authoring.system.lock import workspace_lock
from authoring.taskrepo.commit import commit
from authoring.taskrepo.status import show, status
from tests.unit.taskrepo.synthetic import publication, workspace_in


@pytest.fixture(autouse=True)
def _identity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Some One")
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", "one@example.org")
    monkeypatch.delenv("AUTHORING_KEY_FILE", raising=False)


def test_an_empty_workspace_holds_nothing(tmp_path: Path) -> None:
    seen = status(workspace_in(tmp_path / "w"))
    assert (seen.contracts, seen.releases, seen.changed) == ((), (), ())
    assert (seen.has_key, seen.running, seen.interrupted) == (True, False, False)


def test_committed_and_begun_contracts_are_told_apart(tmp_path: Path) -> None:
    workspace = workspace_in(tmp_path / "w")
    commit(workspace, publication(workspace, 1))
    begun = workspace.path("incidents", "begun", "incident.toml")
    begun.parent.mkdir(parents=True)
    begun.write_text("x")
    listed = {each.id: each for each in status(workspace).contracts}
    assert listed["begun"].stage == "incidents"
    assert listed["begun"].uncommitted == ("incidents/begun/incident.toml",)
    done = listed["clip-001"]
    assert (done.stage, done.incident, done.uncommitted) == ("committed", "incident-001", ())
    assert [(each.id, each.tier) for each in done.variants] == [
        ("base", "public"),
        ("h1", "hidden"),
        ("h2", "hidden"),
        ("h3", "hidden"),
        ("p2", "public"),
    ]
    for each in done.variants:
        assert workspace.path(each.folder, "task.json").is_file()
    assert done.private_commit == git.head(workspace.root)
    assert show(workspace, "clip-001") == done


def test_changes_and_a_running_command_are_seen(tmp_path: Path) -> None:
    workspace = workspace_in(tmp_path / "w")
    commit(workspace, publication(workspace, 1))
    (workspace.public / "README.md").write_text("mine")
    with workspace_lock(workspace.root):
        seen = status(workspace)
    assert (seen.running, seen.changed) == (True, ("public/README.md",))


def test_a_clone_without_the_public_repository_is_told_too(tmp_path: Path) -> None:
    workspace = workspace_in(tmp_path / "w")
    commit(workspace, publication(workspace, 1))
    subprocess.run(["git", "clone", "-q", str(workspace.root), str(tmp_path / "c")], check=True)
    seen = status(replace(workspace, root=tmp_path / "c"))
    assert not seen.has_key
    assert [variant.tier for variant in seen.contracts[0].variants] == ["hidden"] * 3


def test_an_unknown_id_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        show(workspace_in(tmp_path / "w"), "nothing")
    assert refused.value.code == "TSK007"
