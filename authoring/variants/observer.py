"""Ask the runner what programs do on inputs of a contract's scenarios, and compare what was seen."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from authoring.model.contract import Contract, ScenarioSpec
from authoring.model.execution import How, Observed, Outcome, Program, Request, Runner
from authoring.model.observation import Observation, equal
from authoring.model.task import Check
from authoring.model.wire import Wire
from authoring.scenario.inputs import thrifty
from authoring.variants.material import observed_types

__all__ = ["Input", "Observer", "expectation", "fails", "input_of"]


@dataclass(frozen=True, slots=True)
class Input:
    """One call of a scenario, by the scenario's id."""

    scenario: str
    params: Wire
    doubles: tuple[tuple[str, tuple[Wire, ...]], ...] = ()
    line_events: int | None = None


def input_of(check: Check) -> Input:
    """Return the input of a check."""
    return Input(check.scenario, check.params, tuple(sorted(check.doubles.items())), check.line_events)


@dataclass(slots=True)
class Observer:
    """Runs programs of one contract (under one variant's names) on inputs."""

    runner: Runner
    how: How
    contract: Contract
    scenarios: str
    _specs: dict[str, ScenarioSpec] = field(init=False)

    def __post_init__(self) -> None:
        self._specs = {spec.id: spec for spec in self.contract.scenarios}

    def spec(self, scenario: str) -> ScenarioSpec:
        """Return the specification of a scenario by its id."""
        return self._specs[scenario]

    def see(self, source: str, inputs: Sequence[Input]) -> list[Outcome]:
        """Return one outcome for each input, in order."""
        asked = self._requests(inputs)
        return list(self.runner.observe(self._subject(source), asked, self.how)) if asked else []

    def worthwhile(self, reference: str, inputs: Sequence[Input]) -> list[Input]:
        """Return the inputs without most of those that the reference is dear to ask about."""
        kept = thrifty(self.runner, self._subject(reference), self._requests(inputs), self.how)
        return [inputs[at] for at in kept]

    def _subject(self, source: str) -> Program:
        return Program(source, "program", self.scenarios, observed_types(self.contract))

    def _requests(self, inputs: Sequence[Input]) -> list[Request]:
        return [
            Request(self.spec(each.scenario).function, each.params, each.doubles, each.line_events)
            for each in inputs
        ]

    def under(self, contract: Contract, scenarios: str) -> "Observer":
        """Return an observer of the same kind for another variant's names."""
        return Observer(self.runner, self.how, contract, scenarios)

    def perturbed(self, how: How) -> "Observer":
        """Return the observer with another way to run."""
        return replace(self, how=how)

    def is_failure(self, scenario: str, outcome: Outcome, expected: Sequence[Observation]) -> bool:
        """Return whether an outcome is not what is expected of the scenario."""
        return fails(outcome, expected, self.spec(scenario))

    def failures(
        self, source: str, inputs: Sequence[Input], expected: Sequence[Sequence[Observation]]
    ) -> list[bool]:
        """Return for each input whether the program fails it."""
        outcomes = self.see(source, inputs)
        return [
            self.is_failure(each.scenario, outcome, wanted)
            for each, outcome, wanted in zip(inputs, outcomes, expected, strict=True)
        ]

    def failed(self, source: str, checks: Sequence[Check]) -> list[bool]:
        """Return for each check whether the program fails it."""
        return self.failures(source, [input_of(each) for each in checks], [each.expect for each in checks])


def fails(outcome: Outcome, expected: Sequence[Observation], spec: ScenarioSpec) -> bool:
    """Return whether an outcome is not what is expected."""
    return not isinstance(outcome, Observed) or not equal(outcome.observations, expected, spec.compare)


def expectation(outcome: Outcome, raises: Sequence[str]) -> tuple[Observation, ...] | None:
    """Return what the reference's outcome makes expected, or None where the input lies outside the domain.

    It lies outside where the call hangs, dies or cannot be observed, observes nothing, or ends in an
    exception that the contract does not name.
    """
    if not isinstance(outcome, Observed) or not outcome.observations:
        return None
    raised = outcome.observations[-1].get("raised")
    return None if raised is not None and raised["type"] not in raises else outcome.observations
