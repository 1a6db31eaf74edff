"""Laws of releases on real repositories: frozen, chained, verified anywhere, and no change unnoticed."""

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from authoring.model.errors import AuthoringError, CannotJudgeError, UsageError
from authoring.model.manifest import Manifest
from authoring.release import digest_of, release, releases_of, verify, verify_clone
from authoring.system import git
from authoring.system.workspace import Workspace
from authoring.taskrepo import commit
from tests.unit.taskrepo.synthetic import changed, publication, record_of, tasks_of, workspace_in

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _identity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Some One")
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", "one@example.org")
    monkeypatch.delenv("AUTHORING_KEY_FILE", raising=False)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = workspace_in(tmp_path / "w")
    for number in (1, 2):
        commit(made, publication(made, number))
    return made


def manifests(workspace: Workspace, version: str) -> tuple[Manifest, Manifest]:
    name = f"releases/{version}.json"
    private, public = ((root / name).read_bytes() for root in (workspace.root, workspace.public))
    return Manifest.from_json(private), Manifest.from_json(public)


def test_a_release_names_every_task_and_shows_the_public_ones_only(workspace: Workspace) -> None:
    done = release(workspace, "1.0")
    private, public = manifests(workspace, "1.0")
    assert done.manifest == private
    assert [entry.id for entry in private.tasks] == sorted(
        task.id for number in (1, 2) for task in tasks_of(number)
    )
    assert {entry.tier for entry in public.tasks} == {"public"}
    assert public.hidden == private.hidden
    assert len(private.hidden) == len(private.tasks)
    assert {entry.since_previous for entry in private.tasks} == {"new"}
    assert {entry.claim for entry in private.tasks} == {"held-out robust"}
    text = (workspace.public / "releases" / "1.0.json").read_text()
    for task in tasks_of(1)[2:]:
        assert task.id not in text
    for root, manifest in ((workspace.root, private), (workspace.public, public)):
        tag = git.read_tag(root, "1.0")
        assert tag is not None
        assert f"Manifest: {digest_of(manifest)}\n" in tag.message


def test_the_same_release_again_does_nothing_and_with_other_tasks_is_refused(workspace: Workspace) -> None:
    first = release(workspace, "1.0")
    heads = git.head(workspace.root), git.head(workspace.public)
    again = release(workspace, "1.0")
    assert (again.manifest, again.changed) == (first.manifest, False)
    assert (git.head(workspace.root), git.head(workspace.public)) == heads
    commit(workspace, publication(workspace, 3))
    with pytest.raises(AuthoringError) as refused:
        release(workspace, "1.0")
    assert refused.value.code == "REL003"


def test_a_release_says_which_old_results_still_hold(workspace: Workspace) -> None:
    release(workspace, "1.0")
    tasks = tasks_of(1)
    fewer = tasks[0].hidden.model_copy(update={"checks": tasks[0].hidden.checks[:2]})
    tasks = changed(
        changed(tasks, 0, hidden=fewer), 1, prompt="Repair it all, and keep every value in range.\n"
    )
    commit(workspace, publication(workspace, tasks=tasks))
    commit(workspace, publication(workspace, 3))
    done = release(workspace, "1.1")
    since = {entry.id: entry.since_previous for entry in done.manifest.tasks}
    assert since["clip-001/base"] == "regrade"
    assert since["clip-001/p2"] == "rerun"
    assert since["clip-001/h1"] == "reuse"
    assert since["clip-003/base"] == "new"
    assert done.manifest.previous is not None
    assert done.manifest.previous.version == "1.0"
    assert releases_of(workspace) == ["1.0", "1.1"]
    for version in ("1.0", "1.1"):
        report = verify(workspace, version)
        assert (report.findings, report.unchecked) == ((), ())


@pytest.mark.parametrize("version", ["", "-x", "a/b", "../x", "1..0", "x.lock", "a b", "1.0.", "v" * 60])
def test_text_that_cannot_name_a_release_is_refused(workspace: Workspace, version: str) -> None:
    with pytest.raises(AuthoringError) as refused:
        release(workspace, version)
    assert refused.value.code == "REL002"


def test_nothing_is_released_from_an_empty_workspace(tmp_path: Path) -> None:
    with pytest.raises(AuthoringError) as refused:
        release(workspace_in(tmp_path / "w"), "1.0")
    assert refused.value.code == "REL004"
    assert refused.value.exit_code == 4


def evidence_of(workspace: Workspace, keep: Callable[[str, str], bool]) -> None:
    """Commit contract 1 with only some of its evidence."""
    tasks = tasks_of(1)
    records = [
        (task, record)
        for task in tasks
        for record in (record_of(task, task.reference, "pass"), record_of(task, task.program, "wrong"))
    ]
    wanted = publication(workspace, 1)
    chosen = tuple(record.key for task, record in records if keep(task.id, record.result.verdict))
    commit(
        workspace,
        type(wanted)(**{**{name: getattr(wanted, name) for name in wanted.__slots__}, "evidence": chosen}),
    )


@pytest.mark.parametrize(
    "keep",
    [
        lambda task, verdict: task != "clip-001/h2",
        lambda task, verdict: not (task == "clip-001/p2" and verdict == "pass"),
        lambda task, verdict: not (task == "clip-001/base" and verdict == "wrong"),
    ],
)
def test_a_task_without_evidence_for_both_its_programs_is_not_released(
    tmp_path: Path, keep: Callable[[str, str], bool]
) -> None:
    workspace = workspace_in(tmp_path / "w")
    evidence_of(workspace, keep)
    with pytest.raises(AuthoringError) as refused:
        release(workspace, "1.0")
    assert refused.value.code == "REL001"
    assert git.list_tags(workspace.root) == []


def test_evidence_about_an_older_text_does_not_count(workspace: Workspace) -> None:
    tasks = tasks_of(1)
    wanted = publication(workspace, 1)
    edited = changed(tasks, 3, reference=tasks[3].reference + "\n# edited\n")
    commit(
        workspace,
        type(wanted)(**{**{name: getattr(wanted, name) for name in wanted.__slots__}, "tasks": edited}),
    )
    with pytest.raises(AuthoringError) as refused:
        release(workspace, "1.0")
    assert refused.value.code == "REL001"
    assert "clip-001/h2" in refused.value.message


def test_present_commits_verify(workspace: Workspace) -> None:
    report = verify(workspace)
    assert (report.findings, report.unchecked) == ((), ())
    assert report.counts["tasks"] == 10
    assert report.counts["records"] == 30


def clone(workspace: Workspace, folder: Path) -> Workspace:
    subprocess.run(["git", "clone", "-q", str(workspace.root), str(folder)], check=True)
    subprocess.run(["git", "clone", "-q", str(workspace.public), str(folder / "public")], check=True)
    return Workspace.open(folder)


def test_another_clone_verifies_and_without_the_key_says_what_it_could_not(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release(workspace, "1.0")
    other = clone(workspace, tmp_path / "clone")
    blind = verify(other, "1.0")
    assert blind.findings == ()
    assert any("commitments" in sentence and "key" in sentence for sentence in blind.unchecked)
    monkeypatch.setenv("AUTHORING_KEY_FILE", str(tmp_path / "key"))
    full = verify(other, "1.0")
    assert (full.findings, full.unchecked) == ((), ())
    assert full.counts["commitments"] == 10
    (tmp_path / "other-key").write_bytes(b"x" * 32)
    monkeypatch.setenv("AUTHORING_KEY_FILE", str(tmp_path / "other-key"))
    assert verify(other, "1.0").findings != ()


def test_the_public_repository_alone_verifies(workspace: Workspace) -> None:
    release(workspace, "1.0")
    report = verify_clone(None, workspace.public, None, "1.0")
    assert report.findings == ()
    assert report.counts["tasks"] == 4
    assert len(report.unchecked) == 2


def recommit(root: Path, path: str, data: bytes | None) -> None:
    """Commit a changed or removed file, as someone with access would."""
    target = root / path
    if data is None:
        target.unlink()
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    subprocess.run(["git", "add", "-A", path], cwd=root, check=True)
    subprocess.run(
        ["git", "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-q", "-m", "x"], cwd=root, check=True
    )


BASE = "tasks/clip-001/base"


def moved(root: Path) -> None:
    """Move the release's tag to the present commit, keeping its message."""
    tag = git.read_tag(root, "1.0")
    assert tag is not None
    subprocess.run(
        ["git", "-c", "user.name=x", "-c", "user.email=x@x", "tag", "-f", "-a", "-m", tag.message, "1.0"],
        cwd=root,
        check=True,
        capture_output=True,
    )


TAMPERINGS: dict[str, tuple[str, str, Callable[[bytes], bytes | None]]] = {
    "a program edited": ("public", f"{BASE}/program.py", lambda data: data + b"\n"),
    "a prompt removed": ("public", f"{BASE}/prompt.md", lambda data: None),
    "a file added": ("public", f"{BASE}/answer.py", lambda data: b"x"),
    "task.json edited": (
        "public",
        f"{BASE}/task.json",
        lambda data: data.replace(b'"difficulty": "1-5"', b'"difficulty": "21+"'),
    ),
    "task.json broken": ("public", f"{BASE}/task.json", lambda data: data[:-20]),
    "a catalogue row changed": ("public", "catalog.csv", lambda data: data.replace(b"off-by-one", b"other")),
    "a licence dropped": ("public", "", lambda data: None),
    "hidden checks edited": (
        "private",
        "hidden/clip-001/base/hidden_checks.json",
        lambda data: data.replace(b'"value 1"', b'"value 9"'),
    ),
    "a reference edited": ("private", "hidden/clip-001/h1/reference.py", lambda data: data + b"# x\n"),
    "a hidden task removed": ("private", "hidden/clip-001/h1/task/task.json", lambda data: None),
    "a manifest edited": (
        "private",
        "releases/1.0.json",
        lambda data: data.replace(b"held-out robust", b"production-relevant"),
    ),
    "a public manifest edited": (
        "public",
        "releases/1.0.json",
        lambda data: data.replace(b'"new"', b'"reuse"'),
    ),
}


@pytest.mark.parametrize("name", sorted(TAMPERINGS))
def test_a_tampered_file_is_found_even_if_the_tag_was_moved_over_it(workspace: Workspace, name: str) -> None:
    release(workspace, "1.0")
    side, path, edit = TAMPERINGS[name]
    root = workspace.public if side == "public" else workspace.root
    if not path:
        path = next(file.relative_to(root).as_posix() for file in sorted((root / "LICENSES").iterdir()))
    old = (root / path).read_bytes() if (root / path).exists() else b""
    new = edit(old)
    assert new != old
    recommit(root, path, new)
    moved(root)
    assert verify(workspace, "1.0").findings != ()


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [("base/hidden_checks.json", b'"h01"', b'"h99"'), ("h1/reference.py", b"return", b"return  ")],
)
def test_present_commits_that_the_evidence_is_not_about_are_found(
    workspace: Workspace, path: str, old: bytes, new: bytes
) -> None:
    place = f"hidden/clip-001/{path}"
    data = (workspace.root / place).read_bytes()
    assert old in data
    recommit(workspace.root, place, data.replace(old, new))
    assert any("no evidence" in finding.what for finding in verify(workspace).findings)


def test_present_commits_without_their_evidence_do_not_hold(workspace: Workspace) -> None:
    subprocess.run(["git", "rm", "-rq", "evidence"], cwd=workspace.root, check=True)
    recommit(workspace.root, "note", b"x")
    assert any("no evidence" in finding.what for finding in verify(workspace).findings)


def test_a_public_repository_that_lost_its_newest_commit_is_not_taken_for_an_empty_one(
    workspace: Workspace,
) -> None:
    newest = str(git.head(workspace.public))
    (workspace.public / ".git" / "objects" / newest[:2] / newest[2:]).unlink()
    with pytest.raises(CannotJudgeError) as caught:
        verify(workspace)
    assert caught.value.code == "WSP013"


def test_a_release_under_another_key_than_the_one_before_is_refused(workspace: Workspace) -> None:
    release(workspace, "1.0")
    own = workspace.path(".authoring", "key")
    own.write_bytes(bytes(32))
    with pytest.raises(UsageError) as caught:
        release(workspace, "1.1")
    assert (caught.value.code, git.read_tag(workspace.root, "1.1")) == ("REL008", None)


def test_a_record_under_another_key_is_found(workspace: Workspace) -> None:
    release(workspace, "1.0")
    path = min((workspace.root / "evidence").rglob("*.json"))
    data = json.loads(path.read_text())
    data["subject"]["python"] = "3.99.0"
    recommit(workspace.root, path.relative_to(workspace.root).as_posix(), json.dumps(data).encode())
    assert any("damaged" in finding.what for finding in verify(workspace).findings)


def test_a_records_result_cannot_be_edited_after_the_release(workspace: Workspace) -> None:
    release(workspace, "1.0")
    path = min((workspace.root / "evidence").rglob("*.json"))
    data = json.loads(path.read_text())
    data["result"]["exit"] = 7
    recommit(workspace.root, path.relative_to(workspace.root).as_posix(), json.dumps(data).encode())
    moved(workspace.root)
    assert any(
        "not the one that was released" in finding.what for finding in verify(workspace, "1.0").findings
    )


def test_an_uncommitted_change_of_a_public_file_is_found(workspace: Workspace) -> None:
    path = workspace.public / BASE / "program.py"
    path.write_bytes(path.read_bytes() + b"\n")
    assert [finding.place for finding in verify(workspace).findings] == [f"{BASE}/program.py"]


def test_a_tag_that_one_repository_lacks_is_found(workspace: Workspace) -> None:
    release(workspace, "1.0")
    subprocess.run(["git", "tag", "-d", "1.0"], cwd=workspace.public, check=True, capture_output=True)
    assert any("lacks the tag" in finding.what for finding in verify(workspace, "1.0").findings)


def test_an_unknown_release_is_refused(workspace: Workspace) -> None:
    with pytest.raises(AuthoringError) as refused:
        verify(workspace, "9.9")
    assert refused.value.code == "REL005"


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_run_killed_at_any_moment_is_whole_at_every_poll_and_ends_in_the_same_state(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from authoring.system.workspace import Workspace\n"
        "from authoring.system.lock import workspace_lock; from authoring.taskrepo import commit\n"
        "from authoring.release import release; from tests.unit.taskrepo.synthetic import publication\n"
        "w = Workspace.open(Path(sys.argv[1])); print('up', flush=True)\n"
        "with workspace_lock(w.root):\n"
        "    commit(w, publication(w, 2)); release(w, '1.0')\n"
    )

    def run(workspace: Workspace) -> subprocess.Popen[bytes]:
        child = subprocess.Popen(
            [sys.executable, "-c", code, str(workspace.root)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert child.stdout is not None
        child.stdout.readline()
        child.stdout.close()
        return child

    template = workspace_in(tmp_path / "template")
    commit(template, publication(template, 1))
    wanted = Workspace(Path(shutil.copytree(template.root, tmp_path / "wanted")))
    begun = time.monotonic()
    assert run(wanted).wait(timeout=120) == 0
    took = time.monotonic() - begun
    for index in range(20):
        workspace = Workspace(Path(shutil.copytree(template.root, tmp_path / f"w{index}")))
        child = run(workspace)
        moment = time.monotonic() + took * index / 18
        while child.poll() is None and time.monotonic() < moment:
            assert verify(workspace).findings == ()
        child.send_signal(signal.SIGKILL)
        child.wait(timeout=60)
        assert verify(workspace).findings == ()
        assert run(workspace).wait(timeout=120) == 0
        for repo, other in ((workspace.root, wanted.root), (workspace.public, wanted.public)):
            assert git.head(repo) == git.head(other)
            assert git.read_tag(repo, "1.0") == git.read_tag(other, "1.0")
            assert git.dirty_paths(repo) == git.untracked_paths(repo) == []
        report = verify(workspace, "1.0")
        assert (report.findings, report.unchecked) == ((), ())
