"""No cheat passes, none leaves a trace, and honest code is never taken for one: through the real command."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.cheats.corpus import (
    Cheat,
    cheats,
    forbidden_traces,
    give_away,
    lay_task,
    listening,
    plant_canary,
    stage,
)
from tests.e2e.cheats.ordinary import UID, as_ordinary_user, can_be_ordinary

ROOT = Path(__file__).parents[3]
MEMORY_MIB = 300

_COMMAND = """\
import resource, sys
from authoring.cli.runner import run
status = run(sys.argv[2:])
with open(sys.argv[1], "w") as file:
    file.write(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024))
sys.exit(status)
"""

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
as_user = pytest.mark.skipif(not can_be_ordinary(), reason="needs unshare, setpriv and mount")
USERS = pytest.mark.parametrize(
    "user", [pytest.param("root", marks=as_root), pytest.param("ordinary", marks=as_user)]
)


@dataclass(frozen=True, slots=True)
class Graded:
    """What one grading of candidates gave."""

    verdicts: dict[str, dict[str, Any]]
    """By id of the candidate."""
    memory_mib: int
    """Most memory that the grader itself had."""


@pytest.fixture
def place() -> Iterator[Path]:
    """Give a folder that any user may enter, which pytest's own are not."""
    with tempfile.TemporaryDirectory(prefix="authoring-test-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def grade(place: Path, wanted: list[Cheat], user: str, processes: int, timeout_s: int = 280) -> Graded:
    """Make a workspace below ``place``, grade the candidates by the command, and return what it gave."""
    workspace, staged = place / "workspace", place / "staged"
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(place),
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "AUTHORING_WORKERS": "5",
        "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org",
    }  # fmt: skip
    python = [sys.executable, "-c", _COMMAND, str(place / "memory")]
    subprocess.run(
        [*python, "init", str(workspace)], env=environment, check=True, capture_output=True, timeout=120
    )
    lay_task(workspace / "public/tasks/page/base", workspace / "hidden/page/base", processes)
    folders = [stage(cheat, staged) for cheat in wanted]
    token = plant_canary(
        workspace, workspace / "hidden/page/base", staged, *(folder.parent for folder in folders)
    )
    environment["CANARY"] = token
    if user == "ordinary" and os.geteuid() == 0:
        give_away(place, UID)
    before = {path: path.read_bytes() for folder in folders for path in folder.rglob("*")}
    command = [*python, "--json", "--workspace", str(workspace), "grade", "page/base", *map(str, folders)]
    if user == "ordinary":
        command = as_ordinary_user(command)
    with listening() as sockets:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=timeout_s)
        said = done.stdout + done.stderr
        journal = b"".join(path.read_bytes() for path in (workspace / ".authoring").glob("journal*"))
        assert token not in said and token.encode() not in journal
        assert forbidden_traces(staged, sockets) == []
    assert {path: path.read_bytes() for folder in folders for path in folder.rglob("*")} == before
    document = json.loads(done.stdout)
    assert document["status"] in ("done", "refused"), said
    graded = {Path(one["path"]).parent.name: one for one in document["data"]["candidates"]}
    return Graded(graded, int((place / "memory").read_text()))


@pytest.mark.slow
@pytest.mark.timeout(600)
@USERS
@pytest.mark.parametrize("processes", [0, 24], ids=["fork-denied", "fork-allowed"])
def test_the_corpus_is_judged_soundly(place: Path, user: str, processes: int) -> None:
    corpus = cheats()
    graded = grade(place, corpus, user, processes)
    unsound = {
        cheat.id: graded.verdicts[cheat.id]["verdict"]
        for cheat in corpus
        if graded.verdicts[cheat.id]["verdict"] not in cheat.accept
    }
    assert unsound == {}
    assert len(graded.verdicts) == len(corpus)
    suspected = {name for name, one in graded.verdicts.items() if one["suspected_cheat"]}
    assert not {cheat.id for cheat in corpus if cheat.kind.startswith("honest")} & suspected
    certain = ("110", "111", "113", "201", "202", "204", "208", "219")
    assert {cheat.id for cheat in corpus if cheat.id.startswith(certain)} <= suspected
    assert graded.memory_mib < MEMORY_MIB


@pytest.mark.parametrize(
    ("user", "processes"),
    [
        pytest.param("root", 0, marks=as_root, id="root-fork-denied"),
        pytest.param("ordinary", 24, marks=as_user, id="ordinary-fork-allowed"),
    ],
)
def test_quick_cheats_of_every_kind_are_judged_soundly(place: Path, user: str, processes: int) -> None:
    names = (
        "003",
        "010",
        "018",
        "030",
        "034",
        "046",
        "047",
        "062",
        "066",
        "070",
        "073",
        "103",
        "105",
        "110",
        "201",
        "216",
        "219",
        "honest-01",
        "wrong-04",
    )
    wanted = [cheat for cheat in cheats() if cheat.id.startswith(names)]
    assert len(wanted) == len(names)
    graded = grade(place, wanted, user, processes)
    for cheat in wanted:
        assert graded.verdicts[cheat.id]["verdict"] in cheat.accept, cheat.id


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_honest_candidates_pass_in_twenty_repeats_under_load(place: Path) -> None:
    copies = [
        replace(cheat, id=f"{cheat.id}-{repeat:02}", comment=f"\n# repeat {repeat}\n")
        for cheat in cheats()
        if cheat.kind == "honest"
        for repeat in range(20)
    ]
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        graded = grade(place, copies, "root" if os.geteuid() == 0 else "ordinary", 0, timeout_s=850)
    finally:
        for process in busy:
            process.kill()
            process.wait()
    assert {name: one["verdict"] for name, one in graded.verdicts.items() if one["verdict"] != "pass"} == {}
    assert len(graded.verdicts) == len(copies)
