"""Laws of workspaces: made once, whole after any crash, opened or refused."""

import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from authoring.model.errors import AuthoringError, CannotJudgeError, UsageError
from authoring.system import git
from authoring.system.lock import is_locked, workspace_lock
from authoring.system.workspace import Workspace

DATE = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _identity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Some One")
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", "one@example.org")
    monkeypatch.delenv("AUTHORING_KEY_FILE", raising=False)


def code_of(error: pytest.ExceptionInfo[AuthoringError]) -> str:
    return error.value.code


def test_a_workspace_has_two_repositories_and_a_key_that_nobody_else_reads(tmp_path: Path) -> None:
    workspace = Workspace.create(tmp_path / "w", date=DATE)
    assert len(workspace.key) == 32
    assert workspace.path(".authoring", "key").stat().st_mode & 0o777 == 0o600
    assert git.dirty_paths(workspace.root) == git.untracked_paths(workspace.root) == []
    assert git.dirty_paths(workspace.public) == git.untracked_paths(workspace.public) == []
    assert not any("key" in path for path in git.read_files(workspace.root, git.head(workspace.root)))
    assert Workspace.open(tmp_path / "w") == workspace


def test_making_it_again_changes_nothing(tmp_path: Path) -> None:
    first = Workspace.create(tmp_path / "w", date=DATE)
    facts = (first.key, git.head(first.root), git.head(first.public))
    again = Workspace.create(tmp_path / "w")
    assert (again.key, git.head(again.root), git.head(again.public)) == facts


def test_the_key_can_be_given_or_made_where_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = tmp_path / "keys" / "k"
    first = Workspace.create(tmp_path / "a", key_file=given)
    assert given.stat().st_mode & 0o777 == 0o600
    assert Workspace.create(tmp_path / "b", key_file=given).key == first.key == given.read_bytes()
    other = Workspace.create(tmp_path / "c")
    with pytest.raises(UsageError) as refused:
        Workspace.create(tmp_path / "c", key_file=given)
    assert code_of(refused) == "WSP004"
    monkeypatch.setenv("AUTHORING_KEY_FILE", str(given))
    assert other.key == first.key


@pytest.mark.parametrize("content", [b"", b"x" * 31, b"x" * 33, b"x" * 5000])
def test_a_malformed_key_leaves_nothing_behind(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "k").write_bytes(content)
    with pytest.raises(UsageError) as refused:
        Workspace.create(tmp_path / "w", key_file=tmp_path / "k")
    assert code_of(refused) == "WSP004"
    assert not (tmp_path / "w").exists()


def test_a_clone_lacks_the_key_and_says_so(tmp_path: Path) -> None:
    workspace = Workspace.create(tmp_path / "w")
    subprocess.run(["git", "clone", "-q", str(workspace.root), str(tmp_path / "clone")], check=True)
    clone = Workspace.open(tmp_path / "clone")
    assert not clone.has_key
    with pytest.raises(CannotJudgeError) as refused:
        _ = clone.key
    assert code_of(refused) == "WSP003"


def test_what_is_no_workspace_is_refused(tmp_path: Path) -> None:
    cases = {"missing": "WSP001", "plain": "WSP002", "repo": "WSP001"}
    (tmp_path / "plain").mkdir()
    (tmp_path / "repo").mkdir()
    git.init(tmp_path / "repo")
    for name, code in cases.items():
        with pytest.raises(UsageError) as refused:
            Workspace.open(tmp_path / name)
        assert code_of(refused) == code


def test_an_occupied_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "mine.txt").write_text("mine")
    (tmp_path / "file").write_text("x")
    for name in ("w", "file"):
        with pytest.raises(UsageError) as refused:
            Workspace.create(tmp_path / name)
        assert code_of(refused) == "WSP021"
    assert [path.name for path in (tmp_path / "w").iterdir()] == ["mine.txt"]


def test_without_an_identity_nothing_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))
    with pytest.raises(UsageError) as refused:
        Workspace.create(tmp_path / "w")
    assert code_of(refused) == "WSP007"
    assert not (tmp_path / "w").exists()


def test_an_init_killed_at_any_moment_is_finished_by_the_next(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from authoring.system.workspace import Workspace\n"
        "print('up', flush=True); Workspace.create(Path(sys.argv[1]))"
    )
    for index in range(8):
        root = tmp_path / f"w{index}"
        child = subprocess.Popen([sys.executable, "-c", code, str(root)], stdout=subprocess.PIPE)
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(0.02 * index)
        child.send_signal(signal.SIGKILL)
        child.wait(timeout=60)
        child.stdout.close()
        workspace = Workspace.create(root)
        assert len(workspace.key) == 32
        for repo in (workspace.root, workspace.public):
            assert git.head(repo) is not None
            assert git.dirty_paths(repo) == []


def test_a_second_run_is_told_who_holds_the_lock_and_a_dead_one_holds_nothing(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from authoring.system.lock import workspace_lock\n"
        "with workspace_lock(Path(sys.argv[1])):\n    print('held', flush=True); time.sleep(60)"
    )
    child = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.readline()
    assert is_locked(tmp_path)
    with pytest.raises(CannotJudgeError, match=f"process {child.pid} ") as refused, workspace_lock(tmp_path):
        pass
    assert code_of(refused) == "WSP006"
    os.kill(child.pid, signal.SIGKILL)
    child.wait(timeout=60)
    child.stdout.close()
    assert not is_locked(tmp_path)
    with workspace_lock(tmp_path):
        assert is_locked(tmp_path)
