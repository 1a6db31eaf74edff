"""The cases of a task: public checks, hidden checks and pool inputs, all asked in the same way (R16)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from authoring.model.execution import Request
from authoring.model.observation import Compare, Observation, equal, observations_digest
from authoring.model.task import Check
from authoring.validation.grade.material import TaskMaterial

__all__ = ["Case", "cases_of"]


@dataclass(frozen=True, slots=True)
class Case:
    """One question with what answers it: observations, or their keyed digest."""

    id: str
    tier: Literal["public", "hidden", "pool"]
    rules: tuple[str, ...]
    request: Request
    compare: Compare
    expect: tuple[Observation, ...] | None
    digest: tuple[bytes, str, int, str] | None = None
    """Key, task id, index and expected keyed digest, of a pool input."""

    def is_met_by(self, observations: Sequence[Observation]) -> bool:
        """Return whether observations are what this case expects."""
        if self.expect is not None:
            return equal(observations, self.expect, self.compare)
        if self.digest is None:
            return False
        key, task, index, expected = self.digest
        return observations_digest(key, "pool", observations, self.compare, task, index) == expected


def cases_of(material: TaskMaterial, key: bytes | None) -> list[Case]:
    """Return every case in the order of the files; pools only where there is a key to judge them."""
    cases = [_check_case(material, check, "public") for check in material.public.checks]
    if material.hidden is None:
        return cases
    cases += [_check_case(material, check, "hidden") for check in material.hidden.checks]
    for pool in material.hidden.pools if key is not None else ():
        spec = material.spec(pool.scenario)
        for index, (params, expected) in enumerate(zip(pool.inputs, pool.expect_hmac, strict=True)):
            digest = (key or b"", material.task.id, index, expected)
            request = Request(spec.function, params)
            cases.append(
                Case(f"pool:{pool.scenario}:{index}", "pool", (), request, spec.compare, None, digest)
            )
    return cases


def _check_case(material: TaskMaterial, check: Check, tier: Literal["public", "hidden"]) -> Case:
    spec = material.spec(check.scenario)
    doubles = tuple(sorted((name, tuple(answers)) for name, answers in check.doubles.items()))
    request = Request(spec.function, check.params, doubles, check.line_events)
    return Case(check.id, tier, check.rules, request, spec.compare, check.expect)
