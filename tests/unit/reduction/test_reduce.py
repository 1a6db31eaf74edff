"""Reduction keeps every answer, grows with counterexamples, and stops where it is told to."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from authoring.model.errors import RefusedError
from authoring.model.execution import Died, How, Hung, ObservedTypes, Outcome, Program, Request, Subject
from authoring.model.variants import VersionName
from authoring.reduction.align import merge
from authoring.reduction.oracle import Budget, UnfaithfulError
from authoring.reduction.passes import PHASES
from authoring.reduction.reduce import Counterexample, SoFar, Way, reduce
from tests.memory_runner import MemoryRunner
from tests.unit.reduction.sample import CALL, answers, reduced, requests

BROKEN = """import os
import re
LIMIT = 10
UNUSED = [1, 2, 3]
def scale(x, y=2, debug=None):
    if not isinstance(x, int):
        raise TypeError("no")
    if debug:
        print(debug)
    return x * y
def other():
    return UNUSED
class Shape:
    def __init__(self, size, name=None):
        self.size = size
        self.name = name
        self.log = []
    def area(self):
        self.log.append("area")
        try:
            value = scale(self.size, 2)
        except TypeError:
            value = -1
        if value > LIMIT:
            value = LIMIT
        return value
def f(x):
    return Shape(x, name="x").area()
"""
FIXED = (
    BROKEN.replace("value > LIMIT", "value >= LIMIT")
    .replace("value = LIMIT", "value = 0")
    .replace('"area")', '"a")')
)
PAIR: dict[VersionName, str] = {"broken": BROKEN, "reference": FIXED}
ASKED = requests(0, 1, 4, 5, 6, 100)


def test_the_reduced_programs_answer_as_the_first_ones() -> None:
    result = reduced(PAIR, ASKED)
    assert answers(result.programs, ASKED) == answers(PAIR, ASKED)
    assert result.complete and result.merged.programs() == result.programs
    assert max(result.sizes.values()) <= 60
    assert sum(phase.trials for phase in result.phases) == result.trials


def test_names_stay_and_the_difference_is_the_fault() -> None:
    result = reduced(PAIR, ASKED)
    assert "value > LIMIT" in result.programs["broken"] or "> 10" in result.programs["broken"]
    differing = [line.text.strip() for line in result.merged.lines if len(line.versions) == 1]
    assert len(differing) == 4


def test_a_counterexample_joins_the_requests_and_what_it_refutes_is_undone() -> None:
    wanted = requests("text")

    def search(programs: Mapping[VersionName, str]) -> Request | None:
        return wanted[0] if answers(programs, wanted) != answers(PAIR, wanted) else None

    without, found = reduced(PAIR, ASKED), reduced(PAIR, ASKED, search=search)
    assert answers(without.programs, wanted) != answers(PAIR, wanted)
    assert answers(found.programs, [*ASKED, *wanted]) == answers(PAIR, [*ASKED, *wanted])
    assert wanted[0] in found.requests
    assert sum(phase.counterexamples for phase in found.phases) >= 1


@pytest.mark.parametrize("trials", [0, 1, 7, 30])
def test_a_budget_gives_the_best_so_far(trials: int) -> None:
    result = reduced(PAIR, ASKED, budget=Budget(trials=trials))
    assert not result.complete and result.trials <= trials
    assert answers(result.programs, ASKED) == answers(PAIR, ASKED)


def test_more_budget_never_gives_a_bigger_program() -> None:
    sizes = [reduced(PAIR, ASKED, budget=Budget(trials=trials)).nodes for trials in (0, 10, 20, 40, 200)]
    assert sizes == sorted(sizes, reverse=True)


def test_a_run_with_kept_verdicts_runs_no_candidate_again() -> None:
    store: dict[str, str] = {}
    half = reduced(PAIR, ASKED, store=store, budget=Budget(trials=25))
    whole = reduced(PAIR, ASKED, store=store)
    again = reduced(PAIR, ASKED, store=store)
    assert not half.complete
    assert whole.programs == again.programs == reduced(PAIR, ASKED).programs
    assert again.trials == whole.trials
    assert again.runs < whole.runs / 3


def test_accepted_states_are_told() -> None:
    states: list[int] = []
    result = reduced(PAIR, ASKED, on_state=lambda told: states.append(told.program.nodes()))
    assert states and states[-1] == result.nodes
    assert states == sorted(states, reverse=True)


def test_a_state_that_is_told_gives_every_answer_and_its_phase_is_named() -> None:
    told: list[SoFar] = []
    result = reduced(PAIR, ASKED, on_state=told.append)
    assert all(answers(each.program.programs(), ASKED) == answers(PAIR, ASKED) for each in told)
    assert [each.phase for each in told if each.is_end] == [phase.name for phase in result.phases]
    assert (told[-1].trials, told[-1].phases) == (result.trials, result.phases)


def test_a_spent_budget_of_cpu_gives_the_best_so_far() -> None:
    result = reduced(PAIR, ASKED, budget=Budget(cpu_s=0.0))
    assert (result.complete, result.ended, result.trials) == (False, "cpu_s", 0)
    assert answers(result.programs, ASKED) == answers(PAIR, ASKED)
    assert reduced(PAIR, ASKED).ended == ""


def test_the_result_does_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    script = (
        "from tests.unit.reduction import test_reduce as t\n"
        "from tests.unit.reduction.sample import reduced\n"
        "r = reduced(t.PAIR, t.ASKED)\n"
        "print(r.programs, r.trials, r.refusals, r.merged)\n"
    )
    outputs = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)}
        done = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
        )
        outputs.add(
            done.stdout.replace("frozenset({'reference', 'broken'})", "frozenset({'broken', 'reference'})")
        )
    assert len(outputs) == 1


def test_a_wrong_flat_program_is_refused_with_its_proof() -> None:
    expected = answers({"reference": "def f(x):\n    return 1\n"}, ASKED)
    flat: dict[VersionName, str] = {"reference": "def f(x):\n    return 2\n"}
    with pytest.raises(RefusedError) as caught:
        reduce(flat, ASKED, expected, MemoryRunner(), How(), ObservedTypes(), CALL, ["f"])
    assert caught.value.code == "RED050"


def test_hangs_are_outcomes_like_others() -> None:
    text = "def f(x):\n    y = 1\n    while x:\n        y += 1\n    return y + g()\ndef g():\n    return 0\n"
    asked = requests(0, 1)
    result = reduced({"broken": text, "reference": text.replace("while", "if")}, asked)
    assert "while x:" in result.programs["broken"]
    assert "def g" not in result.programs["broken"]


def test_what_one_version_alone_needs_is_not_left_unused_in_another() -> None:
    one = "import json\nimport re\ndef f(x):\n    y = re.sub('a', 'b', x)\n    return x\n"
    two = one.replace("return x", "return json.dumps(y)")
    result = reduced({"broken": one, "reference": two}, requests("a", "b"))
    for text in result.programs.values():
        done = subprocess.run(
            [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F", "-"],
            input=text,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
    assert result.merged.programs() == result.programs


def test_a_counterexample_that_the_flat_program_itself_fails_is_a_refusal_that_carries_it() -> None:
    wanted = requests("text")[0]
    with pytest.raises(UnfaithfulError) as caught:
        reduced(
            PAIR,
            ASKED,
            search=lambda programs: Counterexample(wanted, {"broken": Hung(), "reference": Hung()}),
        )
    assert caught.value.request == wanted
    with pytest.raises(UnfaithfulError):
        reduced(PAIR, ASKED, search=lambda programs: wanted)


def test_a_glance_is_taken_after_a_few_edits_and_undoes_what_it_refutes() -> None:
    wanted = requests("text")
    unused = "".join(f"def unused_{at}(x):\n    return x\n" for at in range(30))
    long: dict[VersionName, str] = {version: unused + text for version, text in PAIR.items()}
    states: list[int] = []

    def glance(programs: Mapping[VersionName, str]) -> Request | None:
        states.append(len(programs["reference"]))
        return wanted[0] if answers(programs, wanted) != answers(long, wanted) else None

    found = reduced(long, ASKED, glance=glance)
    assert states and max(states) > len(found.programs["reference"])
    assert wanted[0] in found.requests and answers(found.programs, wanted) == answers(long, wanted)


def test_with_more_requests_it_goes_on_where_an_earlier_one_still_holds() -> None:
    few = requests(0, 1, 4)
    earlier = reduced(PAIR, few)
    told = [milestone.phases for milestone in earlier.way.milestones]
    assert told == sorted(told) and told[-1] == len(PHASES)
    again = reduced(PAIR, few, earlier=earlier.way)
    assert again.programs == earlier.programs and again.trials < earlier.trials / 3

    scratch = reduced(PAIR, ASKED)
    resumed = reduced(PAIR, ASKED, earlier=earlier.way)
    assert answers(earlier.programs, ASKED) != answers(PAIR, ASKED)
    assert answers(resumed.programs, ASKED) == answers(PAIR, ASKED)
    assert resumed.trials < scratch.trials
    assert resumed.nodes <= scratch.nodes * 1.2


def test_what_an_earlier_way_lost_is_mended_whatever_it_was() -> None:
    first = reduced(PAIR, ASKED).way.milestones[0]
    lost = [replace(first, program=merge(dict.fromkeys(PAIR, "def f(x):\n    return 0\n"))) for _ in range(3)]
    begun = reduced(PAIR, ASKED, earlier=Way((first, *lost)))
    assert answers(begun.programs, ASKED) == answers(PAIR, ASKED)


def test_it_goes_on_from_the_way_of_texts_that_lacked_something() -> None:
    lacking: dict[VersionName, str] = {
        version: text.replace(
            "        except TypeError:\n            value = -1\n", "        finally:\n            pass\n"
        )
        for version, text in PAIR.items()
    }
    earlier = reduced(lacking, ASKED)
    asked = [*ASKED, *requests("text")]
    scratch, resumed = reduced(PAIR, asked), reduced(PAIR, asked, earlier=earlier.way)
    assert answers(resumed.programs, asked) == answers(PAIR, asked)
    assert resumed.trials < scratch.trials and resumed.nodes <= scratch.nodes * 1.2


def test_what_is_new_in_the_texts_is_reduced_even_where_the_end_of_the_way_holds_with_it() -> None:
    more: dict[VersionName, str] = {
        version: text + "".join(f"def further_{at}(x):\n    return [x, {at}]\n" for at in range(40))
        for version, text in PAIR.items()
    }
    scratch, resumed = reduced(more, ASKED), reduced(more, ASKED, earlier=reduced(PAIR, ASKED).way)
    assert resumed.nodes <= scratch.nodes * 1.2
    assert resumed.trials < scratch.trials


def test_the_end_of_an_earlier_way_is_attacked_too() -> None:
    wanted = requests("text")

    def search(programs: Mapping[VersionName, str]) -> Request | None:
        return wanted[0] if answers(programs, wanted) != answers(PAIR, wanted) else None

    found = reduced(PAIR, ASKED, earlier=reduced(PAIR, ASKED).way, search=search)
    assert wanted[0] in found.requests and answers(found.programs, wanted) == answers(PAIR, wanted)


def test_what_came_after_a_step_that_is_undone_stays() -> None:
    """The search finds its input at the end only, when the branch went long ago."""
    wanted = requests("text")
    unused = "".join(f"def unused_{at}(x):\n    return x\n" for at in range(30))
    long: dict[VersionName, str] = {version: unused + text for version, text in PAIR.items()}
    asked: list[int] = []

    def search(programs: Mapping[VersionName, str]) -> Request | None:
        if "class" in programs["broken"] and "self.log" in programs["broken"]:
            return None
        asked.append(1)
        return wanted[0] if answers(programs, wanted) != answers(long, wanted) else None

    found, knowing = reduced(long, ASKED, search=search), reduced(long, [*ASKED, *wanted])
    assert asked and answers(found.programs, wanted) == answers(long, wanted)
    assert found.nodes <= knowing.nodes * 1.2
    assert found.trials < knowing.trials * 1.5


def with_later_boundary(broken: str) -> dict[VersionName, str]:
    """Return a program that is off by one at 4, and its repair."""
    return {"broken": broken, "reference": broken.replace("x > 3", "x > 4")}


def test_a_member_goes_whose_only_use_went_after_it_was_tried() -> None:
    """Nothing near the method changed since: only the last look finds it."""
    broken = (
        "class Item:\n    def __init__(self, n):\n        self.n = n\n    def cancel(self):\n        pass\n"
        "def stop(item):\n    return item.cancel() or item.n\n"
        "def f(x):\n    return stop(Item(x)) - (x > 3)\n"
    )
    pair = with_later_boundary(broken)
    result = reduced(pair, requests(0, 2, 4, 9))
    assert "cancel" not in result.programs["broken"]


def test_what_the_last_look_took_is_tried_again_by_a_reduction_that_goes_on_from_before_it() -> None:
    broken = (
        "class Item:\n    def __init__(self, n):\n        self.n = n\n        self.flag = 0\n"
        "def stop(item):\n    v = item.n\n    if v > 99:\n        v = v + item.flag * 0\n    return v + item.flag\n"
        "def f(x):\n    item = Item(x)\n    return stop(item) - (x > 3), item.n\n"
    )
    pair = with_later_boundary(broken)
    result = reduced(pair, requests(0, 2, 4, 9))
    before = tuple(one for one in result.way.milestones if one.phases < len(PHASES) - 1)
    again = reduced(pair, requests(0, 2, 4, 9), earlier=Way(before, result.way.refused))
    assert "flag" in before[-1].program.project("broken") and "flag" not in result.programs["broken"]
    assert again.programs == result.programs


class _NeedsStart(MemoryRunner):
    """A runner in whose fresh processes a program works only if it calls ``start``."""

    def observe(self, subject: Subject, requests: Sequence[Request], how: How) -> list[Outcome]:
        if how.fresh and isinstance(subject, Program) and "start(" not in subject.source:
            return [Died("import: AttributeError") for _ in requests]
        return super().observe(subject, requests, how)


def test_what_only_fresh_processes_miss_is_undone_alone() -> None:
    start = "def start():\n    global STARTED\n    STARTED = 1\nSTARTED = 0\nstart()\n"
    flats: dict[VersionName, str] = {version: start + text for version, text in PAIR.items()}
    plain, cold = reduced(PAIR, ASKED), reduced(flats, ASKED, runner=_NeedsStart())
    assert "start(" in cold.programs["broken"] and "start(" in cold.programs["reference"]
    assert cold.nodes <= plain.nodes + 20
