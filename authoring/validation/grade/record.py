"""The evidence of one judgement, bound to digests of all that ran (DESIGN.md 5.5)."""

from collections.abc import Mapping

from authoring.execution import BoxRunner, as_root, driver_sha256, has_cgroup
from authoring.model.digest import keyed_digest, sha256_hex, value_digest
from authoring.model.evidence import (
    CheckVerdict,
    IsolationFacts,
    PerturbationFacts,
    Record,
    Result,
    SubjectFacts,
    Verdict,
)
from authoring.model.execution import How
from authoring.validation.grade.material import TaskMaterial

__all__ = ["make_record"]


def make_record(
    material: TaskMaterial,
    source: str,
    how: How,
    runner: BoxRunner,
    *,
    checks_sha256: str,
    verdict: Verdict,
    checks: Mapping[str, CheckVerdict],
    digests: Mapping[str, str],
    output: tuple[bytes, bytes, int],
    signals: tuple[str, ...],
    key: bytes | None,
) -> Record:
    """Return the record of a judgement.

    ``checks_sha256`` is the material's, which is too dear to be made for each judgement; ``digests`` are of what was
    observed, by case; ``output`` is kept stdout, kept stderr and exit status.
    """
    task = material.task
    subject = SubjectFacts(
        program=sha256_hex(source.encode("utf-8", "surrogatepass")),
        scenarios=sha256_hex(material.scenarios.encode()),
        checks=checks_sha256,
        driver=driver_sha256(),
        python=runner.interpreter(how).version,
        isolation=isolation_facts(how),
        limits=task.environment.limits,
        perturbation=PerturbationFacts(
            hash_seed=how.perturbation.hash_seed,
            tz=how.perturbation.tz,
            locale=how.perturbation.locale,
            order=how.perturbation.order,
        ),
    )
    result = Result(
        verdict=verdict,
        checks=tuple(sorted(checks.items())),
        observations_hmac="" if key is None else keyed_digest(key, "observations", task.id, dict(digests)),
        stdout_sha256=sha256_hex(output[0]),
        stderr_sha256=sha256_hex(output[1]),
        exit=output[2],
        signals=signals,
    )
    return Record(key=value_digest(subject.model_dump(mode="json")), subject=subject, result=result)


def isolation_facts(how: How) -> IsolationFacts:
    """Return which protections a run has; a box that cannot have them does not start."""
    return IsolationFacts(
        user=not as_root(),
        pid=True,
        net=True,
        ipc=True,
        uts=True,
        mount=True,
        seccomp=True,
        cgroup=has_cgroup(how),
    )
