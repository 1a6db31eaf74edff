"""Where programs are tried on inputs: what the reference says, what lies outside the domain, who fails what."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from authoring.model.execution import (
    How,
    Observed,
    ObservedTypes,
    Outcome,
    Perturbation,
    Program,
    Request,
    Runner,
)
from authoring.model.observation import Compare, Observation, equal
from authoring.scenario.inputs import Input, Observer, is_same

__all__ = ["CALL_CPU_S", "Bench", "Expected", "raised_by"]

CALL_CPU_S = 0.1
"""A call that takes more CPU than this has hung."""

Expected = Mapping[str, tuple[Observation, ...]]
"""By the key of the input: what the reference observed."""

_ELSEWHERE = Perturbation(hash_seed=4242, tz="Pacific/Chatham", locale="C.UTF-8", order=7)


@dataclass(slots=True)
class Bench:
    """Runs programs of one contract on inputs."""

    runner: Runner
    how: How
    scenarios: str
    types: ObservedTypes
    compares: Mapping[str, Compare]
    module: str
    observer: Observer = field(init=False)

    def __post_init__(self) -> None:
        if self.how.limits.call_cpu_s is None:
            self.how = replace(self.how, limits=replace(self.how.limits, call_cpu_s=CALL_CPU_S))
        self.observer = Observer(self.runner, self.how)

    def program(self, source: str) -> Program:
        """Return the subject of a source."""
        return Program(source, self.module, self.scenarios, self.types)

    def outcomes(self, source: str, inputs: Sequence[Input]) -> list[Outcome]:
        """Return what a program does on each input."""
        return self.observer.outcomes(self.program(source), inputs)

    def expected(self, source: str, inputs: Sequence[Input], raises: Sequence[str]) -> Expected:
        """Return the observations of the reference on those inputs that lie inside the domain.

        Outside is where it hangs, dies, cannot be observed, observes nothing, or raises what ``raises`` lacks.
        """
        found = {}
        for one, outcome in zip(inputs, self.outcomes(source, inputs), strict=True):
            if isinstance(outcome, Observed) and outcome.observations:
                raised = raised_by(outcome)
                if raised is None or raised in raises:
                    found[one.key] = outcome.observations
        return found

    def unstable(self, source: str, inputs: Sequence[Input]) -> set[str]:
        """Return the keys of inputs on which a program differs under another hash seed, time zone and order."""
        subject = self.program(source)
        requests = [Request(one.scenario, one.params) for one in inputs]
        elsewhere = self.runner.observe(subject, requests, replace(self.how, perturbation=_ELSEWHERE))
        pairs = zip(inputs, self.outcomes(source, inputs), elsewhere, strict=True)
        return {
            one.key for one, here, there in pairs if not is_same(here, there, self.compares.get(one.scenario))
        }

    def fails(self, source: str, inputs: Sequence[Input], expected: Expected) -> frozenset[str]:
        """Return the keys of the inputs on which a program is wrong; of a program that hangs, those found so far."""
        seen = self.observer.first_outcomes(self.program(source), inputs)
        return frozenset(
            one.key
            for one in inputs
            if one.key in seen and self.is_wrong(one, seen[one.key], expected[one.key])
        )

    def is_wrong(self, one: Input, outcome: Outcome, expected: Sequence[Observation]) -> bool:
        """Return whether an outcome is not what the reference observed."""
        if not isinstance(outcome, Observed):
            return True
        return not equal(outcome.observations, expected, self.compares.get(one.scenario))


def raised_by(outcome: Outcome) -> str | None:
    """Return the type of the exception that ended an observed call, or None."""
    if not isinstance(outcome, Observed) or not outcome.observations:
        return None
    raised = outcome.observations[-1].get("raised")
    return None if raised is None else str(raised["type"])
