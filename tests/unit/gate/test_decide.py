"""When a gate is open."""

import pytest

from authoring.gate.decide import Outcome, Question, decide
from authoring.gate.interval import clustered_interval
from authoring.model.configuration import Policy
from authoring.model.errors import CannotJudgeError, ExitCode, NothingJudgedError
from authoring.model.evidence import Verdict

QUESTION = Question("v1", "m" * 64, "agent", "s" * 64, "held-out robust")


def outcome(task: str, verdict: Verdict | None, group: str = "g", flake_bound: float = 0.139) -> Outcome:
    failed = (0, 20) if verdict == "pass" else (3, 20)
    return Outcome(task, group, verdict, failed, flake_bound, ("e" + task,))


def test_all_passes_open_the_gate_and_allow_the_claim() -> None:
    decision = decide(QUESTION, [outcome("a/h1", "pass"), outcome("a/h2", "pass")], Policy())
    assert decision.open
    assert decision.claim == "held-out robust"
    assert decision.reasons == ()
    assert decision.evidence == ("ea/h1", "ea/h2")


@pytest.mark.parametrize("verdict", ["wrong", "error", "timeout", "resource", "integrity"])
def test_one_failure_closes_the_gate_by_default(verdict: Verdict) -> None:
    decision = decide(QUESTION, [outcome("a/h1", "pass"), outcome("a/h2", verdict)], Policy())
    assert not decision.open
    assert decision.claim is None
    assert decision.reasons[0] == f"a/h2: {verdict} (3 of 20 checks and inputs fail)"


def test_nothing_judged_is_never_open() -> None:
    for outcomes in ([], [outcome("a/h1", None)]):
        with pytest.raises(NothingJudgedError) as caught:
            decide(QUESTION, outcomes, Policy())
        assert caught.value.exit_code is ExitCode.NOTHING_JUDGED


def test_a_fault_of_the_grader_counts_against_nobody_and_nothing_is_decided() -> None:
    with pytest.raises(CannotJudgeError):
        decide(QUESTION, [outcome("a/h1", "pass"), outcome("a/h2", "grader-fault")], Policy())


def test_a_task_without_an_answer_closes_the_gate_even_below_full_marks() -> None:
    policy = Policy(min_pass_rate=0.5)
    decision = decide(QUESTION, [outcome("a/h1", "pass"), outcome("a/h2", None)], policy)
    assert not decision.open
    assert "a/h2 was not judged" in decision.reasons[0]


def test_missing_evidence_closes_the_gate() -> None:
    decision = decide(QUESTION, [outcome("a/h1", "pass", flake_bound=1.0)], Policy())
    assert not decision.open
    assert "flake rate" in decision.reasons[0]


def test_a_policy_may_ask_for_less_than_all_but_then_nothing_is_claimed() -> None:
    outcomes = [outcome("a/h1", "pass"), outcome("b/h1", "wrong", "other")]
    decision = decide(QUESTION, outcomes, Policy(min_pass_rate=0.5))
    assert decision.open
    assert decision.claim is None


@pytest.mark.parametrize(
    "policy",
    [Policy(min_judged=2), Policy(min_groups=2), Policy(min_low=0.5)],
    ids=["tasks", "groups", "interval"],
)
def test_too_little_that_was_judged_closes_the_gate(policy: Policy) -> None:
    assert not decide(QUESTION, [outcome("a/h1", "pass")], policy).open


def test_a_group_counts_once_however_many_tasks_it_has() -> None:
    one = clustered_interval([("g", True)] * 10, 0.95)
    ten = clustered_interval([(f"g{n}", True) for n in range(10)], 0.95)
    assert one is not None
    assert ten is not None
    assert (one.clusters, ten.clusters) == (1, 10)
    assert one.low < 0.03
    assert ten.low > 0.6
    assert one.high == ten.high == 1


def test_an_interval_holds_the_rate() -> None:
    mixed = clustered_interval([("a", True), ("a", False), ("b", True), ("c", False)], 0.9)
    assert mixed is not None
    assert mixed.low < mixed.rate == 0.5 < mixed.high
    assert clustered_interval([], 0.95) is None
