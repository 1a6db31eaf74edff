"""What the benchmarks measure holds for our own contract, and they see what is spoiled."""

import shutil
from pathlib import Path

import pytest

from authoring.model.progress import SilentProgress
from authoring.model.task import Checks, HiddenChecks
from authoring.taskrepo.audits import stored_contracts
from authoring.taskrepo.stages.opened import opened
from tests.e2e.new.job import Told
from tests.measures.committed import committed
from tests.measures.expected import assert_faithful
from tests.measures.strength import Strength, strength

pytestmark = pytest.mark.timeout(1500)

ID = "orders-page-cursor"
MUTANTS = 24


@pytest.fixture(autouse=True)
def identity(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have an identity of our own, as the tool's commands have."""
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "Some One")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "one@example.org")


@pytest.fixture
def copied(authored: tuple[Path, Told], tmp_path: Path) -> Path:
    """A copy of the workspace that may be spoiled."""
    place = tmp_path / "copy"
    shutil.copytree(authored[0], place, symlinks=True)
    return place


def test_our_own_programs_do_what_their_trees_do_on_inputs_that_nobody_saw(copied: Path) -> None:
    assert_faithful(copied, ID)


def test_a_program_that_is_right_on_most_inputs_only_is_told(copied: Path) -> None:
    path = copied / "hidden" / ID / "base" / "reference.py"
    spoiled = path.read_text().replace("order.position > (", "order.position >= (")
    assert spoiled != path.read_text()
    path.write_text(spoiled)
    with pytest.raises(AssertionError, match=r"reference, (drawn|mutated): page_after"):
        assert_faithful(copied, ID)


def measured(workspace: Path) -> Strength:
    with opened(workspace, SilentProgress()) as work:
        (stored,) = stored_contracts(work.workspace, [ID])[0]
        return strength(committed(work, stored), work, limit=MUTANTS)


def test_hidden_checks_reject_what_another_tool_gets_past_the_public_ones(copied: Path) -> None:
    found = measured(copied)
    assert found.mutants >= MUTANTS // 2
    assert not found.survivors
    assert found.rewritings >= 10
    assert not found.rejected_rewritings
    assert found.wrong["do-nothing"] == "fails public, fails hidden"
    assert found.wrong["hard-coded"] == "passes public, fails hidden"


def test_with_one_check_alone_the_other_tools_mutants_survive_and_an_input_shows_each(copied: Path) -> None:
    path = copied / "hidden" / ID / "base" / "hidden_checks.json"
    document = HiddenChecks.from_json(path.read_bytes())
    path.write_bytes(document.model_copy(update={"checks": (), "pools": ()}).to_json())
    path = copied / "public" / "tasks" / ID / "base" / "checks.json"
    shown = Checks.from_json(path.read_bytes())
    path.write_bytes(shown.model_copy(update={"checks": shown.checks[:1]}).to_json())
    found = measured(copied)
    assert found.survivors
    assert found.share == 0.0
    assert found.wrong["hard-coded"] == "passes public, PASSES hidden"
    for survivor in found.survivors:
        assert survivor.difference
        assert survivor.input.params["dict"]
