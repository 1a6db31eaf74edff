"""Judge a program the way candidates from outside are judged: in fresh boxes, by the grade service."""

from pathlib import Path
from typing import Protocol

from authoring.execution import BoxRunner, driver_sha256
from authoring.model.digest import keyed_digest, sha256_hex
from authoring.model.evidence import PerturbationFacts, Record, SubjectFacts
from authoring.model.execution import How
from authoring.validation.grade import Grader, Options, Submission, TaskMaterial
from authoring.validation.grade.record import isolation_facts
from authoring.validation.judge import Evidence, key_of
from authoring.variants.folder import task_document, task_files
from authoring.variants.material import VariantTask

__all__ = ["GradeService", "Outside", "material_of"]


class Outside(Protocol):
    """Something that judges a program as it judges a stranger's."""

    def judge(self, task: VariantTask, source: str) -> Record:
        """Return the record of a program on a task."""


class GradeService:
    """The grade service over variants that are not on disk yet; a record that exists is not made again."""

    def __init__(
        self,
        runner: BoxRunner,
        key: bytes,
        evidence: Evidence,
        run_checks: str,
        dependencies: tuple[Path, ...] = (),
    ) -> None:
        self._runner = runner
        self._key = key
        self._evidence = evidence
        self._run_checks = run_checks
        self._dependencies = dependencies
        self._known: tuple[VariantTask, Grader] | None = None

    def judge(self, task: VariantTask, source: str) -> Record:
        """Return the record of a program that is handed in as the task's program file."""
        grader = self._grader(task)
        known = self._evidence.find(key_of(self._expected(grader.material, source)))
        if known is not None:
            return known
        program = grader.material.task.program
        seed = int(keyed_digest(self._key, "order", task.id, sha256_hex(source.encode()))[:16], 16)
        graded = grader.grade(Submission({program: source.encode()}), Options(fresh=True, seed=seed))
        if self._evidence.find(graded.record.key) is None:
            self._evidence.add(graded.record)
        return graded.record

    def _grader(self, task: VariantTask) -> Grader:
        """Return the grader of a task; the last one is kept, since its deadlines were measured already."""
        if self._known is None or self._known[0] is not task:
            material = material_of(task, self._run_checks, self._dependencies)
            self._known = task, Grader(self._runner, material, self._key)
        return self._known[1]

    def _expected(self, material: TaskMaterial, source: str) -> SubjectFacts:
        """Return the subject that the record will have."""
        how = How(python=material.task.environment.python, fresh=True)
        return SubjectFacts(
            program=sha256_hex(source.encode()),
            scenarios=sha256_hex(material.scenarios.encode()),
            checks=material.checks_sha256,
            driver=driver_sha256(),
            python=self._runner.interpreter(how).version,
            isolation=isolation_facts(how),
            limits=material.task.environment.limits,
            perturbation=PerturbationFacts(
                hash_seed=how.perturbation.hash_seed,
                tz=how.perturbation.tz,
                locale=how.perturbation.locale,
                order=how.perturbation.order,
            ),
        )


def material_of(task: VariantTask, run_checks: str, dependencies: tuple[Path, ...] = ()) -> TaskMaterial:
    """Return a variant as the grade service takes it."""
    return TaskMaterial(
        task=task_document(task, run_checks),
        pristine=task_files(task, run_checks),
        scenarios=task.scenarios,
        public=task.public,
        hidden=task.hidden,
        reference=task.reference,
        dependencies=dependencies,
    )
