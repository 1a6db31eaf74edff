"""The best programs so far lie beside their contract, and never in the place of finished ones."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from authoring.execution import BoxRunner
from authoring.model.configuration import Configuration
from authoring.model.errors import UsageError
from authoring.model.progress import SilentProgress
from authoring.model.reduction import ReductionReport
from authoring.model.variants import VersionName
from authoring.reduction.align import merge
from authoring.reduction.reduce import PhaseReport, SoFar
from authoring.system.journal import Journal
from authoring.system.workspace import Workspace
from authoring.taskrepo.stages.best import best_of, forget_best
from authoring.taskrepo.stages.generated import write_generated
from authoring.taskrepo.stages.reduction_file import of_done, phase_cpu_s, read_reduction
from authoring.taskrepo.stages.work import Work

ID = "some"
PHASE = PhaseReport("statements", 40, 4, 12, 5, 1, 3.25)


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Work]:
    workspace = Workspace(tmp_path)
    workspace.path("contracts", ID).mkdir(parents=True)
    with Journal(tmp_path / "journal.sqlite") as journal, BoxRunner(tmp_path / "driver") as runner:
        yield Work(workspace, Configuration(), runner, SilentProgress(), journal)


def state(lines: int) -> SoFar:
    text = "def f(x):\n" + "    x = x + 1\n" * lines + "    return x\n"
    both: Mapping[VersionName, str] = {"broken": text, "reference": text.replace("return x", "return x + 1")}
    return SoFar(merge(both), "nodes", False, (PHASE,), 20, 3, 7, {"observation": 4}, 9)


def program(work: Work, version: str = "broken") -> str:
    return work.workspace.path("contracts", ID, "program", f"{version}.py").read_text()


def report(work: Work) -> ReductionReport:
    return read_reduction(work.workspace.path("contracts", ID, "reduction.json"))


def test_a_state_is_written_where_it_is_a_tenth_smaller_or_a_phase_ends(work: Work) -> None:
    with best_of(work, ID) as best:
        best.tell(state(30))
        assert program(work).count("x + 1") == 30
        best.tell(state(29))
        assert program(work).count("x + 1") == 30
        best.tell(state(20))
        assert program(work).count("x + 1") == 20
        best.tell(replace(state(19), is_end=True))
        assert program(work).count("x + 1") == 19
    assert program(work, "reference").endswith("return x + 1\n")


def test_what_is_under_way_says_so(work: Work) -> None:
    with best_of(work, ID) as best:
        best.tell(state(30))
    found = report(work)
    assert (found.complete, found.ended, found.phase, found.trials) == (False, "cut-off", "nodes", 20)
    assert [phase.name for phase in found.phases] == ["statements"]


@pytest.mark.parametrize("kind", [KeyboardInterrupt, type("Terminated", (KeyboardInterrupt,), {})])
def test_an_interrupted_run_leaves_the_last_state(work: Work, kind: type[KeyboardInterrupt]) -> None:
    with pytest.raises(kind), best_of(work, ID) as best:
        best.tell(state(30))
        best.tell(state(29))
        raise kind
    assert program(work).count("x + 1") == 29


def finished(complete: bool, ended: str) -> ReductionReport:
    raw = {
        "complete": complete,
        "ended": ended,
        "cache_hits": 1,
        "accepted": 2,
        "requests": 3,
        "dropped_requests": 0,
        "refusals": {"observation": 4},
        "cuts": {"nodes": 30},
        "third_party": [],
        "phases": [
            {"name": name, "nodes": 40, "differing": 4, "trials": 12, "kept": 5, "counterexamples": 1}
            | {"cpu_s": 1.5}
            for name in ("nodes", "again: nodes")
        ],
    }
    assert phase_cpu_s(raw) == {"nodes": 3.0}
    sizes: dict[VersionName, dict[str, int]] = {
        "broken": {"executed_in_functions": 9, "executed": 10, "reduced": 5}
    }
    return of_done(sizes, 24, raw)


@pytest.mark.parametrize("ended", ["", "trials"])
def test_finished_programs_stay(work: Work, ended: str) -> None:
    write_generated(work, f"contracts/{ID}/program/broken.py", "done = 1\n")
    done = finished(not ended, ended).to_json().decode()
    write_generated(work, f"contracts/{ID}/reduction.json", done)
    with best_of(work, ID) as best:
        best.tell(state(30))
    forget_best(work, ID)
    assert program(work) == "done = 1\n"
    assert report(work).ended == ended


def test_programs_of_unknown_make_stay(work: Work) -> None:
    write_generated(work, f"contracts/{ID}/program/broken.py", "done = 1\n")
    with best_of(work, ID) as best:
        best.tell(state(30))
    assert program(work) == "done = 1\n"


def test_a_refused_reduction_leaves_nothing(work: Work) -> None:
    with best_of(work, ID) as best:
        best.tell(state(30))
    forget_best(work, ID)
    assert not list(work.workspace.path("contracts", ID).iterdir())


def test_seconds_are_in_no_document(work: Work) -> None:
    assert b"cpu" not in finished(True, "").to_json()
    with best_of(work, ID) as best:
        best.tell(state(30))
    assert b"cpu" not in work.workspace.path("contracts", ID, "reduction.json").read_bytes()


def test_a_file_that_is_no_report_is_refused_with_its_code(tmp_path: Path) -> None:
    (tmp_path / "reduction.json").write_text('{"nodes": "many"}')
    with pytest.raises(UsageError) as refused:
        read_reduction(tmp_path / "reduction.json")
    assert refused.value.code == "RED071"
