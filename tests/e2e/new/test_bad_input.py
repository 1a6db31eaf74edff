"""Bad input gets one sentence, a hint and the right exit code, and leaves nothing behind."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.new.job import ORDERS, Desk, git

pytestmark = pytest.mark.timeout(900)

Change = Callable[[Path], None]


def replaced(file: str, old: str, new: str) -> Change:
    """Return a change of one file of a copy of our own incident."""

    def change(folder: Path) -> None:
        path = folder / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    return change


def written(file: str, text: str) -> Change:
    """Return a change that writes one file anew."""

    def change(folder: Path) -> None:
        (folder / file).write_text(text)

    return change


def removed(file: str) -> Change:
    """Return a change that removes one file."""

    def change(folder: Path) -> None:
        (folder / file).unlink()

    return change


def fixed_everywhere(folder: Path) -> None:
    """Put the fixed tree, and a trace of its own, in the broken one's place."""
    shutil.rmtree(folder / "broken")
    shutil.copytree(folder / "fixed", folder / "broken")
    (folder / "broken" / "orders" / "limits.py").open("a").write("\nOTHER = 1\n")


PAGES = "fixed/orders/pages.py"

CASES: dict[str, tuple[Change, int, str]] = {
    "passes on broken": (fixed_everywhere, 1, "INC"),
    "fails on fixed": (replaced("repro.py", '[[20, 4, "cid"]]', '[[20, 5, "cid"]]'), 1, "INC"),
    "fails by an import error": (
        replaced("broken/orders/__init__.py", "from .store", "from .stores"),
        1,
        "INC",
    ),
    "flaky": (
        replaced(
            PAGES,
            "    created_at, number = cursor\n",
            "    created_at, number = cursor\n    import os\n    if os.urandom(1)[0] % 2:\n        return []\n",
        ),
        1,
        "INC",
    ),
    "no file": (removed("incident.toml"), 2, "INC"),
    "empty": (written("incident.toml", ""), 2, "INC"),
    "malformed": (written("incident.toml", "id = "), 2, "INC"),
    "wrong type": (replaced("incident.toml", 'broken = "broken"', "broken = 3"), 2, "INC"),
    "unknown key": (replaced("incident.toml", "symptom =", "symptoms ="), 2, "INC"),
    "a path that leaves the folder": (
        replaced("incident.toml", 'broken = "broken"', 'broken = "../.."'),
        2,
        "INC",
    ),
    "a huge file": (written("incident.toml", "# x\n" * 400_000), 2, "INC"),
    "no reproducer": (removed("repro.py"), 2, "INC"),
    "a reproducer that is no Python": (written("repro.py", "def ("), 2, "INC"),
    "unknown package": (
        replaced("incident.toml", "directories = true", 'package = "no-such-package-as-this-one"'),
        2,
        "WSP",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_bad_incident_is_refused_and_leaves_nothing(desk: Desk, tmp_path: Path, case: str) -> None:
    change, code, prefix = CASES[case]
    workspace = desk.workspace("bad")
    folder = tmp_path / "incident"
    shutil.copytree(ORDERS.parent, folder)
    change(folder)
    told = desk.run(
        "new",
        "orders-page-cursor",
        "--incident",
        folder / "incident.toml",
        "--workspace",
        workspace,
        "--json",
    )
    assert told.code == code, told.out + told.err
    (error,) = told.document["errors"]
    assert error["code"].startswith(prefix)
    assert error["message"] and error["hint"]
    assert "Traceback" not in told.err
    assert git(workspace, "status", "--porcelain") == ""
    assert not (workspace / "incidents").exists()


def test_an_id_that_other_inputs_have_is_refused(
    desk: Desk, authored: tuple[Path, object], tmp_path: Path
) -> None:
    folder = tmp_path / "incident"
    shutil.copytree(ORDERS.parent, folder)
    replaced("incident.toml", "orders of the same second", "those of the same second")(folder)
    told = desk.run(
        "new", "orders-page-cursor", "--incident", folder / "incident.toml", "--workspace", authored[0]
    )
    assert told.code == 2
    assert "TSK010" in told.err


@pytest.mark.parametrize(
    ("flag", "value", "code"),
    [("--date", "soon", "WSP014"), ("--date", "1969-12-31", "WSP014"), ("--reviewed-by", "a\nb", "USE001")],
)
def test_what_a_commit_could_not_hold_is_refused_before_the_work(
    desk: Desk, tmp_path: Path, flag: str, value: str, code: str
) -> None:
    desk.run("init", tmp_path / "w")
    line = ("new", "orders-page-cursor", "--incident", ORDERS, "--workspace", tmp_path / "w", "--json")
    for told in (desk.run(*line, flag, value), desk.run(*line, flag, value, "--dry-run")):
        assert (told.code, told.document["errors"][0]["code"]) == (2, code)
        assert told.document["errors"][0]["hint"]
    assert not (tmp_path / "w" / "incidents").exists()


def test_a_workspace_with_a_change_is_refused_before_the_work(desk: Desk, tmp_path: Path) -> None:
    desk.run("init", tmp_path / "w")
    (tmp_path / "w" / "public" / "README.md").write_text("Mine.\n")
    told = desk.run(
        "new", "orders-page-cursor", "--incident", ORDERS, "--workspace", tmp_path / "w", "--json"
    )
    assert (told.code, told.document["errors"][0]["code"]) == (2, "WSP005")
    assert not (tmp_path / "w" / "incidents").exists()


def test_a_folder_that_is_no_workspace_is_refused(desk: Desk, tmp_path: Path) -> None:
    told = desk.run("new", "orders-page-cursor", "--incident", ORDERS, "--workspace", tmp_path / "nowhere")
    assert told.code == 2
    assert not (tmp_path / "nowhere").exists()


def test_a_workspace_that_another_run_holds_is_not_judged(desk: Desk, authored: tuple[Path, object]) -> None:
    import fcntl

    with (authored[0] / ".authoring" / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        told = desk.run("new", "orders-page-cursor", "--incident", ORDERS, "--workspace", authored[0])
    assert told.code == 3


def test_without_a_git_identity_nothing_is_begun(desk: Desk, authored: tuple[Path, object]) -> None:
    nobody = dict.fromkeys(
        ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"), ""
    )
    told = desk.run("new", "orders-page-cursor", "--incident", ORDERS, "--workspace", authored[0], env=nobody)
    assert told.code == 2, told.err


def test_a_closed_pipe_after_the_work_is_no_failure(desk: Desk, authored: tuple[Path, object]) -> None:
    line = desk.command("new", "orders-page-cursor", "--incident", ORDERS, "--workspace", authored[0])
    process = subprocess.Popen(
        line,
        env=desk.environment(),
        cwd=Path(__file__).parents[3],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait(timeout=300) == 0
