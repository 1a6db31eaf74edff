"""The two passes over a candidate: all cases in one process, then a sample in processes of their own (R18, R19)."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from authoring.execution import Run
from authoring.model.digest import sha256_hex
from authoring.model.evidence import CheckVerdict
from authoring.model.execution import Died, How, Observed, Outcome
from authoring.model.wire import sort_key
from authoring.validation.grade.cases import Case
from authoring.validation.grade.judge import judge

__all__ = ["Tally", "first_pass", "second_pass"]

LEAST_CALLS = 40
SAMPLE = 5
_DEATHS = 3
_EXHAUSTED = ("run-late", "replies-size")


@dataclass(frozen=True, slots=True)
class Answer:
    """What is kept of one answer."""

    verdict: CheckVerdict
    signal: str | None
    digest: str
    """Of the observations; they themselves are not kept, since they may be large."""


Ask = Callable[[Sequence[tuple[int, Case]], int], Run[Answer]]
"""Asks numbered cases in one process under a hash seed."""


def answer(case: Case, outcome: Outcome, raises: tuple[str, ...]) -> Answer:
    """Judge an outcome and keep what is needed of it."""
    verdict, signal = judge(case, outcome, raises)
    seen = list(outcome.observations) if isinstance(outcome, Observed) else []
    return Answer(verdict, signal, sha256_hex(sort_key(seen).encode("utf-8", "surrogatepass")))


@dataclass(slots=True)
class Tally:
    """What is known of a candidate so far."""

    verdicts: dict[str, CheckVerdict] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    """Of what was observed, by case; the observations themselves are not kept, since they may be large."""
    signals: set[str] = field(default_factory=set)
    reruns: list[tuple[str, CheckVerdict, CheckVerdict]] = field(default_factory=list)
    """Case, first verdict and verdict when run again alone."""
    stopped: bool = False
    """Whether a hang or an excess was confirmed, so that nothing further is run."""
    stdout: list[bytes] = field(default_factory=list)
    stderr: list[bytes] = field(default_factory=list)
    exit: int = 0
    boxes: int = 0

    def note_run(self, run: Run[Answer]) -> None:
        """Keep what a process left."""
        self.boxes += 1
        self.stdout.append(run.stdout)
        self.stderr.append(run.stderr)
        self.exit = run.exit
        if run.touched:
            self.signals.add("planted-file-opened")

    def settle(self, case: Case, given: Answer) -> None:
        """Record an answer; a case that was answered before keeps the worse verdict, and must be answered alike."""
        if given.signal is not None:
            self.signals.add(given.signal)
        before = self.verdicts.get(case.id)
        if before == "pass" and given.verdict == "wrong":
            self.signals.add("unstable")
        if before in (None, "pass"):
            self.verdicts[case.id] = given.verdict
            self.digests[case.id] = given.digest


def first_pass(ask: Ask, cases: Sequence[Case], tally: Tally, rng: random.Random) -> None:
    """Ask every case in shuffled order in one process, again and again until there are enough calls.

    A process that ends is replaced, three times at most; a hang or an excess is run again once, alone, and ends the
    candidate when it is confirmed.
    """
    queue = list(enumerate(_plan(cases, rng)))
    deaths = exhausted = 0
    retried_import = False
    while queue and not tally.stopped and deaths < _DEATHS:
        run = ask(queue, 0)
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
        if run.failure is not None and run.failure.reason in _EXHAUSTED:
            exhausted += 1
            queue = _settle_exhausted(queue, run, tally, final=exhausted > 1)
            continue
        queue = _settle_run(ask, queue, run, tally)
        deaths += run.failure is not None


def _plan(cases: Sequence[Case], rng: random.Random) -> list[Case]:
    plan: list[Case] = []
    while cases and (not plan or len(plan) < LEAST_CALLS):
        plan += rng.sample(cases, len(cases))
    return plan


def _is_import(run: Run[Answer]) -> bool:
    outcome = run.failure.outcome if run.failure else None
    return isinstance(outcome, Died) and (
        outcome.reason.startswith("import: ") or outcome.reason == "missing names"
    )


def _settle_all(queue: list[tuple[int, Case]], run: Run[Answer], tally: Tally) -> CheckVerdict:
    for number, case in queue:
        tally.settle(case, run.outcomes[number])
    return run.outcomes[queue[0][0]].verdict


def _settle_run(
    ask: Ask, queue: list[tuple[int, Case]], run: Run[Answer], tally: Tally
) -> list[tuple[int, Case]]:
    """Record the answers of a process and return what it did not reach."""
    for number, case in queue:
        if number not in run.outcomes or tally.stopped:
            continue
        given = run.outcomes[number]
        if given.verdict in ("timeout", "resource"):
            given = _again(ask, case, given, tally)
        tally.settle(case, given)
    return [(number, case) for number, case in queue if number not in run.outcomes]


def _settle_exhausted(
    queue: list[tuple[int, Case]], run: Run[Answer], tally: Tally, *, final: bool
) -> list[tuple[int, Case]]:
    """Record the answers of a process whose calls together took too long or said too much, and return the rest.

    The case that was in flight is asked again in the next process; the second time that this happens it is final.
    """
    last = max(run.outcomes)
    for number, case in queue:
        if number in run.outcomes and (number != last or final):
            tally.settle(case, run.outcomes[number])
    tally.stopped = final
    in_flight = [pair for pair in queue if pair[0] == last]
    tally.reruns += [(case.id, "timeout", "timeout") for _, case in in_flight] if final else []
    return in_flight + [pair for pair in queue if pair[0] not in run.outcomes]


def _again(ask: Ask, case: Case, first: Answer, tally: Tally) -> Answer:
    """Ask a case that took too long or too much again, alone; the same verdict once more ends the candidate."""
    run = ask([(0, case)], 0)
    tally.note_run(run)
    given = run.outcomes[0]
    tally.reruns.append((case.id, first.verdict, given.verdict))
    tally.stopped = given.verdict in ("timeout", "resource")
    return given


def second_pass(ask: Ask, cases: Sequence[Case], tally: Tally, rng: random.Random) -> None:
    """Ask a sample of the cases in a process each, under another hash seed; the first pass must be confirmed."""
    for case in rng.sample(cases, min(SAMPLE, len(cases))):
        run = ask([(0, case)], rng.randrange(1, 1 << 32))
        tally.note_run(run)
        given = run.outcomes[0]
        if given.verdict in ("timeout", "resource"):
            given = _again(ask, case, given, tally)
        tally.settle(case, given)
        if tally.stopped:
            return


def with_seed(how: How, seed: int) -> How:
    """Return how to run under a hash seed of its own."""
    return replace(how, perturbation=replace(how.perturbation, hash_seed=seed)) if seed else how
