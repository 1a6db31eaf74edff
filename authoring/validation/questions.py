"""What a subject is asked on a task: the public checks, the hidden ones, and the pools, in one list."""

from dataclasses import dataclass
from typing import Any

from authoring.model.contract import ScenarioSpec
from authoring.model.observation import Compare, Observation
from authoring.model.task import Check, Pool, pool_id
from authoring.model.wire import Wire
from authoring.variants.material import VariantTask

__all__ = ["Question", "questions_of"]


@dataclass(frozen=True, slots=True)
class Question:
    """One call of a scenario, with what is expected of it in the clear or as a keyed digest."""

    id: str
    """A check's id, or ``pool:<scenario>:<index>``."""
    function: str
    params: Wire
    doubles: tuple[tuple[str, tuple[Wire, ...]], ...]
    compare: Compare
    expect: tuple[Observation, ...] | None
    """None for an input of a pool."""
    digest: str = ""
    index: int = 0
    line_events: int | None = None

    def facts(self) -> list[Any]:
        """Return what the evidence binds: everything but names for people."""
        compare = self.compare.model_dump(mode="json")
        told = [self.id, self.function, self.params, self.doubles, compare, self.expect, self.digest]
        return told if self.line_events is None else [*told, self.line_events]


def questions_of(task: VariantTask, *, with_pool: bool = True, outer: bool = False) -> list[Question]:
    """Return a task's questions, public checks first.

    With ``outer`` (for packages) the outer part of checks of ``entry`` scenarios is asked; those that have
    none, and the pools of such scenarios, are left out, since a package has no inner frame to call.
    """
    specs = {spec.id: spec for spec in task.contract.scenarios}
    questions = [
        question
        for check in (*task.public.checks, *task.hidden.checks)
        if (question := _of_check(check, specs, outer)) is not None
    ]
    for pool in task.hidden.pools if with_pool else ():
        if not outer or specs[pool.scenario].level != "entry":
            questions += _of_pool(pool, specs[pool.scenario])
    return questions


def _of_check(check: Check, specs: dict[str, ScenarioSpec], outer: bool) -> Question | None:
    spec = specs[check.scenario]
    doubles = tuple(sorted(check.doubles.items()))
    if not outer or spec.level != "entry":
        return Question(
            check.id,
            spec.function,
            check.params,
            doubles,
            spec.compare,
            check.expect,
            line_events=check.line_events,
        )
    if check.outer is None:
        return None
    other = specs[check.outer.scenario]
    return Question(check.id, other.function, check.outer.params, doubles, other.compare, check.outer.expect)


def _of_pool(pool: Pool, spec: ScenarioSpec) -> list[Question]:
    pairs = zip(pool.inputs, pool.expect_hmac, strict=True)
    return [
        Question(pool_id(pool.scenario, index), spec.function, params, (), spec.compare, None, digest, index)
        for index, (params, digest) in enumerate(pairs)
    ]
