"""A generated file that its author edited is kept, whatever would be written in its place."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from authoring.execution import BoxRunner
from authoring.model.configuration import Configuration
from authoring.model.progress import SilentProgress
from authoring.system.journal import Journal
from authoring.system.workspace import Workspace
from authoring.taskrepo.stages import generated
from authoring.taskrepo.stages.generated import current_text, forget_generated, is_edited, write_generated
from authoring.taskrepo.stages.work import Work

NAME = "contracts/some/scenarios.py"


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Work]:
    workspace = Workspace(tmp_path)
    workspace.path("contracts", "some").mkdir(parents=True)
    with Journal(tmp_path / "journal.sqlite") as journal, BoxRunner(tmp_path / "driver") as runner:
        yield Work(workspace, Configuration(), runner, SilentProgress(), journal)


def edit(work: Work, text: str) -> None:
    work.workspace.path(NAME).write_text(text, encoding="utf-8")


def test_what_nobody_edited_is_written_over(work: Work) -> None:
    write_generated(work, NAME, "one\n")
    write_generated(work, NAME, "two\n")
    assert current_text(work, NAME) == "two\n"
    assert not is_edited(work, NAME)


def test_an_edit_stays_and_the_new_text_lies_beside_it(work: Work) -> None:
    write_generated(work, NAME, "one\n")
    edit(work, "mine\n")
    write_generated(work, NAME, "two\n")
    assert current_text(work, NAME) == "mine\n"
    assert current_text(work, NAME + ".new") == "two\n"


def test_an_edit_that_agrees_with_one_stage_is_not_lost_to_the_next(work: Work) -> None:
    write_generated(work, NAME, "captured\n")
    edit(work, "mine\n")
    write_generated(work, NAME, "mine\n")
    assert is_edited(work, NAME)
    write_generated(work, NAME, "captured\n")
    assert current_text(work, NAME) == "mine\n"


def test_what_a_run_left_that_was_cut_off_is_no_edit(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    write_generated(work, NAME, "one\n")

    def cut_off(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(generated, "write_atomic", cut_off)
        with pytest.raises(KeyboardInterrupt):
            write_generated(work, NAME, "two\n")
    assert not is_edited(work, NAME)
    edit(work, "two\n")  # as where the file was replaced, and the journal not told of it
    assert not is_edited(work, NAME)
    edit(work, "mine\n")
    assert is_edited(work, NAME)


def test_an_edit_that_is_taken_back_is_none(work: Work) -> None:
    write_generated(work, NAME, "one\n")
    edit(work, "mine\n")
    edit(work, "one\n")
    assert not is_edited(work, NAME)


def test_a_folder_that_is_given_up_keeps_what_its_author_edited(work: Work) -> None:
    write_generated(work, NAME, "made\n")
    write_generated(work, "contracts/some/program/broken.py", "made\n")
    edit(work, "mine\n")
    forget_generated(work, "contracts/some")
    assert [path.name for path in work.workspace.path("contracts", "some").rglob("*")] == ["scenarios.py"]
    assert current_text(work, NAME) == "mine\n"


def test_a_folder_of_generated_files_goes_as_a_whole(work: Work) -> None:
    write_generated(work, NAME, "made\n")
    write_generated(work, "contracts/some/program/broken.py", "made\n")
    forget_generated(work, "contracts/some")
    assert not work.workspace.path("contracts", "some").exists()
