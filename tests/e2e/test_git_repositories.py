"""Laws of git behind our functions, on real repositories."""

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from authoring.model.errors import UsageError
from authoring.system import git
from authoring.system.files import read_tree

WHO = git.Identity("Some One", "one@example.org")
DATE = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "xdg"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    root.mkdir()
    git.init(root)
    return root


def commit(root: Path, files: dict[str, bytes], message: str = "m\n") -> str:
    with git.opened(root) as session:
        old = git.head_in(session)
        tree = git.store_tree(session, git.store_files(session, files))
        new = git.commit_tree(session, tree, (old,) if old else (), message, who=WHO, date=DATE)
        git.move_branch(session, new, old, "test")
        git.follow(session, old, new)
    return new


def plain(root: Path, *words: str, **environment: str) -> str:
    done = subprocess.run(
        ["git", *words],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )
    return done.stdout.strip()


def test_the_same_content_makes_the_same_commit_under_any_settings_of_the_machine(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = commit(repo, {"a/b.txt": b"x\r\n", "a.txt": b"y", "a-b": b"z"})
    (tmp_path / "home" / ".gitconfig").write_text(
        "[i18n]\n commitEncoding = latin-1\n[core]\n autocrlf = true\n[commit]\n gpgSign = true\n"
        "[user]\n name = Other\n email = o@example.org\n"
    )
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2001-01-01T00:00:00")
    other = tmp_path / "other"
    other.mkdir()
    git.init(other)
    assert commit(other, {"a-b": b"z", "a.txt": b"y", "a/b.txt": b"x\r\n"}) == first


def test_git_itself_finds_our_commits_sound_and_the_working_folder_clean(repo: Path) -> None:
    commit(repo, {"a/b.txt": b"1", "a.b": b"2", "a0": b"3", "é": b"4"})
    commit(repo, {"a/c.txt": b"1", "a0": b"5"}, "second\n\nBody\n")
    assert plain(repo, "fsck", "--strict", "--full") == ""
    assert plain(repo, "status", "--porcelain") == ""
    assert read_tree(repo).keys() >= {"a/c.txt", "a0"}
    assert not (repo / "a" / "b.txt").exists()


def test_a_change_of_the_working_folder_is_seen_by_content(repo: Path) -> None:
    commit(repo, {"a": b"1", "b": b"2"})
    assert git.dirty_paths(repo) == []
    stat = (repo / "a").stat()
    (repo / "a").write_bytes(b"9")
    os.utime(repo / "a", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    (repo / "b").unlink()
    (repo / "new").write_bytes(b"")
    assert git.dirty_paths(repo) == ["a", "b"]
    assert git.untracked_paths(repo) == ["new"]


@pytest.mark.parametrize("revision", ["-h", "--output=x", "", "a b\n", "HEAD..HEAD", "x" * 300, "\x1b[0m"])
def test_text_that_cannot_be_a_revision_is_refused(repo: Path, revision: str) -> None:
    commit(repo, {"a": b"1"})
    with pytest.raises(UsageError) as refused:
        git.resolve(repo, revision)
    assert refused.value.code == "WSP015"


@pytest.mark.parametrize("revision", ["nowhere", "0" * 40, "HEAD:a", "HEAD~5"])
def test_a_revision_that_does_not_exist_is_refused(repo: Path, revision: str) -> None:
    commit(repo, {"a": b"1"})
    with pytest.raises(UsageError) as refused:
        git.resolve(repo, revision)
    assert refused.value.code == "WSP016"


def test_a_tag_a_branch_and_a_short_id_name_the_commit(repo: Path) -> None:
    new = commit(repo, {"a": b"1"})
    plain(repo, "tag", "v1")
    assert {git.resolve(repo, name) for name in ("HEAD", "main", "v1", new[:8], new)} == {new}


def test_exporting_runs_no_hook_no_filter_and_takes_no_submodule(repo: Path, tmp_path: Path) -> None:
    trap = tmp_path / "sprung"
    plain(repo, "config", "filter.trap.smudge", f"touch {trap}; cat")
    plain(repo, "config", "filter.trap.clean", "cat")
    plain(repo, "config", "core.fsmonitor", f"touch {trap}")
    hook = repo / ".git" / "hooks" / "post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {trap}\n")
    hook.chmod(0o755)
    commit(repo, {".gitattributes": b"* filter=trap\n", "pkg/a.py": b"crlf\r\n"})
    new = plain(repo, "rev-parse", "HEAD")
    blob = plain(repo, "rev-parse", "HEAD:pkg/a.py")
    listing = f"100644 blob {blob}\ta.py\n160000 commit {new}\tmodule\n120000 blob {blob}\tdangling\n"
    tree = subprocess.run(
        ["git", "mktree"], cwd=repo, input=listing, capture_output=True, text=True, check=True
    ).stdout.strip()
    odd = plain(
        repo,
        "commit-tree",
        tree,
        "-m",
        "odd",
        GIT_AUTHOR_NAME="x",
        GIT_AUTHOR_EMAIL="x",
        GIT_COMMITTER_NAME="x",
        GIT_COMMITTER_EMAIL="x",
    )
    trap.unlink(missing_ok=True)
    assert git.export_revision(repo, "HEAD", tmp_path / "out") == new
    assert read_tree(tmp_path / "out") == {".gitattributes": b"* filter=trap\n", "pkg/a.py": b"crlf\r\n"}
    git.export_revision(repo, odd, tmp_path / "odd")
    assert read_tree(tmp_path / "odd") == {"a.py": b"crlf\r\n"}
    assert not trap.exists()


def test_a_link_that_leaves_the_tree_is_refused(repo: Path, tmp_path: Path) -> None:
    (repo / "out").symlink_to("/etc/passwd")
    plain(repo, "add", "out")
    plain(repo, "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-q", "-m", "x")
    with pytest.raises(UsageError) as refused:
        git.export_revision(repo, "HEAD", tmp_path / "out")
    assert refused.value.code == "WSP020"
    assert not (tmp_path / "out").exists()


def test_a_calling_hooks_environment_does_not_reach_our_git(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = commit(repo, {"a": b"1"})
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(tmp_path / "objects"))
    assert git.head(repo) == new
    assert git.read_files(repo, new) == {"a": b"1"}
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    git.init(fresh)
    assert (fresh / ".git" / "HEAD").exists()


def test_without_an_identity_nothing_is_guessed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMAIL", "guess@example.org")
    with pytest.raises(UsageError) as refused:
        git.identity(tmp_path / "not" / "there")
    assert refused.value.code == "WSP007"
    (tmp_path / "home" / ".gitconfig").write_text("[user]\n name = A <B>\n email = a@example.org\n")
    assert git.identity(tmp_path) == git.Identity("A B", "a@example.org")


def test_a_tag_is_annotated_and_never_moves(repo: Path) -> None:
    first = commit(repo, {"a": b"1"})
    with git.opened(repo) as session:
        tag = git.make_tag(session, "1.0", first, "Release 1.0\n\nDigest: x", who=WHO, date=DATE)
        git.place_tag(session, "1.0", tag)
        git.place_tag(session, "1.0", tag)
        second = git.make_tag(session, "1.0", first, "other", who=WHO, date=DATE)
        with pytest.raises(UsageError) as refused:
            git.place_tag(session, "1.0", second)
    assert refused.value.code == "WSP019"
    found = git.read_tag(repo, "1.0")
    assert found == git.Tag("1.0", tag, first, "Release 1.0\n\nDigest: x\n")
    assert git.list_tags(repo) == [found]
    plain(repo, "tag", "light")
    assert git.read_tag(repo, "light") is None
    assert git.read_tag(repo, "missing") is None


@pytest.mark.parametrize("name", ["-x", "a..b", "a b", "x.lock", "", "a~1", "\x1b"])
def test_text_that_cannot_name_a_tag_is_refused(repo: Path, name: str) -> None:
    with pytest.raises(UsageError) as refused:
        git.read_tag(repo, name)
    assert refused.value.code == "WSP018"


def test_a_repository_around_the_folder_does_not_count(repo: Path) -> None:
    (repo / "inner").mkdir()
    assert git.is_repository(repo)
    assert not git.is_repository(repo / "inner")
    assert not git.is_repository(repo / "missing")


def test_an_open_repository_leaves_no_process_and_no_file_behind(repo: Path) -> None:
    new = commit(repo, {"a": b"1"})
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(5):
        git.read_files(repo, new)
    assert len(list(Path("/proc/self/fd").iterdir())) <= before + 1
