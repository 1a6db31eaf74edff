"""Where programs are tried on inputs: what the reference says, what lies outside, who fails what."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from authoring.model.execution import (
    How,
    Hung,
    Observed,
    ObservedTypes,
    Outcome,
    Perturbation,
    Program,
    Runner,
    Subject,
)
from authoring.model.observation import Compare, Observation, equal
from authoring.scenario.inputs import Input, Observer, hangs, is_same, unsteady

__all__ = ["CALL_CPU_S", "UNHURRIED_CPU_S", "Bench", "Expected", "Row", "raised_by"]

CALL_CPU_S = 0.1
"""A call that takes more CPU than this has hung."""
UNHURRIED_CPU_S = CALL_CPU_S / 4
"""What takes more than this may hang on one machine and not on another."""

Expected = Mapping[str, tuple[Observation, ...]]
"""By the key of the input: what the reference observed."""


@dataclass(frozen=True, slots=True)
class Row:
    """What is known of one program, by the keys of inputs."""

    fails: frozenset[str]
    asked: frozenset[str]

    def __or__(self, other: "Row") -> "Row":
        """Put together what two askings showed."""
        return Row(self.fails | other.fails, self.asked | other.asked)


@dataclass(slots=True)
class Bench:
    """Runs programs of one contract on inputs."""

    runner: Runner
    how: How
    scenarios: str
    types: ObservedTypes
    compares: Mapping[str, Compare]
    module: str
    beside: str = ""
    """The source with every fault of the incident repaired, where the contract is about one of several: an input on
    which the reference is not like it belongs to another contract.
    """
    taken: frozenset[str] = frozenset()
    """Keys of inputs that the checks of the incident's other contracts show."""
    observer: Observer = field(init=False)

    def __post_init__(self) -> None:
        if self.how.limits.call_cpu_s is None:
            self.how = replace(self.how, limits=replace(self.how.limits, call_cpu_s=CALL_CPU_S))
        self.observer = Observer(self.runner, self.how)

    def program(self, source: str) -> Program:
        """Return the subject of a source."""
        return Program(source, self.module, self.scenarios, self.types)

    def outcomes(self, subject: str | Subject, inputs: Sequence[Input]) -> list[Outcome]:
        """Return what a program (its source) or package does on each input."""
        return self.observer.outcomes(self.program(subject) if isinstance(subject, str) else subject, inputs)

    def expected(self, source: str, inputs: Sequence[Input], raises: Sequence[str]) -> Expected:
        """Return the observations of the reference on those inputs that lie inside the domain.

        Outside is where it hangs, dies, cannot be observed, observes nothing, or raises what ``raises``
        lacks; and what belongs to another contract of the incident.
        """
        found = {}
        for one, outcome in zip(inputs, self.outcomes(source, inputs), strict=True):
            if isinstance(outcome, Observed) and outcome.observations:
                raised = raised_by(outcome)
                if raised is None or raised in raises:
                    found[one.key] = outcome.observations
        return self._own(found, inputs) if self.beside else found

    def _own(self, found: Expected, inputs: Sequence[Input]) -> Expected:
        """Return what belongs to no other contract of the incident."""
        asked = [one for one in inputs if one.key in found and one.key not in self.taken]
        outcomes = self.outcomes(self.beside, asked)
        pairs = zip(asked, outcomes, strict=True)
        return {
            one.key: found[one.key]
            for one, outcome in pairs
            if self.is_same(one, outcome, Observed(found[one.key]))
        }

    def quick(self, subjects: Sequence[str | Subject], inputs: Sequence[Input]) -> list[Input]:
        """Return the inputs that bound a call's line events, and those on which no subject takes long.

        Long is a quarter of what is a hang: what takes more is a hang on one machine and none on another.
        """
        hasty = replace(
            self, how=replace(self.how, limits=replace(self.how.limits, call_cpu_s=UNHURRIED_CPU_S))
        )
        kept = list(inputs)
        for subject in subjects:
            plain = [one for one in kept if one.line_events is None]
            late = {
                one.key
                for one, outcome in zip(plain, hasty.outcomes(subject, plain), strict=True)
                if isinstance(outcome, Hung)
            }
            kept = [one for one in kept if one.key not in late]
        return kept

    def unstable(self, source: str, inputs: Sequence[Input]) -> set[str]:
        """Return the inputs on which a program differs under other hash seeds, time zones, locales and orders."""
        usual = self.outcomes(source, inputs)

        def is_usual(perturbation: Perturbation, places: Sequence[int]) -> list[bool]:
            requests = [inputs[place].request for place in places]
            how = replace(self.how, perturbation=perturbation)
            there = self.runner.observe(self.program(source), requests, how)
            pairs = zip(places, there, strict=True)
            return [self.is_same(inputs[place], usual[place], outcome) for place, outcome in pairs]

        return {inputs[place].key for place in unsteady(len(inputs), is_usual)}

    def row(
        self,
        source: str,
        inputs: Sequence[Input],
        expected: Expected,
        *,
        hangs_cap: int = 2,
        is_full: bool = False,
    ) -> Row:
        """Return on which inputs a program is wrong, of those that it was asked about.

        It is not asked further once calls have hung ``hangs_cap`` times or, unless the row is to be full,
        once most of the first inputs are wrong: what nearly every input rejects needs no more of them.
        """

        def is_enough(seen: dict[str, Outcome]) -> bool:
            asked = [one for one in inputs if one.key in seen]
            wrong = sum(self.is_wrong(one, seen[one.key], expected[one.key]) for one in asked)
            return hangs(seen) >= hangs_cap or (not is_full and wrong * 2 > len(asked))

        seen = self.observer.first_outcomes(self.program(source), inputs, is_enough)
        asked = [one for one in inputs if one.key in seen]
        fails = [one.key for one in asked if self.is_wrong(one, seen[one.key], expected[one.key])]
        return Row(frozenset(fails), frozenset(one.key for one in asked))

    def is_wrong(self, one: Input, outcome: Outcome, expected: Sequence[Observation]) -> bool:
        """Return whether an outcome is not what the reference observed."""
        if not isinstance(outcome, Observed):
            return True
        return not equal(outcome.observations, expected, self.compares.get(one.scenario))

    def is_same(self, one: Input, left: Outcome, right: Outcome) -> bool:
        """Return whether two outcomes of an input agree."""
        return is_same(left, right, self.compares.get(one.scenario))


def raised_by(outcome: Outcome) -> str | None:
    """Return the type of the exception that ended an observed call, or None."""
    if not isinstance(outcome, Observed) or not outcome.observations:
        return None
    raised = outcome.observations[-1].get("raised")
    return None if raised is None else str(raised["type"])
