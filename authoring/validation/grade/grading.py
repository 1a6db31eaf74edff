"""The verdict of one candidate: integrity, two passes, and the evidence of both."""

import random
import re
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from authoring.execution import BoxRunner, Run
from authoring.model.errors import CannotJudgeError
from authoring.model.evidence import CheckVerdict, Record, Verdict
from authoring.model.execution import How, Limits, Perturbation, Program
from authoring.validation.grade.cases import Case, cases_of
from authoring.validation.grade.integrity import violations
from authoring.validation.grade.judge import SUSPICIOUS
from authoring.validation.grade.material import TaskMaterial
from authoring.validation.grade.passes import Answer, Ask, Tally, answer, first_pass, second_pass, with_seed
from authoring.validation.grade.record import make_record
from authoring.validation.grade.submission import Submission

__all__ = ["Graded", "Grader", "Measure", "Options"]

_CALL_TIMES = 20.0
_RUN_FLOOR_S = 5.0
_FRAMEWORK = re.compile(
    r"^[ \t]*(?:import|from)[ \t]+(?:_?pytest|unittest|hypothesis|doctest|nose)\b", re.MULTILINE
)
_FORGED = re.compile(rb'"verdict"|"passed"|[0-9]+ passed|<testsuite')


@dataclass(frozen=True, slots=True)
class Options:
    """How a program is judged."""

    fresh: bool = True
    """A fresh box, always, for what comes from outside; the warm server for our own programs."""
    perturbation: Perturbation = field(default_factory=Perturbation)
    python: str = ""
    """Another interpreter than the task's."""
    seed: int | None = None
    """Seed of the order and of the sample; drawn in secret where it is None."""
    sample: bool = True
    """Whether the second pass is made."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What was measured; in no digest."""

    wall_s: float
    boxes: int
    seed: int
    """The secret seed, told after the verdict."""
    call_s: float
    """The deadline of a call that was really used."""
    reruns: tuple[tuple[str, CheckVerdict, CheckVerdict], ...] = ()


@dataclass(frozen=True, slots=True)
class Graded:
    """The verdict of one candidate, with all that led to it."""

    verdict: Verdict
    checks: dict[str, CheckVerdict]
    """By case id, sorted."""
    rules: dict[str, bool]
    """Whether every check of a rule passed, by rule, sorted."""
    counts: dict[str, dict[str, int]]
    """By tier: how many cases there are and how many passed."""
    signals: tuple[str, ...]
    suspected_cheat: bool
    reasons: tuple[str, ...]
    """Why the integrity gate refused the candidate."""
    record: Record
    measure: Measure


class Grader:
    """Judges candidates of one task; the reference's times are measured once, just before the first."""

    def __init__(self, runner: BoxRunner, material: TaskMaterial, key: bytes | None = None) -> None:
        self._runner = runner
        self.material = material
        self._key = key
        self.cases = cases_of(material, key)
        self._checks_sha256 = material.checks_sha256
        self._limits: dict[str, Limits] = {}
        if not self.cases:
            raise CannotJudgeError("VAL104", f"The task {material.task.id!a} has no check.")

    def grade(self, submission: Submission, options: Options | None = None) -> Graded:
        """Judge a submission from outside."""
        options = options or Options()
        task = self.material.task
        reasons = violations(submission, task.editable, self.material.pristine)
        if reasons:
            return self._refused(submission, reasons, options)
        source = submission.files.get(task.program, self.material.pristine[task.program])
        return self.judge(source.decode("utf-8"), options)

    def judge(self, source: str, options: Options | None = None) -> Graded:
        """Judge a program's text that needs no integrity gate."""
        options = options or Options()
        began = time.monotonic()
        seed = secrets.randbits(64) if options.seed is None else options.seed
        rng = random.Random(seed)
        limits = self._limits_for(options)
        how = self._how(options, limits)
        tally = Tally()
        ask = self._ask(source, how)
        first_pass(ask, self.cases, tally, rng)
        if options.sample and all(tally.verdicts.get(case.id) == "pass" for case in self.cases):
            second_pass(ask, self.cases, tally, rng)
        measure = Measure(time.monotonic() - began, tally.boxes, seed, limits.call_s, tuple(tally.reruns))
        return self._graded(source, tally, options, measure)

    def _how(self, options: Options, limits: Limits) -> How:
        python = options.python or self.material.task.environment.python
        return How(
            limits=limits,
            python=python,
            dependencies=self.material.dependencies,
            fresh=options.fresh,
            planted=options.fresh,
            perturbation=options.perturbation,
        )

    def _ask(self, source: str, how: How) -> Ask:
        subject = Program(source, self.material.module, self.material.scenarios, self.material.types)

        raises = self.material.task.raises

        def ask(cases: Sequence[tuple[int, Case]], hash_seed: int) -> Run[Answer]:
            numbered = dict(cases)
            requests = [(number, case.request) for number, case in cases]
            return self._runner.run(
                subject,
                requests,
                with_seed(how, hash_seed),
                lambda number, outcome: answer(numbered[number], outcome, raises),
            )

        return ask

    def _limits_for(self, options: Options) -> Limits:
        """Return the limits, with deadlines scaled by the reference's times in a box of its own on this machine."""
        declared = self.material.task.environment.limits
        limits = Limits(
            import_s=declared.import_s,
            call_s=declared.call_s,
            cpu_s=declared.cpu_s,
            memory_bytes=declared.memory_bytes,
            processes=declared.processes,
        )
        if self.material.reference is None:
            return limits
        known = self._limits.get(options.python)
        if known is None:
            known = self._limits[options.python] = self._measured(self.material.reference, limits, options)
        return known

    def _measured(self, reference: str, limits: Limits, options: Options) -> Limits:
        how = self._how(Options(python=options.python), limits)
        run = self._ask(reference, how)(list(enumerate(self.cases)), 0)
        failing = [case.id for at, case in enumerate(self.cases) if _verdict(run, at) != "pass"]
        if failing:
            raise CannotJudgeError(
                "VAL105",
                f"The reference of {self.material.task.id!a} does not pass its own check {failing[0]!a} here.",
                "Run `authoring doctor`, then `authoring validate` for this task.",
            )
        call_s = max(limits.call_s, _CALL_TIMES * run.longest_s)
        run_s = max(_RUN_FLOOR_S, _CALL_TIMES * run.total_s)
        return replace(limits, call_s=call_s, run_s=run_s)

    def _graded(self, source: str, tally: Tally, options: Options, measure: Measure) -> Graded:
        checks: dict[str, CheckVerdict] = {
            case.id: tally.verdicts.get(case.id, "unjudged")
            for case in sorted(self.cases, key=lambda one: one.id)
        }
        verdict = _overall(list(checks.values()))
        counts = _counts(self.cases, checks)
        signals = set(tally.signals)
        if verdict != "pass" and _split(counts):
            signals.add("public-pass-hidden-fail")
        if _FORGED.search(b"\n".join(tally.stdout)):
            signals.add("report-like-output")
        if _FRAMEWORK.search(source):
            signals.add("test-framework")
        shown = tuple(sorted(signals))
        record = make_record(
            self.material,
            source,
            self._how(options, self._limits_for(options)),
            self._runner,
            checks_sha256=self._checks_sha256,
            verdict=verdict,
            checks=checks,
            digests=tally.digests,
            output=(b"".join(tally.stdout), b"".join(tally.stderr), tally.exit),
            signals=shown,
            key=self._key,
        )
        suspected = bool(signals & SUSPICIOUS)
        rules = _rules(self.cases, checks)
        return Graded(verdict, checks, rules, counts, shown, suspected, (), record, measure)

    def _refused(self, submission: Submission, reasons: list[str], options: Options) -> Graded:
        checks: dict[str, CheckVerdict] = {
            case.id: "unjudged" for case in sorted(self.cases, key=lambda one: one.id)
        }
        record = make_record(
            self.material,
            submission.sha256,
            self._how(options, Limits()),
            self._runner,
            checks_sha256=self._checks_sha256,
            verdict="integrity",
            checks=checks,
            digests={},
            output=(b"", b"", 0),
            signals=("integrity",),
            key=self._key,
        )
        return Graded(
            "integrity",
            checks,
            _rules(self.cases, checks),
            _counts(self.cases, checks),
            ("integrity",),
            True,
            tuple(reasons),
            record,
            Measure(0.0, 0, 0, 0.0),
        )


def _verdict(run: Run[Answer], at: int) -> CheckVerdict:
    given = run.outcomes.get(at)
    return "unjudged" if given is None else given.verdict


_WORST_FIRST: tuple[CheckVerdict, ...] = ("timeout", "resource", "error", "wrong")


def _overall(verdicts: Sequence[CheckVerdict]) -> Verdict:
    """Return ``pass`` where every case passed, else the gravest verdict; a case without answer is an error (R20)."""
    for verdict in _WORST_FIRST:
        if verdict in verdicts and verdict != "unjudged":
            return verdict
    return "pass" if all(verdict == "pass" for verdict in verdicts) else "error"


def _counts(cases: Sequence[Case], checks: dict[str, CheckVerdict]) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for case in cases:
        tier = counts.setdefault(case.tier, {"cases": 0, "passed": 0})
        tier["cases"] += 1
        tier["passed"] += checks[case.id] == "pass"
    return counts


def _split(counts: dict[str, dict[str, int]]) -> bool:
    public = counts.get("public")
    return bool(public) and public is not None and public["cases"] == public["passed"] and len(counts) > 1


def _rules(cases: Sequence[Case], checks: dict[str, CheckVerdict]) -> dict[str, bool]:
    rules: dict[str, bool] = {}
    for case in cases:
        for rule in case.rules:
            rules[rule] = rules.get(rule, True) and checks[case.id] == "pass"
    return dict(sorted(rules.items()))
