"""The attack corpus as a task of a workspace, its candidates staged, and what must not be seen afterwards."""

import json
import os
import secrets
import shutil
import socket
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from authoring.model.contract import Entry, Origin, ScenarioSpec
from authoring.model.digest import sha256_hex
from authoring.model.task import Check, CheckCounts, Checks, HiddenChecks, Task, TaskEnvironment, TaskLimits
from authoring.model.wire import encode

__all__ = ["CORPUS", "Cheat", "cheats", "forbidden_traces", "lay_task", "listening", "plant_canary", "stage"]

CORPUS = Path(__file__).parents[2] / "data" / "cheats"
SCENARIOS = """\
def page_after(program, p, seen):
    seen(program.page_after(p["rows"], p["cursor"], p["limit"]))
"""
TASK_ID = "page/base"


@dataclass(frozen=True, slots=True)
class Cheat:
    """One candidate of the corpus and what its maker says of it."""

    id: str
    kind: str
    accept: tuple[str, ...]
    process: str
    folder: Path
    comment: str = ""
    """Text appended to its program, so that a copy is another candidate."""


def cheats() -> list[Cheat]:
    """Return the whole corpus, sorted by id."""
    found = []
    for path in sorted(CORPUS.glob("*/cheat.toml")):
        facts = tomllib.loads(path.read_text(encoding="utf-8"))
        found.append(
            Cheat(
                facts["id"], facts["class"], tuple(facts["accept"]), facts["forbid"]["process"], path.parent
            )
        )
    return found


def _check(case: dict[str, Any]) -> Check:
    expected = (
        {"raised": {"type": case["raises"]}} if "raises" in case else {"value": encode(case["expected"])}
    )
    params = {name: case[name] for name in ("rows", "cursor", "limit")}
    return Check(
        id=case["id"],
        name=case["id"],
        scenario="page_after",
        rules=("after",),
        params=encode(params),
        expect=(expected,),
    )


def lay_task(public: Path, hidden: Path, processes: int) -> None:
    """Write the contract of the corpus as a task's folder and its hidden part."""
    shown = json.loads((CORPUS / "contract.json").read_text(encoding="utf-8"))["public"]
    secret = json.loads((CORPUS / "cases_hidden.json").read_text(encoding="utf-8"))
    digest = sha256_hex(SCENARIOS.encode())
    checks = Checks(task=TASK_ID, scenarios_sha256=digest, checks=tuple(_check(case) for case in shown))
    files = {
        "candidate.py": (CORPUS / "wrong-01-created-at-only/candidate.py").read_bytes(),
        "scenarios.py": SCENARIOS.encode(),
        "checks.json": checks.to_json(),
    }
    task = Task(
        id=TASK_ID,
        contract="page",
        mechanism="tie-lost",
        group="tie-lost",
        category="paging",
        difficulty="1-5",
        entry=Entry(name="page_after", kind="function", original="pages:page_after"),
        program="candidate.py",
        editable=("candidate.py",),
        visible=("candidate.py", "scenarios.py", "checks.json"),
        raises=("ValueError",),
        compare={"page_after": ScenarioSpec(id="page_after", function="page_after", level="both")},
        environment=TaskEnvironment(python="3.11", limits=TaskLimits(processes=processes)),
        files={name: sha256_hex(data) for name, data in files.items()},
        checks=CheckCounts(public=len(shown), hidden=len(secret)),
        origin=Origin(package="pages", releases=("1",), licence="MIT"),
        licence="MIT",
    )
    public.mkdir(parents=True)
    hidden.mkdir(parents=True)
    for name, data in {**files, "task.json": task.to_json()}.items():
        (public / name).write_bytes(data)
    told = HiddenChecks(task=TASK_ID, scenarios_sha256=digest, checks=tuple(_check(case) for case in secret))
    (hidden / "hidden_checks.json").write_bytes(told.to_json())
    shutil.copy(CORPUS / "honest-01-plain/candidate.py", hidden / "reference.py")


def stage(cheat: Cheat, place: Path) -> Path:
    """Copy a candidate to ``place/<id>/box``, without what its maker says of it."""
    folder = place / cheat.id / "box"
    shutil.copytree(cheat.folder, folder)
    (folder / "cheat.toml").unlink()
    if cheat.comment:
        with (folder / "candidate.py").open("a", encoding="utf-8") as file:
            file.write(cheat.comment)
    return folder


def plant_canary(*folders: Path) -> str:
    """Write a token where answers could be looked for and return it."""
    token = "CANARY-READ-ME-" + secrets.token_hex(8)
    for folder in folders:
        for name in ("expected.json", "answers.json", "hidden.json"):
            (folder / name).write_text(json.dumps({"canary": token}), encoding="utf-8")
    return token


@contextmanager
def listening() -> Iterator[list[socket.socket]]:
    """Listen where the corpus would send to."""
    with ExitStack() as stack:
        sockets = []
        for family, kind, address in (
            (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 47613)),
            (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 47615)),
            (socket.AF_UNIX, socket.SOCK_STREAM, "\0cheat-mark-70"),
        ):
            one = stack.enter_context(socket.socket(family, kind))
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            one.bind(address)
            if kind == socket.SOCK_STREAM:
                one.listen(4)
            one.setblocking(False)
            sockets.append(one)
        yield sockets


def _heard(one: socket.socket) -> bool:
    try:
        if one.type == socket.SOCK_STREAM:
            one.accept()[0].close()
        else:
            one.recv(1)
    except BlockingIOError:
        return False
    return True


def forbidden_traces(place: Path, sockets: list[socket.socket]) -> list[str]:
    """Return everything that an attack left: marks, processes, words on a socket."""
    patterns = [
        f"{folder}/{mark}"
        for folder in (
            "",
            "/tmp",
            "/var/tmp",
            "/dev/shm",
            "/etc",
            "/usr",
            "/usr/local",
            "/opt",
            str(Path.home()),
        )
        for mark in ("cheat-mark-*", "cheat_mark_*", ".cheat-mark-*", "core.*")
        if not (folder == "" and mark == "core.*")
    ]
    patterns += [
        f"{place}/**/{mark}" for mark in ("*cheat*mark*", "*.xml", "verdict.json", "results.json", "*.pyc")
    ]
    traces = [str(path) for pattern in patterns for path in Path("/").glob(pattern.lstrip("/"))]
    traces += [f"process {name}" for name in _processes() if "cheat-survivor" in name]
    traces += [f"socket {one.getsockname()!a}" for one in sockets if _heard(one)]
    return sorted(traces)


def _processes() -> Iterator[str]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                yield (entry / "comm").read_text() + (entry / "cmdline").read_bytes().split(b"\0")[0].decode(
                    "utf-8", "replace"
                )
            except OSError:
                continue


def give_away(folder: Path, uid: int) -> None:
    """Make another user the owner of a folder and of all in it."""
    for path in (folder, *folder.rglob("*")):
        os.chown(path, uid, uid, follow_symlinks=False)
