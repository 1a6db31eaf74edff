"""Run our own programs on a task's checks and pools and keep what came of it as evidence.

Programs of ours go through the warm server; candidates from outside go through ``validation.grade`` in boxes
of their own.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from authoring.model.digest import keyed_digest, sha256_hex, value_digest
from authoring.model.evidence import (
    CheckVerdict,
    IsolationFacts,
    PerturbationFacts,
    Record,
    Result,
    SubjectFacts,
)
from authoring.model.execution import (
    How,
    Observed,
    Outcome,
    Package,
    Perturbation,
    Program,
    Request,
    Runner,
    Subject,
)
from authoring.model.observation import Observation, observations_digest
from authoring.model.task import TaskLimits
from authoring.validation.questions import Question, questions_of
from authoring.validation.verdicts import check_verdict, overall, pool_verdict
from authoring.variants.material import VariantTask, observed_types

__all__ = ["Evidence", "Judge", "Judged", "key_of"]


class Evidence(Protocol):
    """Where records are kept, append-only."""

    def find(self, key: str) -> Record | None:
        """Return the record of a key, or None."""

    def add(self, record: Record) -> None:
        """Keep a record."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A subject to be judged on a task, and how."""

    task: VariantTask
    subject: Subject
    subject_sha256: str
    """Digest of the program's text or of the package's tree."""
    python: str = ""
    perturbation: Perturbation = field(default_factory=Perturbation)
    with_pool: bool = True


class Known:
    """Answers that repeats ask for again: the questions of a task, and digests of observations."""

    def __init__(self) -> None:
        self._questions: dict[tuple[str, bool, bool], tuple[VariantTask, list[Question], str]] = {}
        self._digests: dict[tuple[str, ...], str] = {}

    def questions(self, asked: Judged) -> tuple[list[Question], str]:
        """Return what is asked and its digest."""
        outer = isinstance(asked.subject, Package)
        place = (asked.task.id, asked.with_pool, outer)
        found = self._questions.get(place)
        if found is None or found[0] is not asked.task:
            questions = questions_of(asked.task, with_pool=asked.with_pool, outer=outer)
            digest = value_digest([question.facts() for question in questions])
            found = self._questions[place] = asked.task, questions, digest
        return found[1], found[2]

    def digest(self, make: Callable[[list[Any]], str], rows: list[Any], *place: str) -> str:
        """Return the digest of rows, made once for the same rows at the same place."""
        key = (*place, json.dumps(rows, sort_keys=True))
        if key not in self._digests:
            self._digests[key] = make(rows)
        return self._digests[key]


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges subjects; a record that exists is not made again."""

    runner: Runner
    how: How
    key: bytes
    evidence: Evidence
    driver_sha256: str
    isolation: IsolationFacts
    full_version: Callable[[str], str]
    """Returns the full version of an interpreter such as ``3.12``."""
    limits: TaskLimits = field(default_factory=TaskLimits)
    """As task.json declares them; those that really held are no evidence."""
    known: Known = field(default_factory=Known)
    """What was worked out before and is the same in every repeat."""

    def judge(self, asked: Judged) -> Record:
        """Return the record of a subject on a task, running it only where there is none."""
        questions, checks = self.known.questions(asked)
        facts = self._facts(asked, checks)
        key = key_of(facts)
        known = self.evidence.find(key)
        if known is not None:
            return known
        record = Record(key=key, subject=facts, result=self._result(asked, questions))
        self.evidence.add(record)
        return record

    def _facts(self, asked: Judged, checks: str) -> SubjectFacts:
        return SubjectFacts(
            program=asked.subject_sha256,
            scenarios=sha256_hex(asked.subject.scenarios.encode()),
            checks=checks,
            driver=self.driver_sha256,
            python=self.full_version(asked.python),
            isolation=self.isolation,
            limits=self.limits,
            perturbation=PerturbationFacts(
                hash_seed=asked.perturbation.hash_seed,
                tz=asked.perturbation.tz,
                locale=asked.perturbation.locale,
                order=asked.perturbation.order,
            ),
        )

    def _result(self, asked: Judged, questions: Sequence[Question]) -> Result:
        how = replace(self.how, python=asked.python or self.how.python, perturbation=asked.perturbation)
        requests = [Request(each.function, each.params, each.doubles, each.line_events) for each in questions]
        outcomes = self.runner.observe(asked.subject, requests, how)
        verdicts = [self._verdict(asked, *pair) for pair in zip(questions, outcomes, strict=True)]
        seen = [
            [question.id, _observations(outcome)]
            for question, outcome in zip(questions, outcomes, strict=True)
        ]
        checks = sorted(zip((question.id for question in questions), verdicts, strict=True))
        return Result(
            verdict=overall(verdicts),
            checks=tuple(checks),
            observations_hmac=self.known.digest(
                lambda rows: keyed_digest(self.key, "observations", asked.task.id, rows),
                sorted(seen, key=lambda row: str(row[0])),
                asked.task.id,
            ),
            stdout_sha256=sha256_hex(b""),
            stderr_sha256=sha256_hex(b""),
            exit=0,
        )

    def _verdict(self, asked: Judged, question: Question, outcome: Outcome) -> CheckVerdict:
        if question.expect is not None:
            return check_verdict(outcome, question.expect, question.compare)
        return pool_verdict(outcome, question.digest, lambda seen: self._pool_digest(asked, question, seen))

    def _pool_digest(self, asked: Judged, question: Question, seen: Sequence[Observation]) -> str:
        def make(observations: list[Observation]) -> str:
            return observations_digest(
                self.key, "pool", observations, question.compare, asked.task.id, question.index
            )

        return self.known.digest(make, list(seen), asked.task.id, question.id)


def _observations(outcome: Outcome) -> list[Observation] | str:
    return list(outcome.observations) if isinstance(outcome, Observed) else type(outcome).__name__


def key_of(facts: SubjectFacts) -> str:
    """Return the key of a record: sha256 of the canonical subject."""
    return value_digest(facts.model_dump(mode="json"))


def program_of(task: VariantTask, source: str) -> Program:
    """Return a program under a task's names."""
    return Program(source, "program", task.scenarios, observed_types(task.contract))
