"""Later releases in which the reproducer passes, and what they dispute of what the reference observes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from authoring.contract.bench import Bench, Expected
from authoring.model.alternatives import ReleaseVerdict
from authoring.model.execution import Hung, Observed, Outcome, Package, Wire
from authoring.model.observation import Compare, equal
from authoring.model.task import OuterPart
from authoring.scenario.inputs import Input, Observer, hangs, in_order, weight

__all__ = ["Alternative", "Heard", "Hearing", "LaterFacts"]

_HANGS_CAP = 4
"""Calls of a release that may hang before it is asked no more."""
_PATIENT_CPU_S = 2.0
"""CPU of a call that was late at first: a release's first call may be slow."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """A later release in which the reproducer passes, bound by original.py."""

    label: str
    package: Package
    outer: Mapping[str, OuterPart] = field(default_factory=dict)
    """At an entry inside the package, which the release may lack: what it is asked, by the key of the input."""


class AskedOutside(Enum):
    """What came of an input about which a release can be asked from outside only."""

    AGREES = "agrees"
    DISPUTES = "disputes"
    UNASKED = "unasked"


Answer = Outcome | AskedOutside


@dataclass(frozen=True, slots=True)
class Heard:
    """What came of one later release."""

    label: str
    verdict: ReleaseVerdict
    asked: int
    disputed: int
    """Inputs that it disputed before anything was relaxed or dropped."""
    reason: str = ""
    dispute: tuple[str, Wire] | None = None
    """Scenario and parameters of the smallest such input."""


@dataclass(frozen=True, slots=True)
class LaterFacts:
    """What came of all later releases."""

    releases: tuple[Heard, ...] = ()
    relaxed: tuple[tuple[str, str], ...] = ()
    """Scenario, and what of its comparison was relaxed."""
    dropped: int = 0
    """Inputs left out since a release disputes them."""


@dataclass(slots=True)
class Hearing:
    """What later releases say of the inputs of one draft."""

    alternatives: Sequence[Alternative]
    bench: Bench
    asked: dict[str, set[str]] = field(default_factory=dict)
    """By label: keys of inputs."""
    first: dict[str, dict[str, Input]] = field(default_factory=dict)
    """By label and key: inputs disputed under the comparison of the time when they were asked about first."""
    outside: dict[str, tuple[str, Input]] = field(default_factory=dict)
    """By label: why a release is outside the contract, and the input that shows it."""
    relaxed: list[tuple[str, str]] = field(default_factory=list)
    dropped: set[str] = field(default_factory=set)
    _quick: Observer = field(init=False)
    _patient: Observer = field(init=False)

    def __post_init__(self) -> None:
        how = self.bench.how
        quick = replace(how, limits=replace(how.limits, import_s=20.0))
        patient = replace(quick, limits=replace(quick.limits, call_cpu_s=_PATIENT_CPU_S, call_s=20.0))
        self._quick, self._patient = Observer(self.bench.runner, quick), Observer(self.bench.runner, patient)

    @property
    def open(self) -> list[Alternative]:
        """The releases that are not outside the contract."""
        return [one for one in self.alternatives if one.label not in self.outside]

    def exclude(self, alternative: Alternative, reason: str, shown: Input) -> None:
        """Take a release as outside the contract."""
        self.outside[alternative.label] = (reason, shown)

    def disputes(self, alternative: Alternative, inputs: Sequence[Input], expected: Expected) -> list[Input]:
        """Return the inputs on which a release observes something else than is expected, as compared now.

        A release that hangs again and again is asked no more, and is outside the contract.
        """
        seen = self.outcomes(alternative, inputs)
        asked = [one for one in inputs if one.key in seen]
        found = [one for one in asked if self.is_disputed(one, seen[one.key], expected, self.bench.compares)]
        known = self.asked.setdefault(alternative.label, set())
        first = self.first.setdefault(alternative.label, {})
        first.update({one.key: one for one in found if one.key not in known})
        known.update(one.key for one in asked if seen[one.key] is not AskedOutside.UNASKED)
        if len(asked) < len(inputs):
            late = min((one for one in asked if isinstance(seen[one.key], Hung)), key=_size)
            self.exclude(alternative, "it does not end", late)
        return found

    def is_disputed(
        self, one: Input, outcome: Answer, expected: Expected, compares: Mapping[str, Compare]
    ) -> bool:
        """Tell whether an outcome is something else than is expected."""
        if isinstance(outcome, AskedOutside):
            return outcome is AskedOutside.DISPUTES
        if not isinstance(outcome, Observed):
            return True
        return not equal(outcome.observations, expected[one.key], compares.get(one.scenario))

    def is_like(self, one: Input, outcome: Outcome, answer: Answer) -> bool:
        """Tell whether a program did at an input what a release did there; of one asked from outside nobody knows."""
        return not isinstance(answer, AskedOutside) and self.bench.is_same(one, outcome, answer)

    def outcomes(self, alternative: Alternative, inputs: Sequence[Input]) -> Mapping[str, Answer]:
        """Return what a release does, by the key of the input, as far as it was asked."""
        if not alternative.outer:
            return self._outcomes(alternative, inputs)
        parts = {one.key: alternative.outer[one.key] for one in inputs if one.key in alternative.outer}
        asked = {key: Input(part.scenario, in_order(part.params)) for key, part in parts.items()}
        seen = self._outcomes(alternative, list({one.key: one for one in asked.values()}.values()))
        found: dict[str, Answer] = {
            one.key: AskedOutside.UNASKED for one in inputs if one.key not in alternative.outer
        }
        for key, outer in asked.items():
            outcome = seen.get(outer.key)
            if isinstance(outcome, Hung):
                found[key] = outcome
            elif outcome is not None:
                compare = self.bench.compares.get(outer.scenario)
                agrees = isinstance(outcome, Observed) and equal(
                    outcome.observations, parts[key].expect, compare
                )
                found[key] = AskedOutside.AGREES if agrees else AskedOutside.DISPUTES
        return found

    def seen_outside(self, alternative: Alternative, parts: Sequence[OuterPart]) -> list[Outcome | None]:
        """Return what a release does on outer inputs, as far as it was asked."""
        asked = [Input(part.scenario, in_order(part.params)) for part in parts]
        seen = self._outcomes(alternative, list({one.key: one for one in asked}.values()))
        return [seen.get(one.key) for one in asked]

    def _outcomes(self, alternative: Alternative, inputs: Sequence[Input]) -> dict[str, Outcome]:
        """Return what a release does, by the key of the input, as far as it was asked.

        Calls that are late are made once more with patience; where some of those do not end either, that is enough.
        """
        package = self._package(alternative)
        seen = self._quick.first_outcomes(package, inputs, lambda known: hangs(known) >= _HANGS_CAP)
        late = [one for one in inputs if isinstance(seen.get(one.key), Hung)]
        left = [one for one in inputs if one.key not in seen]
        for some in (late[:_HANGS_CAP], [*late[_HANGS_CAP:], *left]):
            seen |= self._patient.first_outcomes(package, some, lambda known: hangs(known) >= _HANGS_CAP)
            if any(isinstance(seen[one.key], Hung) for one in late[:_HANGS_CAP]):
                break
        return seen

    def _package(self, alternative: Alternative) -> Package:
        return replace(alternative.package, scenarios=self.bench.scenarios, types=self.bench.types)

    def agreeing(self, inputs: Sequence[Input], expected: Expected) -> list[Input]:
        """Return the inputs that no open release disputes; the others count as dropped."""
        kept = list(inputs)
        for alternative in self.open:
            disputed = {one.key for one in self.disputes(alternative, kept, expected)}
            if alternative.label not in self.outside:
                self.dropped |= disputed
                kept = [one for one in kept if one.key not in disputed]
        return kept

    def facts(self) -> LaterFacts:
        """Return what came of all releases, in their order."""
        return LaterFacts(tuple(map(self._heard, self.alternatives)), tuple(self.relaxed), len(self.dropped))

    def _heard(self, alternative: Alternative) -> Heard:
        label = alternative.label
        disputed = self.first.get(label, {})
        reason, shown = self.outside.get(label, ("", min(disputed.values(), key=_size, default=None)))
        return Heard(
            label=label,
            verdict="outside" if label in self.outside else "alternative",
            asked=len(self.asked.get(label, ())),
            disputed=len(disputed),
            reason=reason,
            dispute=None if shown is None else (shown.scenario, shown.params),
        )


def _size(one: Input) -> tuple[tuple[int, int, str], str]:
    return weight(one.params), one.key
