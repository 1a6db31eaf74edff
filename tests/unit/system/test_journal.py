"""Laws of the journal: what is written stays, and what is pending is a question to it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from authoring.model.errors import CannotJudgeError
from authoring.system.journal import Journal


def test_facts_stay_when_the_journal_is_opened_again(tmp_path: Path) -> None:
    with Journal(tmp_path / "a" / "journal.sqlite") as journal:
        journal.put("stage", "x", {"done": [1, None]})
        journal.put("stage", "x", {"done": [2]})
        journal.put("other", "x", 1)
    with Journal(tmp_path / "a" / "journal.sqlite") as journal:
        assert journal.get("stage", "x") == {"done": [2]}
        assert journal.get("stage", "y") is None
        assert journal.facts("stage") == {"x": {"done": [2]}}
        journal.forget("stage", "x")
        assert journal.facts("stage") == {}
        assert journal.get("other", "x") == 1


def test_work_without_a_result_is_pending_and_planning_again_keeps_results(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with Journal(path) as journal:
        journal.plan("cells", [("b", 2), ("a", 1)])
        journal.finish("cells", "a", "pass", {"s": 0.1})
    with Journal(path) as journal:
        journal.plan("cells", [("a", 9), ("c", 3)])
        assert journal.pending("cells") == [("b", 2), ("c", 3)]
        assert journal.results("cells") == {"a": "pass"}
        assert journal.measures("cells") == {"a": {"s": 0.1}}
        journal.drop("cells")
        assert journal.pending("cells") == []


def test_a_result_for_unplanned_work_is_a_mistake(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal, pytest.raises(KeyError):
        journal.finish("cells", "a", 1)


def test_an_interrupted_plan_adds_nothing(tmp_path: Path) -> None:
    def items() -> Iterator[tuple[str, int]]:
        yield "a", 1
        raise RuntimeError("interrupted")

    with Journal(tmp_path / "j") as journal:
        with pytest.raises(RuntimeError):
            journal.plan("cells", items())
        assert journal.pending("cells") == []


def test_a_file_that_is_no_journal_is_a_coded_error(tmp_path: Path) -> None:
    (tmp_path / "j").write_bytes(b"not a database at all" * 100)
    with pytest.raises(CannotJudgeError) as refused:
        Journal(tmp_path / "j")
    assert refused.value.code == "WSP043"


def test_what_a_killed_process_wrote_is_there(tmp_path: Path) -> None:
    import subprocess
    import sys

    code = (
        "import os, sys; from pathlib import Path; from authoring.system.journal import Journal\n"
        "j = Journal(Path(sys.argv[1])); j.put('s', 'k', 1); os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "j")], check=False, timeout=60)
    assert done.returncode == -9
    with Journal(tmp_path / "j") as journal:
        assert journal.get("s", "k") == 1
