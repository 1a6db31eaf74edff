"""A later release that says nothing in another way is accepted: the comparison is relaxed, recorded, shown and told."""

import json
import tomllib
from pathlib import Path

import pytest

from tests.e2e.new.job import Desk, Told
from tests.e2e.releases.test_later_releases import ID, REPRO, environment
from tests.e2e.test_package_releases import Index, wheel
from tests.unit.contract.sample import REFERENCE

pytestmark = pytest.mark.timeout(1500)

NOTHING = REFERENCE.replace('return "nothing"', "return None")
RELEASES = {
    "1.0": NOTHING.replace("count >= limit", "count > limit"),
    "1.1": NOTHING,
    "1.2": NOTHING.replace("return None", "return False"),
}


@pytest.fixture(scope="module")
def committed(desk: Desk, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Told]:
    place = tmp_path_factory.mktemp("relaxed")
    index = Index(place / "index")
    for version, text in RELEASES.items():
        index.add("tally", f"tally-{version}-py3-none-any.whl", wheel("tally", version, text.encode()))
    (place / "repro.py").write_text(REPRO)
    (place / "incident.toml").write_text(
        f'id = "{ID}"\npackage = "tally"\nbroken = "1.0"\nfixed = "1.1"\ndiscovered = "2026-01-02"\n'
    )
    workspace = desk.workspace("relaxed")
    words = ("new", ID, "--incident", str(place / "incident.toml"), "--workspace", str(workspace), "--json")
    told = desk.run(*words, env=environment(place))
    assert told.code == 0, told.out + told.err
    return workspace, told


def test_a_relaxed_comparison_stands_in_the_contract_and_in_every_task(committed: tuple[Path, Told]) -> None:
    workspace = committed[0]
    contract = tomllib.loads((workspace / "contracts" / ID / "contract.toml").read_text())
    assert [spec["compare"].get("nothing") for spec in contract["scenarios"] if spec["id"] == "pack"] == [
        "same"
    ]
    for task in sorted((workspace / "public" / "tasks" / ID).iterdir()):
        assert json.loads((task / "task.json").read_text())["compare"]["pack"]["compare"]["nothing"] == "same"


def test_it_is_recorded_told_and_shown_and_no_input_was_left_out(
    desk: Desk, committed: tuple[Path, Told]
) -> None:
    workspace, told = committed
    found = json.loads((workspace / "contracts" / ID / "alternatives.json").read_text())
    assert found["relaxed"] == [["pack", "nothing"]]
    assert found["dropped"] == 0
    assert [(each["version"], each["verdict"]) for each in found["releases"]] == [("1.2", "alternative")]
    assert found["releases"][0]["disputed"] > 0
    assert any("relaxed" in text for text in told.document["warnings"])
    assert "relaxed" in desk.run("show", ID, "--workspace", workspace).out


def test_the_release_is_accepted_by_every_check_and_pool(committed: tuple[Path, Told]) -> None:
    workspace = committed[0]
    found = json.loads((workspace / "contracts" / ID / "alternatives.json").read_text())
    records = [json.loads(path.read_text()) for path in (workspace / "evidence").rglob("*.json")]
    own = [record for record in records if record["subject"]["program"] == found["releases"][0]["sha256"]]
    assert own and all(record["result"]["verdict"] == "pass" for record in own)
