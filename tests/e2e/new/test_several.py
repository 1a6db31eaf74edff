"""An incident of two faults becomes two contracts, whole at every moment, of which neither tells the other's repair."""

import os
import shutil
import signal
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.new.job import DATA, Desk, Told, committed_trees, git

pytestmark = [pytest.mark.timeout(1700), pytest.mark.slow]

INCIDENT = DATA / "service" / "cents-two-faults" / "incident.toml"
ID = "cents-two-faults"
REPAIRS = ('.ljust(2, "0")', "{part:02}")


@pytest.fixture(scope="module")
def validated(desk: Desk) -> Path:
    """A workspace in which both contracts only have to be committed."""
    workspace = desk.thrifty_workspace("cents")
    told = desk.run("capture", ID, "--incident", INCIDENT, "--workspace", workspace)
    assert told.code == 0, told.err
    told = desk.run("validate", ID, "--workspace", workspace)
    assert told.code == 0, told.err
    return workspace


@pytest.fixture(scope="module")
def committed(desk: Desk, validated: Path) -> tuple[Path, Told]:
    """The same workspace, committed, and what the command answered."""
    place = desk.home / "cents-committed"
    shutil.copytree(validated, place, symlinks=True)
    told = desk.run("new", ID, "--incident", INCIDENT, "--workspace", place, "--json")
    assert told.code == 0, told.out + told.err
    return place, told


def contract(workspace: Path, identity: str) -> dict[str, Any]:
    return tomllib.loads((workspace / "contracts" / identity / "contract.toml").read_text("utf-8"))


def text(workspace: Path, identity: str, version: str) -> str:
    return (workspace / "contracts" / identity / "program" / f"{version}.py").read_text("utf-8")


def test_each_fault_has_a_contract_of_its_own(committed: tuple[Path, Told]) -> None:
    workspace, told = committed
    data = told.document["data"]
    assert len(data["contracts"]) == 2
    repaired = [
        [repair in text(workspace, one, "reference") for repair in REPAIRS] for one in data["contracts"]
    ]
    assert repaired == [[True, False], [False, True]]
    for identity in data["contracts"]:
        written = contract(workspace, identity)
        assert written["incident"] == ID
        assert identity == f"{ID}--{written['rules'][0]['id']}"
        assert data["parts"][identity]["patterns"]["broken"]["hidden"].count("0") > 0
        assert set(data["parts"][identity]["patterns"]["reference"]["hidden"]) == {"1"}


def test_contracts_of_one_incident_are_one_group(committed: tuple[Path, Told]) -> None:
    workspace, told = committed
    assert len({contract(workspace, one)["group"] for one in told.document["data"]["contracts"]}) == 1


def test_no_public_file_of_a_contract_holds_the_repair_of_another(committed: tuple[Path, Told]) -> None:
    workspace, told = committed
    for identity, other in zip(told.document["data"]["contracts"], reversed(REPAIRS), strict=True):
        public = [path for path in (workspace / "public" / "tasks" / identity).rglob("*") if path.is_file()]
        assert public
        assert [path for path in public if other in path.read_text("utf-8")] == []


def test_what_repairs_both_faults_passes_both_contracts(desk: Desk, committed: tuple[Path, Told]) -> None:
    workspace, told = committed
    for identity in told.document["data"]["contracts"]:
        candidate = workspace / "contracts" / identity / "program" / "repaired.py"
        graded = desk.run("grade", f"{identity}/base", candidate, "--workspace", workspace)
        assert graded.code == 0, graded.out + graded.err


def test_the_repair_of_one_fault_does_not_pass_for_the_other(
    desk: Desk, committed: tuple[Path, Told]
) -> None:
    workspace, told = committed
    one, other = told.document["data"]["contracts"]
    for mine, theirs in ((one, other), (other, one)):
        candidate = workspace / "contracts" / theirs / "program" / "reference.py"
        assert desk.run("grade", f"{mine}/base", candidate, "--workspace", workspace).code == 1


def test_the_same_command_again_does_nothing(desk: Desk, committed: tuple[Path, Told]) -> None:
    workspace, told = committed
    before = committed_trees(workspace)
    again = desk.run("new", ID, "--incident", INCIDENT, "--workspace", workspace, "--json")
    assert again.code == 0, again.out + again.err
    assert again.document["data"]["measure"] == {}
    assert again.document["data"]["contracts"] == told.document["data"]["contracts"]
    assert committed_trees(workspace) == before
    assert git(workspace, "status", "--porcelain") == ""


def test_the_incidents_id_and_each_contracts_lead_to_the_same_job(
    desk: Desk, committed: tuple[Path, Told]
) -> None:
    workspace, told = committed
    contracts = told.document["data"]["contracts"]
    for identity in (ID, *contracts):
        again = desk.run("validate", identity, "--workspace", workspace, "--json")
        assert again.code == 0, again.out + again.err
        assert again.document["data"]["contracts"] == contracts
    shown = desk.run("show", ID, "--workspace", workspace, "--json").document["data"]
    assert (shown["stage"], sorted(shown["contracts"])) == ("separated", sorted(contracts))


def test_a_job_killed_between_two_commits_ends_in_the_same_state(
    desk: Desk, validated: Path, committed: tuple[Path, Told]
) -> None:
    workspace = desk.home / "cents-killed"
    shutil.copytree(validated, workspace, symlinks=True)
    before = git(workspace / "public", "rev-parse", "HEAD")
    process = desk.start("commit", ID, "--workspace", workspace)
    end = time.monotonic() + 300
    while git(workspace / "public", "rev-parse", "HEAD") == before and time.monotonic() < end:
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=30)
    tasks = git(workspace / "public", "ls-tree", "--name-only", "HEAD", "tasks/").splitlines()
    told = desk.run("commit", ID, "--workspace", workspace, "--json")
    assert told.code == 0, told.out + told.err
    assert len(tasks) == 1
    assert committed_trees(workspace) == committed_trees(committed[0])
