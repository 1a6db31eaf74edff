"""Later releases of a package are natural alternatives: accepted, heard, or told as outside the contract."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from authoring.model.wire import decode
from tests.e2e.new.job import Desk, Told, committed_trees
from tests.e2e.test_package_releases import Index, wheel
from tests.unit.contract.sample import BROKEN, REFERENCE

pytestmark = pytest.mark.timeout(1500)

ID = "tally-full-box"
REPRO = """\
import tally

assert tally.pack(100, "nails") == "1 bulk nails"
assert tally.pack(250, " screws ") == "2 bulk screws"
assert tally.pack(99, "nails") == "9 box nails"
assert tally.pack(5, "bolts") == "5 piece bolts"
"""
RELEASES = {
    "1.0": BROKEN,
    "1.1": REFERENCE,
    "1.1.3": REFERENCE.replace("count < 0", "0 > count"),
    "1.2": REFERENCE.replace('return "nothing"', 'return "empty"'),
    "1.3": REFERENCE.replace("count >= limit", "count > limit or count == 100"),
    "1.4": "import tally_extras\n",
    "1.5": BROKEN,
    "1.6": REFERENCE,
}
VERDICTS = {
    "1.1.3": "alternative",
    "1.2": "alternative",
    "1.3": "outside",
    "1.4": "skipped",
    "1.5": "fails",
}
"""The newest of each of the five series that follow; the sixth is one too many."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an index of the package and the incident."""
    folder = tmp_path_factory.mktemp("tally")
    index = Index(folder / "index")
    for version, text in RELEASES.items():
        index.add("tally", f"tally-{version}-py3-none-any.whl", wheel("tally", version, text.encode()))
    (folder / "repro.py").write_text(REPRO)
    (folder / "incident.toml").write_text(
        f'id = "{ID}"\npackage = "tally"\nbroken = "1.0"\nfixed = "1.1"\ndiscovered = "2026-01-02"\n'
    )
    return folder


def environment(place: Path, **more: str) -> dict[str, str]:
    return {
        "PIP_INDEX_URL": (place / "index").as_uri(),
        "PIP_EXTRA_INDEX_URL": "",
        "PIP_FIND_LINKS": "",
        "PIP_CONFIG_FILE": "/dev/null",
        "PIP_RETRIES": "0",
        **more,
    }


def run(desk: Desk, place: Path, workspace: Path, *words: str, **more: str) -> Told:
    command = words or ("new", ID, "--incident", str(place / "incident.toml"), "--workspace", str(workspace))
    return desk.run(*command, "--json", env=environment(place, **more))


@pytest.fixture(scope="module")
def committed(desk: Desk, place: Path) -> tuple[Path, Told]:
    workspace = desk.workspace("tally")
    told = run(desk, place, workspace)
    assert told.code == 0, told.out + told.err
    return workspace, told


def document(workspace: Path) -> dict[str, Any]:
    text = (workspace / "contracts" / ID / "alternatives.json").read_text()
    found: dict[str, Any] = json.loads(text)
    return found


def test_each_later_release_gets_its_verdict(committed: tuple[Path, Told]) -> None:
    workspace, told = committed
    releases = told.document["data"]["later_releases"]
    assert {each["version"]: each["verdict"] for each in releases} == VERDICTS
    assert document(workspace)["releases"] == releases
    by_version = {each["version"]: each for each in releases}
    assert by_version["1.1.3"]["disputed"] == 0
    assert "tally_extras" in by_version["1.4"]["reason"]
    assert "check_1" in by_version["1.5"]["reason"]
    assert decode(by_version["1.3"]["dispute"]["params"])


def test_the_author_is_told_of_what_is_not_accepted_without_an_input(committed: tuple[Path, Told]) -> None:
    said = [text for text in committed[1].document["warnings"] if "later release" in text]
    for version in ("1.3", "1.4", "1.5"):
        assert [text for text in said if f"tally {version}" in text], said
    assert any("left out" in text for text in said)
    assert not any("nails" in text or "{" in text for text in said)


def test_what_an_accepted_release_disputes_stands_in_no_check_and_no_pool(
    committed: tuple[Path, Told],
) -> None:
    workspace = committed[0]
    hidden = json.loads((workspace / "hidden" / ID / "base" / "hidden_checks.json").read_text())
    public = json.loads((workspace / "public" / "tasks" / ID / "base" / "checks.json").read_text())
    held = [check["params"] for check in (*public["checks"], *hidden["checks"])]
    held += [params for pool in hidden["pools"] for params in pool["inputs"]]
    texts = json.dumps([*public["checks"], *hidden["checks"]])
    assert len(held) > 40
    assert "nothing" not in texts
    assert document(workspace)["dropped"] > 0


def test_accepted_releases_are_evidence(committed: tuple[Path, Told]) -> None:
    workspace = committed[0]
    digests = {each["sha256"]: each["verdict"] for each in document(workspace)["releases"]}
    judged = [json.loads(path.read_text()) for path in (workspace / "evidence").rglob("*.json")]
    verdicts = {
        record["subject"]["program"]: record["result"]["verdict"]
        for record in judged
        if record["subject"]["program"] in digests
    }
    assert len(verdicts) == 2
    assert {digests[program] for program in verdicts} == {"alternative"}
    assert set(verdicts.values()) == {"pass"}


def test_show_lists_them_with_the_input(desk: Desk, committed: tuple[Path, Told]) -> None:
    told = desk.run("show", ID, "--workspace", committed[0])
    assert told.code == 0, told.err
    assert "Later releases" in told.out
    assert "outside" in told.out
    shown = desk.run("show", ID, "--workspace", committed[0], "--json").document["data"]
    assert shown["later_releases"] == document(committed[0])["releases"]


def test_the_same_command_again_asks_no_index_and_does_nothing(
    desk: Desk, place: Path, committed: tuple[Path, Told]
) -> None:
    workspace, first = committed
    before = committed_trees(workspace)
    told = run(desk, place, workspace, PIP_INDEX_URL="http://127.0.0.1:9/simple")
    assert told.code == 0, told.out
    assert told.document["data"]["measure"] == {}
    assert told.document["data"]["later_releases"] == first.document["data"]["later_releases"]
    assert told.document["warnings"] == first.document["warnings"]
    assert committed_trees(workspace) == before


def test_a_list_that_cannot_be_read_is_told_and_a_removed_one_is_made_anew(
    desk: Desk, place: Path, committed: tuple[Path, Told], tmp_path: Path
) -> None:
    workspace = tmp_path / "copy"
    shutil.copytree(committed[0], workspace, symlinks=True)
    listed = workspace / "contracts" / ID / "alternatives.json"
    was = listed.read_bytes()
    listed.write_text('{"package": 1}')
    for words in (("contract", ID), ("show", ID)):
        told = run(desk, place, workspace, *words, "--workspace", str(workspace))
        error = told.document["errors"][0]
        assert (told.code, error["code"]) == (2, "CTR021")
        assert "alternatives.json" in error["message"]
    listed.unlink()
    told = run(desk, place, workspace)
    assert told.code == 0, told.out
    assert listed.read_bytes() == was
    assert told.document["data"]["measure"] == {}


@pytest.mark.slow
def test_a_fresh_workspace_with_the_same_key_and_index_gets_byte_identical_trees(
    desk: Desk, place: Path, committed: tuple[Path, Told]
) -> None:
    other = desk.workspace("tally-again")
    told = run(desk, place, other)
    assert told.code == 0, told.out + told.err
    assert committed_trees(other) == committed_trees(committed[0])


def test_without_an_index_the_author_is_warned_and_the_work_goes_on(
    desk: Desk, place: Path, committed: tuple[Path, Told]
) -> None:
    workspace = desk.workspace("tally-alone")
    cache = Path(".authoring") / "cache"
    shutil.copytree(committed[0] / cache, workspace / cache, dirs_exist_ok=True)
    words = ("capture", ID, "--incident", str(place / "incident.toml"), "--workspace", str(workspace))
    alone = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple"}
    assert run(desk, place, workspace, *words, **alone).code == 0
    told = run(desk, place, workspace, "contract", ID, "--workspace", str(workspace), **alone)
    assert told.code == 0, told.out + told.err
    assert any("were not tried" in text for text in told.document["warnings"])
    assert document(workspace)["unlisted"]
    assert document(workspace)["releases"] == []
    told = run(
        desk,
        place,
        workspace,
        *("contract", ID, "--workspace", str(workspace)),
        AUTHORING_ALTERNATIVES_RELEASES="0",
    )
    assert told.code == 0, told.out + told.err
    assert told.document["data"]["later_releases"] == []
    assert not (workspace / "contracts" / ID / "alternatives.json").exists()
