"""Audits of a committed contract: nothing in a sound one, what is wrong in a spoiled one, clear words for the rest."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from authoring.model.errors import AuthoringError
from authoring.model.task import HiddenChecks
from authoring.system.workspace import Workspace
from authoring.taskrepo.audits import stored_contracts
from tests.e2e.new.job import Desk, Told, git

pytestmark = pytest.mark.timeout(1500)

ID = "orders-page-cursor"
REPEATS = 22
"""Two more than the validation left."""


@pytest.fixture
def copied(authored: tuple[Path, Told], tmp_path: Path) -> Path:
    """A copy of the workspace that may be spoiled."""
    place = tmp_path / "copy"
    shutil.copytree(authored[0], place, symlinks=True)
    return place


def spoil_hidden(workspace: Path, **update: Any) -> None:
    path = workspace / "hidden" / ID / "base" / "hidden_checks.json"
    document = HiddenChecks.from_json(path.read_bytes())
    path.write_bytes(document.model_copy(update=update).to_json())


def test_a_sound_contract_has_nothing_weak_and_is_not_audited_twice(desk: Desk, copied: Path) -> None:
    told = desk.run("audit", "weak", "--workspace", copied, "--json")
    data = told.document["data"]
    (facts,) = data["contracts"]
    assert (told.code, told.document["status"], data["found"]) == (0, "done", 0), told.out
    assert facts["id"] == ID
    assert facts["tried"]["wrong_programs"] > 20
    assert facts["tried"]["rewritings"] > 5
    again = desk.run("audit", "weak", ID, "--workspace", copied, "--json")
    assert again.document["data"]["contracts"] == data["contracts"]
    assert "wrong programs" in told.err
    assert "wrong programs" not in again.err


def test_without_pools_and_hidden_checks_the_survivors_are_shown_with_their_inputs(
    desk: Desk, copied: Path
) -> None:
    spoil_hidden(copied, checks=(), pools=())
    told = desk.run("audit", "weak", ID, "--workspace", copied, "--json")
    (facts,) = told.document["data"]["contracts"]
    assert (told.code, told.document["status"]) == (1, "refused"), told.out
    assert told.document["errors"][0]["code"] == "CTR030"
    assert {each["tier"] for each in facts["rules_without_checks"]} == {"hidden"}
    assert facts["survivors"]
    for survivor in facts["survivors"]:
        assert survivor["params"]["dict"]
        assert survivor["difference"]
    assert "expect" not in json.dumps(facts)
    shown = desk.run("audit", "weak", ID, "--workspace", copied)
    assert shown.code == 1
    assert "input that shows it" in shown.out


def test_a_steady_contract_gets_a_tighter_bound_and_evidence_that_a_release_takes(
    desk: Desk, copied: Path
) -> None:
    words = ("audit", "flaky", ID, "--repeats", REPEATS, "--workspace", copied, "--json")
    told = desk.run(*words)
    (facts,) = told.document["data"]["contracts"]
    assert told.code == 0, told.out + told.err
    assert {each["runs"] for each in facts["programs"]} == {REPEATS}
    assert {each["program"] for each in facts["programs"]} == {"reference", "broken", "hard negative"}
    assert len({each["task"] for each in facts["programs"]}) == 5
    assert facts["bound"] == pytest.approx(1 - 0.05 ** (1 / REPEATS))
    records = len(list((copied / "evidence").rglob("*.json")))
    assert desk.run(*words).document["data"]["contracts"] == [facts]
    assert len(list((copied / "evidence").rglob("*.json"))) == records
    git(copied, "add", "evidence")
    git(copied, *AUTHOR, "commit", "-q", "-m", "Keep the repeats")
    released = desk.run("release", "1.0.0", "--workspace", copied, "--json")
    assert released.code == 0, released.out
    manifest = json.loads((copied / "releases" / "1.0.0.json").read_text())
    assert sum(len(task["evidence"]) for task in manifest["tasks"]) >= 3 * 5 * REPEATS


AUTHOR = ("-c", "user.name=Some One", "-c", "user.email=one@example.org")


def test_a_flake_in_the_evidence_is_told_with_what_was_varied(desk: Desk, copied: Path) -> None:
    words = ("audit", "flaky", ID, "--repeats", 2, "--workspace", copied, "--json")
    assert desk.run(*words).code == 0
    for path in (copied / "evidence").rglob("*.json"):
        record = json.loads(path.read_text())
        varied = record["subject"]["perturbation"]["hash_seed"] != 0
        if varied and record["result"]["verdict"] == "pass":
            record["result"] |= {"verdict": "wrong"}
            record["result"]["checks"][0][1] = "wrong"
            path.write_text(json.dumps(record))
    told = desk.run(*words)
    (facts,) = told.document["data"]["contracts"]
    assert (told.code, told.document["errors"][0]["code"]) == (1, "VAL013"), told.out
    assert facts["bound"] > 0.9
    flakes = [flake for each in facts["programs"] for flake in each["flakes"]]
    assert len(flakes) == 5
    assert all(flake["perturbation"]["tz"] == "Asia/Kathmandu" and flake["changed"] for flake in flakes)


def test_a_dry_run_of_repeats_says_how_many_and_runs_none(desk: Desk, authored: tuple[Path, Told]) -> None:
    told = desk.run("audit", "flaky", "--dry-run", "--workspace", authored[0], "--json")
    assert told.code == 0
    data = told.document["data"]
    assert (data["contracts"], data["repeats"], data["runs"]) == ([ID], 300, 4500)


def test_an_unknown_id_and_a_folder_that_is_no_workspace_are_exit_2(
    desk: Desk, authored: tuple[Path, Told], tmp_path: Path
) -> None:
    for audit in ("weak", "flaky"):
        told = desk.run("audit", audit, "orders-page-curser", "--workspace", authored[0], "--json")
        error = told.document["errors"][0]
        assert (told.code, error["code"], error["hint"]) == (2, "TSK007", f"Do you mean {ID}?")
        told = desk.run("audit", audit, "--workspace", tmp_path / "none", "--json")
        assert (told.code, told.document["errors"][0]["code"]) == (2, "WSP001")


def test_what_cannot_be_judged_is_exit_3(desk: Desk, copied: Path) -> None:
    path = copied / "hidden" / ID / "base" / "hidden_checks.json"
    document = HiddenChecks.from_json(path.read_bytes())
    wrong = document.checks[0].model_copy(update={"expect": ({"value": "never"},)})
    spoil_hidden(copied, checks=(wrong, *document.checks[1:]))
    told = desk.run("audit", "weak", "--workspace", copied, "--json")
    assert (told.code, told.document["errors"][0]["code"]) == (3, "VAL105"), told.out
    assert "never" not in told.out + told.err
    (copied / ".authoring" / "key").unlink()
    told = desk.run("audit", "flaky", "--workspace", copied, "--json")
    assert (told.code, told.document["errors"][0]["code"]) == (3, "WSP003"), told.out


def test_a_workspace_without_contracts_is_exit_4(desk: Desk) -> None:
    workspace = desk.workspace("nothing-to-audit")
    for audit in ("weak", "flaky"):
        told = desk.run("audit", audit, "--workspace", workspace, "--json")
        assert (told.code, told.document["errors"][0]["code"]) == (4, "TSK013")


def test_a_contract_without_checks_is_left_out_and_named_is_exit_4(copied: Path) -> None:
    captured = copied / "contracts" / "only-captured"
    captured.mkdir()
    (captured / "scenarios.py").write_text("")
    found, skipped = stored_contracts(Workspace.open(copied), ())
    assert ([stored.id for stored in found], skipped) == ([ID], ("only-captured",))
    with pytest.raises(AuthoringError) as refused:
        stored_contracts(Workspace.open(copied), ["only-captured"])
    assert (refused.value.code, refused.value.exit_code) == ("TSK013", 4)


DAMAGES = {
    f"contracts/{ID}/contract.toml": "CTR020",
    f"contracts/{ID}/domain.py": "WSP011",
    f"incidents/{ID}/capture.json": "TSK012",
    f"hidden/{ID}/base/hidden_checks.json": "TSK006",
    f"hidden/{ID}/base/reference.py": "TSK006",
    f"hidden/{ID}/h1/task/task.json": "TSK006",
    f"public/tasks/{ID}/base/checks.json": "TSK006",
    f"public/tasks/{ID}/base/program.py": "TSK006",
    f"public/tasks/{ID}/base/task.json": "TSK006",
}


@pytest.mark.parametrize("path", DAMAGES)
def test_a_broken_file_of_a_contract_is_named_before_anything_runs(copied: Path, path: str) -> None:
    damaged = copied / path
    if damaged.suffix == ".py" and damaged.stem == "domain":
        damaged.unlink()
    else:
        damaged.write_text("def (: [ {")
    with pytest.raises(AuthoringError) as refused:
        stored_contracts(Workspace.open(copied), ())
    assert (refused.value.code, refused.value.exit_code) == (DAMAGES[path], 2)
    assert "\n" not in refused.value.message
    assert refused.value.hint


@pytest.mark.parametrize("path", DAMAGES)
def test_a_missing_file_of_a_contract_is_told_in_one_sentence(copied: Path, path: str) -> None:
    (copied / path).unlink()
    with pytest.raises(AuthoringError) as refused:
        stored_contracts(Workspace.open(copied), ())
    assert refused.value.exit_code == 2
    assert "\n" not in refused.value.message
