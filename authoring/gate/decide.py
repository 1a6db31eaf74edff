"""Decide, from verdicts and a policy, whether a gate is open."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from authoring.gate.interval import clustered_interval
from authoring.model.configuration import Policy
from authoring.model.errors import CannotJudgeError, NothingJudgedError
from authoring.model.evidence import Verdict
from authoring.model.manifest import Claim, Decision

__all__ = ["Outcome", "Question", "decide"]


@dataclass(frozen=True, slots=True)
class Question:
    """What is being decided."""

    release: str
    manifest_sha256: str
    kind: Literal["repo", "agent"]
    subject: str
    """Commit id, ``package==version``, or a digest of an agent's answers."""
    claim: Claim
    """What an open gate allows to say."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one task of the release made of the candidate."""

    task: str
    group: str
    verdict: Verdict | None
    """None where the task was not judged."""
    failed: tuple[int, int]
    """How many checks and inputs failed, of how many."""
    flake_bound: float
    """Upper bound on the task's flake rate, from the release's evidence; 1 where there is none."""
    evidence: tuple[str, ...] = ()
    reason: str = ""
    """Why it was not judged, where it was not."""


def decide(question: Question, outcomes: Sequence[Outcome], policy: Policy) -> Decision:
    """Return the decision; its reasons name tasks, verdicts and counts, never a hidden input.

    Raise ``NothingJudgedError`` (GTE001) where no task was judged, ``CannotJudgeError`` (GTE002) where more
    verdicts than the policy allows were the grader's own fault.
    """
    judged = [each for each in outcomes if each.verdict is not None and each.verdict != "grader-fault"]
    faults = sum(each.verdict == "grader-fault" for each in outcomes)
    if faults > policy.max_grader_faults:
        raise CannotJudgeError(
            "GTE002",
            f"the grader failed on {faults} of {len(outcomes)} tasks, so {question.subject} cannot be judged",
            "Run `authoring doctor`, then the gate again.",
            stage="gate",
        )
    if not judged:
        raise NothingJudgedError(
            "GTE001",
            f"no task of the release {question.release} was judged for {question.subject}",
            "Give a release whose manifest holds tasks of a contract about it.",
            stage="gate",
        )
    passed = sum(each.verdict == "pass" for each in judged)
    reasons = [
        *_unjudged(outcomes),
        *_failures(judged),
        *_short(judged, passed, policy),
        *_flaky(judged, policy),
    ]
    interval = clustered_interval([(each.group, each.verdict == "pass") for each in judged], policy.level)
    if interval is not None and interval.low < policy.min_low:
        reasons.append(f"the interval's lower end {interval.low:.3f} is below {policy.min_low:g}")
    is_open = not (_is_short(judged, passed, policy) or _flaky(judged, policy) or _unjudged(outcomes))
    is_open = is_open and (interval is None or interval.low >= policy.min_low)
    return Decision(
        release=question.release,
        manifest_sha256=question.manifest_sha256,
        kind=question.kind,
        subject=question.subject,
        open=is_open,
        reasons=() if is_open else tuple(reasons),
        judged=len(judged),
        passed=passed,
        policy={name: float(value) for name, value in policy.model_dump().items()},
        interval=interval,
        claim=question.claim if is_open and passed == len(judged) else None,
        evidence=tuple(sorted({key for each in judged for key in each.evidence})),
    )


def _unjudged(outcomes: Sequence[Outcome]) -> list[str]:
    return [
        f"{each.task} was not judged: {each.reason or 'no answer'}"
        for each in outcomes
        if each.verdict is None
    ]


def _failures(judged: Sequence[Outcome]) -> list[str]:
    return [
        f"{each.task}: {each.verdict} ({each.failed[0]} of {each.failed[1]} checks and inputs fail)"
        for each in judged
        if each.verdict != "pass"
    ]


def _is_short(judged: Sequence[Outcome], passed: int, policy: Policy) -> bool:
    return bool(_short(judged, passed, policy))


def _short(judged: Sequence[Outcome], passed: int, policy: Policy) -> list[str]:
    groups = len({each.group for each in judged})
    found = []
    if passed / len(judged) < policy.min_pass_rate:
        found.append(
            f"{passed} of {len(judged)} tasks pass, and the policy asks for {policy.min_pass_rate:.0%}"
        )
    if len(judged) < policy.min_judged:
        found.append(f"{len(judged)} tasks were judged, and the policy asks for {policy.min_judged}")
    if groups < policy.min_groups:
        found.append(f"{groups} evaluation groups were judged, and the policy asks for {policy.min_groups}")
    return found


def _flaky(judged: Sequence[Outcome], policy: Policy) -> list[str]:
    return [
        f"{each.task}: the evidence bounds its flake rate by {each.flake_bound:.3f} only, and the policy "
        f"asks for"
        f" {policy.max_flake_rate:g}"
        for each in judged
        if each.flake_bound > policy.max_flake_rate
    ]
