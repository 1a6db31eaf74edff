"""The oracle runs only what may run, asks nothing twice, and never forgets a refusal."""

from collections.abc import Sequence

import pytest

from authoring.model.errors import RefusedError
from authoring.model.execution import Died, How, Observed, Outcome, Refused, Request, Subject
from authoring.model.variants import VersionName
from authoring.reduction.align import merge
from authoring.reduction.merged import MergedLine, MergedProgram
from authoring.reduction.oracle import Budget, BudgetSpentError, Oracle, Subjects
from tests.memory_runner import MemoryRunner
from tests.unit.reduction.sample import CALL, answers, oracle, requests

ONE = "def f(x):\n    y = x + 1\n    return y\n"


def test_a_candidate_that_answers_alike_is_kept_and_another_is_not() -> None:
    judge = oracle({"reference": ONE}, requests(1, 2))
    assert judge.ask(merge({"reference": "def f(x):\n    return x + 1\n"}))
    assert not judge.ask(merge({"reference": "def f(x):\n    return 2\n"}))
    assert judge.trials == 2


def test_a_new_undefined_or_unassigned_name_or_syntax_error_never_runs() -> None:
    judge = oracle({"reference": ONE}, requests(1))
    runs = judge.runs
    for text in (
        "def f(x):\n    return y\n",
        "def f(x):\n    if x:\n        y = 2\n    return y\n",
        "def f(x):\n",
    ):
        assert not judge.ask(merge({"reference": text}) if text.count("\n") > 1 else _broken(text))
    assert (judge.runs, judge.trials) == (runs, 0)
    assert dict(judge.refusals) == {"undefined": 1, "unassigned": 1, "syntax": 1}


def _broken(text: str) -> MergedProgram:
    return MergedProgram((MergedLine(text.strip(), frozenset(("reference",))),), ("reference",))


def test_an_old_undefined_name_is_not_held_against_a_candidate() -> None:
    text = "def f(x):\n    if x is None:\n        return basestring\n    return x\n"
    judge = oracle({"reference": text}, requests(1))
    judge.admit(merge({"reference": text}))
    assert judge.ask(merge({"reference": text + "g = 1\n"}))


EITHER = "def f(x):\n    if x:\n        return 1\n    raise ValueError\n"
MIXED = "def f(x):\n    if x:\n        return 1\n"


def test_a_function_that_newly_returns_a_value_on_some_paths_only_never_runs() -> None:
    judge = oracle({"reference": EITHER}, requests(1))
    judge.admit(merge({"reference": EITHER}))
    runs = judge.runs
    assert not judge.ask(merge({"reference": MIXED}))
    assert (judge.runs, judge.trials, dict(judge.refusals)) == (runs, 0, {"mixed": 1})


def test_a_function_that_returned_so_before_may_go_on_to_in_every_version() -> None:
    texts: dict[VersionName, str] = {"broken": EITHER, "reference": f"{MIXED}y = 1\n"}
    judge = oracle(texts, requests(1))
    judge.admit(merge(texts))
    assert judge.ask(merge({"broken": MIXED, "reference": MIXED}))


def test_the_same_text_is_run_once() -> None:
    judge = oracle({"reference": ONE}, requests(1))
    program = merge({"reference": "def f(x):\n    return x + 1\n"})
    assert judge.ask(program) and judge.ask(program)
    assert (judge.trials, judge.cache_hits) == (1, 1)


def test_an_unchanged_version_is_not_run_again() -> None:
    judge = oracle({"broken": ONE, "reference": ONE}, requests(1))
    judge.ask(merge({"broken": ONE, "reference": ONE}))
    runs = judge.runs
    judge.ask(merge({"broken": "def f(x):\n    return x + 1\n", "reference": ONE}))
    assert judge.runs == runs + 1


def test_a_request_that_joins_is_asked_of_kept_texts_and_refused_ones_stay_refused() -> None:
    judge = oracle({"reference": ONE}, requests(1))
    two, wrong = (
        merge({"reference": "def f(x):\n    return 2\n"}),
        merge({"reference": "def f(x):\n    return 3\n"}),
    )
    assert judge.ask(two) and not judge.ask(wrong)
    more = requests(5)
    judge.add(more, answers({"reference": ONE}, more))
    runs = judge.runs
    assert not judge.ask(wrong) and judge.runs == runs
    assert not judge.ask(two) and judge.runs == runs + 1


def test_the_requests_that_told_most_candidates_apart_run_first() -> None:
    runner = _Recorder()
    asked = requests(*range(9))
    judge = Oracle(runner, How(), Subjects("program", CALL), asked, answers({"reference": ONE}, asked))
    judge.ask(merge({"reference": "def f(x):\n    return x + 1 if x != 7 else 0\n"}))
    runner.groups.clear()
    assert not judge.ask(merge({"reference": "def f(x):\n    return x + 1 if x != 7 else 1\n"}))
    assert len(runner.groups) == 1 and runner.groups[0][0] == asked[7]


class _Recorder(MemoryRunner):
    def __init__(self) -> None:
        super().__init__()
        self.groups: list[list[Request]] = []

    def observe(self, subject: Subject, requests: Sequence[Request], how: How) -> list[Outcome]:
        self.groups.append(list(requests))
        return super().observe(subject, requests, how)


def test_a_spent_budget_ends_the_asking() -> None:
    judge = oracle({"reference": ONE}, requests(1), budget=Budget(trials=1))
    judge.ask(merge({"reference": "def f(x):\n    return 2\n"}))
    with pytest.raises(BudgetSpentError):
        judge.ask(merge({"reference": "def f(x):\n    return 3\n"}))


def test_a_kept_store_answers_instead_of_the_runner() -> None:
    store: dict[str, str] = {}
    program = merge({"reference": "def f(x):\n    return 2\n"})
    first = oracle({"reference": ONE}, requests(1, 2), store=store)
    second = oracle({"reference": ONE}, requests(1, 2), store=store)
    assert first.ask(program) == second.ask(program)
    assert (first.trials, second.trials) == (1, 1)
    assert (first.runs, second.runs) == (1, 0)


def test_a_kept_store_leaves_only_new_requests_to_ask_and_knows_who_failed_before() -> None:
    store: dict[str, str] = {}
    same = merge({"reference": "def f(x):\n    return x + 1 if x < 3 else 0\n"})
    other = merge({"reference": "def f(x):\n    return 7\n"})
    first = oracle({"reference": ONE}, requests(1, 2), store=store)
    assert (first.ask(same), first.ask(other)) == (True, False)
    more = oracle({"reference": ONE}, requests(2, 1, 5), store=store)
    more.runner = recorder = _Recorder()
    assert (more.ask(other), recorder.groups) == (False, [])
    assert (more.ask(same), recorder.groups) == (False, [requests(5)])


def test_a_flat_program_that_answers_otherwise_than_its_release_is_refused() -> None:
    judge = oracle({"reference": ONE}, requests(1))
    with pytest.raises(RefusedError) as caught:
        judge.admit(merge({"reference": "def f(x):\n    return 0\n"}))
    assert caught.value.code == "RED050"
    assert "call" in caught.value.proof


@pytest.mark.parametrize("outcome", [Refused("EXE000", "no wire form"), Died("import: ImportError")])
def test_what_cannot_be_observed_is_refused(outcome: Refused | Died) -> None:
    with pytest.raises(RefusedError) as caught:
        Oracle(MemoryRunner(), How(), Subjects("program", CALL), requests(1), {"reference": [outcome]})
    assert caught.value.code == "RED052"


def test_a_fresh_process_that_answers_otherwise_is_told() -> None:
    text = "def f(x):\n    return x\n"
    judge = Oracle(
        _Cold(), How(), Subjects("program", CALL), requests(1), answers({"reference": text}, requests(1))
    )
    assert judge.cold_failure(merge({"reference": text})) == ("reference", 0)


class _Cold(MemoryRunner):
    def observe(self, subject: Subject, requests: Sequence[Request], how: How) -> list[Outcome]:
        if how.fresh:
            return [Observed(()) for _ in requests]
        return super().observe(subject, requests, how)


def test_a_process_that_died_is_asked_again_by_the_next_run() -> None:
    store: dict[str, str] = {}
    expected = answers({"reference": ONE}, requests(1))
    for runner, failed in ((_Dying(), 0), (MemoryRunner(), None)):
        judge = Oracle(runner, How(), Subjects("program", CALL), requests(1), expected, store=store)
        assert judge.failure("reference", ONE) == failed


class _Dying(MemoryRunner):
    """A runner whose processes die, as they do where a run is interrupted."""

    def observe(self, subject: Subject, requests: Sequence[Request], how: How) -> list[Outcome]:
        return [Died("the process ended") for _ in requests]


def test_a_budget_of_cpu_ends_the_work_and_says_so() -> None:
    spent = iter(range(0, 1000, 10))
    judge = oracle({"reference": ONE}, requests(1), budget=Budget(cpu_s=15), cpu_s=lambda: next(spent))
    asked = 0
    with pytest.raises(BudgetSpentError):
        while True:
            judge.ask(merge({"reference": f"def f(x):\n    return x + 1 + {asked} - {asked}\n"}))
            asked += 1
    assert 1 <= asked <= 17  # it is looked at every few trials
    assert judge.ended() == "cpu_s"


def test_a_budget_of_trials_says_that_it_ended() -> None:
    judge = oracle({"reference": ONE}, requests(1), budget=Budget(trials=0))
    assert judge.ended() == "trials"
    assert oracle({"reference": ONE}, requests(1)).ended() == ""
