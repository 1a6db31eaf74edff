"""An author's edit of words redoes the words; what programs are asked by is found out anew."""

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.new.job import Desk, Told

pytestmark = [pytest.mark.timeout(1500), pytest.mark.slow]

ID = "orders-page-cursor"


@pytest.fixture
def workspace(authored: tuple[Path, Told], tmp_path: Path) -> Path:
    """A copy of the workspace in which the contract was committed."""
    place = tmp_path / "edited"
    shutil.copytree(authored[0], place, symlinks=True)
    return place


def redone(desk: Desk, workspace: Path, stage: str) -> set[str]:
    """Do a stage and return which stages had to be done for it."""
    told = desk.run(stage, ID, "--workspace", workspace, "--json")
    assert told.code == 0, told.out + told.err
    return set(told.document["data"]["measure"]) - {"alternatives"}


def edit(workspace: Path, before: str, after: str) -> None:
    file = workspace / "contracts" / ID / "contract.toml"
    text = file.read_text("utf-8")
    assert before in text
    file.write_text(text.replace(before, after), "utf-8")


def kept(workspace: Path) -> dict[str, Any]:
    folder = workspace / "contracts" / ID
    return tomllib.loads((folder / "contract.toml").read_text("utf-8"))


def test_words_are_put_on_what_stands_and_a_comparison_is_not(desk: Desk, workspace: Path) -> None:
    symptom = kept(workspace)["symptom"]
    edit(workspace, json.dumps(symptom), '"Some orders are missing from the second page on."')
    assert redone(desk, workspace, "contract") == set()
    prompt = (workspace / "contracts" / ID / "prompt.md.j2").read_text("utf-8")
    assert "Some orders are missing from the second page on." in prompt
    assert redone(desk, workspace, "vary") == set()
    edit(workspace, 'exception = "type"', 'exception = "type+message"')
    assert redone(desk, workspace, "contract") == {"contract"}
    assert kept(workspace)["symptom"] == "Some orders are missing from the second page on."
