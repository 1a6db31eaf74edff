"""Put together what validation needs of a machine: boxes, interpreters, evidence on disk."""

from dataclasses import dataclass
from pathlib import Path

from authoring.execution import BoxRunner, driver_sha256, find_interpreter
from authoring.model.execution import How
from authoring.validation.folder import EvidenceFolder
from authoring.validation.grade.record import isolation_facts
from authoring.validation.judge import Judge
from authoring.validation.outside import GradeService

__all__ = ["Laboratory", "make_laboratory"]


@dataclass(frozen=True, slots=True)
class Laboratory:
    """The judge of our own programs and the service that judges strangers'."""

    judge: Judge
    outside: GradeService


def make_laboratory(runner: BoxRunner, how: How, key: bytes, evidence: Path, run_checks: str) -> Laboratory:
    """Return the laboratory; ``evidence`` is the workspace's folder, ``how.python`` the task's Python."""
    folder = EvidenceFolder(evidence)
    judge = Judge(
        runner=runner,
        how=how,
        key=key,
        evidence=folder,
        driver_sha256=driver_sha256(),
        isolation=isolation_facts(how),
        full_version=lambda python: find_interpreter(python or how.python).version,
    )
    return Laboratory(judge, GradeService(runner, key, folder, run_checks, how.dependencies))
