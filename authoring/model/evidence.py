"""Evidence: what a run left, bound to digests of all that ran (DESIGN.md 5.5)."""

from typing import Literal

from authoring.model.document import Document, Part
from authoring.model.task import TaskLimits

__all__ = [
    "CheckVerdict",
    "IsolationFacts",
    "PerturbationFacts",
    "Record",
    "Result",
    "SubjectFacts",
    "Verdict",
]

Verdict = Literal["pass", "wrong", "error", "timeout", "resource", "integrity", "grader-fault"]
"""What a candidate got; ``grader-fault`` is ours and never counts against it."""

CheckVerdict = Literal["pass", "wrong", "error", "timeout", "resource", "unjudged"]


class IsolationFacts(Part):
    """Which protections held while it ran."""

    user: bool
    pid: bool
    net: bool
    ipc: bool
    uts: bool
    mount: bool
    seccomp: bool
    cgroup: bool


class PerturbationFacts(Part):
    """What was varied."""

    hash_seed: int
    tz: str
    locale: str
    order: int


class SubjectFacts(Part):
    """What ran, by digest; its canonical JSON's sha256 is the record's key."""

    program: str
    scenarios: str
    checks: str
    driver: str
    python: str
    """Full version, ``3.12.1``."""
    isolation: IsolationFacts
    limits: TaskLimits
    perturbation: PerturbationFacts


class Result(Part):
    """What came of it."""

    verdict: Verdict
    checks: tuple[tuple[str, CheckVerdict], ...]
    """Check ids and pool input ids (``pool:<scenario>:<index>``) with their verdicts, sorted by id."""
    observations_hmac: str
    stdout_sha256: str
    stderr_sha256: str
    exit: int
    signals: tuple[str, ...] = ()


class Record(Document):
    """One cell of evidence, append-only."""

    key: str
    """sha256 of the canonical subject, in hex."""
    subject: SubjectFacts
    result: Result
