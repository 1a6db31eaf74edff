"""The two passes over a candidate: all cases in one process, then a sample in processes of their own (R18, R19)."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from authoring.execution import Run
from authoring.model.evidence import CheckVerdict
from authoring.model.execution import Died, How, Observed, Outcome, Request
from authoring.model.observation import Observation
from authoring.validation.grade.cases import Case
from authoring.validation.grade.judge import judge

__all__ = ["Tally", "first_pass", "second_pass"]

LEAST_CALLS = 40
SAMPLE = 5
_DEATHS = 3

Ask = Callable[[Sequence[tuple[int, Request]], int], Run]
"""Runs numbered requests in one process under a hash seed."""


@dataclass(slots=True)
class Tally:
    """What is known of a candidate so far."""

    raises: tuple[str, ...]
    verdicts: dict[str, CheckVerdict] = field(default_factory=dict)
    observations: dict[str, tuple[Observation, ...]] = field(default_factory=dict)
    signals: set[str] = field(default_factory=set)
    reruns: list[tuple[str, CheckVerdict, CheckVerdict]] = field(default_factory=list)
    """Case, first verdict and verdict when run again alone."""
    stopped: bool = False
    """Whether a hang or an excess was confirmed, so that nothing further is run."""
    stdout: list[bytes] = field(default_factory=list)
    stderr: list[bytes] = field(default_factory=list)
    exit: int = 0
    boxes: int = 0

    def note_run(self, run: Run) -> None:
        """Keep what a process left."""
        self.boxes += 1
        self.stdout.append(run.stdout)
        self.stderr.append(run.stderr)
        self.exit = run.exit

    def judge(self, case: Case, outcome: Outcome) -> CheckVerdict:
        """Return the verdict of one answer and keep its signal."""
        verdict, signal = judge(case, outcome, self.raises)
        if signal is not None:
            self.signals.add(signal)
        return verdict

    def settle(self, case: Case, verdict: CheckVerdict, outcome: Outcome) -> None:
        """Record an answer; a case that was answered before keeps the worse verdict, and must be answered alike."""
        seen = outcome.observations if isinstance(outcome, Observed) else ()
        before = self.verdicts.get(case.id)
        if before == "pass" and verdict == "wrong":
            self.signals.add("unstable")
        if before in (None, "pass"):
            self.verdicts[case.id] = verdict
            self.observations[case.id] = seen


def first_pass(ask: Ask, cases: Sequence[Case], tally: Tally, rng: random.Random) -> None:
    """Ask every case in shuffled order in one process, again and again until there are enough calls.

    A process that ends is replaced, three times at most; a hang or an excess is run again once, alone, and ends the
    candidate when it is confirmed.
    """
    queue = list(enumerate(_plan(cases, rng)))
    deaths = 0
    retried_import = False
    while queue and not tally.stopped and deaths < _DEATHS:
        run = ask([(number, case.request) for number, case in queue], 0)
        tally.note_run(run)
        if run.failure is not None and _is_import(run):
            verdict = _settle_all(queue, run, tally)
            if verdict in ("timeout", "resource") and not retried_import:
                retried_import = True
                tally.verdicts.clear()
                continue
            tally.reruns += [(queue[0][1].id, verdict, verdict)] if retried_import else []
            tally.stopped = True
            return
        queue = _settle_run(ask, queue, run, tally)
        deaths += run.failure is not None


def _plan(cases: Sequence[Case], rng: random.Random) -> list[Case]:
    plan: list[Case] = []
    while cases and (not plan or len(plan) < LEAST_CALLS):
        plan += rng.sample(cases, len(cases))
    return plan


def _is_import(run: Run) -> bool:
    outcome = run.failure.outcome if run.failure else None
    return isinstance(outcome, Died) and (
        outcome.reason.startswith("import: ") or outcome.reason == "missing names"
    )


def _settle_all(queue: list[tuple[int, Case]], run: Run, tally: Tally) -> CheckVerdict:
    for number, case in queue:
        verdict = tally.judge(case, run.outcomes[number])
        tally.settle(case, verdict, run.outcomes[number])
    return verdict


def _settle_run(ask: Ask, queue: list[tuple[int, Case]], run: Run, tally: Tally) -> list[tuple[int, Case]]:
    """Record the answers of a process and return what it did not reach."""
    for number, case in queue:
        if number not in run.outcomes or tally.stopped:
            continue
        outcome = run.outcomes[number]
        verdict = tally.judge(case, outcome)
        if verdict in ("timeout", "resource"):
            verdict, outcome = _again(ask, number, case, verdict, tally)
        tally.settle(case, verdict, outcome)
    return [(number, case) for number, case in queue if number not in run.outcomes]


def _again(
    ask: Ask, number: int, case: Case, first: CheckVerdict, tally: Tally
) -> tuple[CheckVerdict, Outcome]:
    """Run a case that took too long or too much again, alone; the same verdict once more ends the candidate."""
    run = ask([(number, case.request)], 0)
    tally.note_run(run)
    outcome = run.outcomes[number]
    verdict = tally.judge(case, outcome)
    tally.reruns.append((case.id, first, verdict))
    tally.stopped = verdict in ("timeout", "resource")
    return verdict, outcome


def second_pass(ask: Ask, cases: Sequence[Case], tally: Tally, rng: random.Random) -> None:
    """Ask a sample of the cases in a process each, under another hash seed; answers must be those of the first pass."""
    for case in rng.sample(cases, min(SAMPLE, len(cases))):
        seed = rng.randrange(1, 1 << 32)
        run = ask([(0, case.request)], seed)
        tally.note_run(run)
        outcome = run.outcomes[0]
        verdict = tally.judge(case, outcome)
        if verdict in ("timeout", "resource"):
            verdict, outcome = _again(ask, 0, case, verdict, tally)
        tally.settle(case, verdict, outcome)
        if tally.stopped:
            return


def with_seed(how: How, seed: int) -> How:
    """Return how to run under a hash seed of its own."""
    return replace(how, perturbation=replace(how.perturbation, hash_seed=seed)) if seed else how
