"""Run our own programs on a task's checks and pools and keep what came of it as evidence.

Programs of ours go through the warm server; candidates from outside go through ``validation.grade`` in boxes
of their own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

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
from authoring.model.observation import Observation
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

    def judge(self, asked: Judged) -> Record:
        """Return the record of a subject on a task, running it only where there is none."""
        questions = questions_of(
            asked.task, with_pool=asked.with_pool, outer=isinstance(asked.subject, Package)
        )
        facts = self._facts(asked, questions)
        key = key_of(facts)
        known = self.evidence.find(key)
        if known is not None:
            return known
        record = Record(key=key, subject=facts, result=self._result(asked, questions))
        self.evidence.add(record)
        return record

    def _facts(self, asked: Judged, questions: Sequence[Question]) -> SubjectFacts:
        limits = self.how.limits
        return SubjectFacts(
            program=asked.subject_sha256,
            scenarios=sha256_hex(asked.subject.scenarios.encode()),
            checks=value_digest([question.facts() for question in questions]),
            driver=self.driver_sha256,
            python=self.full_version(asked.python),
            isolation=self.isolation,
            limits=TaskLimits(
                import_s=limits.import_s,
                call_s=limits.call_s,
                cpu_s=limits.cpu_s,
                memory_bytes=limits.memory_bytes,
                processes=limits.processes,
            ),
            perturbation=PerturbationFacts(
                hash_seed=asked.perturbation.hash_seed,
                tz=asked.perturbation.tz,
                locale=asked.perturbation.locale,
                order=asked.perturbation.order,
            ),
        )

    def _result(self, asked: Judged, questions: Sequence[Question]) -> Result:
        how = replace(self.how, python=asked.python or self.how.python, perturbation=asked.perturbation)
        requests = [Request(each.function, each.params, each.doubles) for each in questions]
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
            observations_hmac=keyed_digest(
                self.key, "observations", asked.task.id, sorted(seen, key=lambda row: str(row[0]))
            ),
            stdout_sha256=sha256_hex(b""),
            stderr_sha256=sha256_hex(b""),
            exit=0,
        )

    def _verdict(self, asked: Judged, question: Question, outcome: Outcome) -> CheckVerdict:
        if question.expect is not None:
            return check_verdict(outcome, question.expect, question.compare)
        return pool_verdict(
            outcome, question.digest, question.compare, key=self.key, task=asked.task.id, index=question.index
        )


def _observations(outcome: Outcome) -> list[Observation] | str:
    return list(outcome.observations) if isinstance(outcome, Observed) else type(outcome).__name__


def key_of(facts: SubjectFacts) -> str:
    """Return the key of a record: sha256 of the canonical subject."""
    return value_digest(facts.model_dump(mode="json"))


def program_of(task: VariantTask, source: str) -> Program:
    """Return a program under a task's names."""
    return Program(source, "program", task.scenarios, observed_types(task.contract))
