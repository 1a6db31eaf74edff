"""Observe whole results too, where what assertions compare takes few values (DESIGN.md 4.4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from authoring.incident.patterns import PERTURBATIONS
from authoring.incident.views import Chosen, Observer, Observing, why_not
from authoring.model.digest import canonical
from authoring.model.execution import How, Hung, Observed, Outcome, Runner
from authoring.model.incident import Side
from authoring.model.observation import equal
from authoring.model.progress import Progress
from authoring.model.wire import Wire, WireError
from authoring.scenario.domain import ChangedCode, derive_domain
from authoring.scenario.inputs import in_order
from authoring.scenario.lifting import LiftedCase, Option, asked_of_result, with_result

__all__ = ["choose_results"]

TELLING = 20
"""Different observations among the inputs drawn, from which on an assertion's own are enough."""
_DRAWN = 48
_FIRST = 8
"""Inputs that are asked first, twice as many each time."""
_HANGS = 3
"""Inputs on which a side does not end, after which no more of them are asked."""
_QUESTIONS = 6
"""Different questions of the reproducer that are asked of each result drawn, at most."""
_CALL_S, _CALL_CPU_S = 2.0, 0.25
_SEED = 31


def choose_results(
    subject: Observing, chosen: Chosen, runner: Runner, how: How, progress: Progress
) -> Chosen:
    """Return the choices with whole results observed as well, where the assertions' own observations tell little.

    A result is observed in the first form that tells more and asks no more: it is data and steady on the fixed side,
    and on every side it equals the fixed side's wherever all that the reproducer asks of it does, on the lifted
    checks and on inputs drawn around them. So a difference that no assertion sees does not become part of the
    contract.
    """
    observer = Observer(subject, runner, how, chosen.fork_per_check, chosen.processes)
    limits = replace(observer.how.limits, call_s=_CALL_S, call_cpu_s=_CALL_CPU_S)
    observer.how = replace(observer.how, limits=limits)
    samples = []
    for scenario in subject.lifted.scenarios:
        cases = [subject.lifted.case(check) for check in scenario.checks if check in chosen.choices]
        for option in dict.fromkeys(chosen.choices[case.id].option for case in cases):
            own = [case for case in cases if chosen.choices[case.id].option == option]
            samples.append(_Sample.of(observer, subject, own, option))
    told = frozenset[bytes]().union(*(_told(sample.own["fixed"]) for sample in samples))
    choices = dict(chosen.choices)
    for sample in samples if len(told) < TELLING else ():
        progress.step(f"{sample.cases[0].id}: whole results")
        form = sample.form()
        if form is not None:
            choices |= {case.id: replace(choices[case.id], option=form) for case in sample.cases}
    return replace(chosen, choices=choices)


@dataclass(frozen=True, slots=True)
class _Sample:
    """The lifted inputs of some checks and others drawn around them, and what is observed on every side."""

    observer: Observer
    subject: Observing
    cases: Sequence[LiftedCase]
    option: Option
    asked: Sequence[LiftedCase]
    """Those on which the fixed side gives data; those that ask of one result stand together."""
    results: Sequence[int]
    """For each of them, which result it asks of."""
    own: Mapping[Side, Sequence[Outcome]]
    """By side, what the assertion compares on each of them."""

    @classmethod
    def of(
        cls, observer: Observer, subject: Observing, cases: Sequence[LiftedCase], option: Option
    ) -> "_Sample":
        """Draw around the checks' parameters, and observe what their assertion compares."""
        params = _crossed([case.params for case in cases], asked_of_result(option.text), observer)
        asked, results, seen = _while_ending(observer, subject, cases[0], option, params)
        kept = [at for at, outcome in enumerate(seen["fixed"]) if _is_data(outcome)]
        own = {side: [outcomes[at] for at in kept] for side, outcomes in seen.items()}
        return cls(
            observer, subject, cases, option, [asked[at] for at in kept], [results[at] for at in kept], own
        )

    def form(self) -> Option | None:
        """Return the first form that may be observed; None where there is none that tells more."""
        if any(case.kind == "raises" for case in self.cases):
            return None
        words, told = f"{self.option.words} and result", len(_told(self.own["fixed"]))
        for text in with_result(self.option.text):
            form = Option(words, text)
            whole = _observed(self.observer, self.subject, self.asked, form)
            if len(_told(whole["fixed"])) > told and self._holds(form, whole):
                return form
        return None

    def _holds(self, form: Option, whole: Mapping[Side, Sequence[Outcome]]) -> bool:
        """Tell whether a form is data and steady, keeps every pattern, and sees no more differences."""
        if not all(map(_is_data, whole["fixed"])):
            return False
        lifted = self.observer.observe([(case, form) for case in self.cases])
        pairs = zip(self.cases, lifted, strict=True)
        if any(why_not(case, seen, self.subject.verdicts) is not None for case, seen in pairs):
            return False
        if any(
            not self._different(whole, side) <= self._different(self.own, side) for side in self.subject.trees
        ):
            return False
        asked = [(case, form) for case in self.asked]
        again = (replace(self.observer.how, perturbation=each) for each in PERTURBATIONS[1:])
        return all(list(whole["fixed"]) == self.observer.run("fixed", asked, how) for how in again)

    def _different(self, seen: Mapping[Side, Sequence[Outcome]], side: Side) -> frozenset[int]:
        """Return the results on which something that was asked of them differs from the fixed side's."""
        same = _same(seen[side], seen["fixed"])
        return frozenset(result for result, is_same in zip(self.results, same, strict=True) if not is_same)


def _crossed(params: Sequence[Wire], asking: frozenset[str], observer: Observer) -> list[tuple[Wire, int]]:
    """Return parameters seen and drawn, each under what the reproducer asks, with the number of their result."""

    def part(wire: Wire, is_asking: bool) -> list[Wire]:
        return [pair for pair in in_order(wire)["dict"] if (pair[0] in asking) is is_asking]

    questions = {canonical(part(wire, True)): part(wire, True) for wire in params}
    made = {canonical(part(wire, False)): part(wire, False) for wire in (*params, *_drawn(observer, params))}
    return [
        (in_order({"dict": [*result, *question]}), number)
        for number, result in enumerate(made.values())
        for question in list(questions.values())[:_QUESTIONS]
    ]


def _while_ending(
    observer: Observer,
    subject: Observing,
    case: LiftedCase,
    option: Option,
    params: Sequence[tuple[Wire, int]],
) -> tuple[list[LiftedCase], list[int], dict[Side, list[Outcome]]]:
    """Observe parameters, more of them as long as few hang; return those asked, their results and the outcomes."""
    asked: list[LiftedCase] = []
    results: list[int] = []
    seen: dict[Side, list[Outcome]] = {side: [] for side in subject.trees}
    size = _FIRST
    while len(asked) < len(params):
        rows = params[len(asked) : len(asked) + size]
        some = [replace(case, params=row) for row, _ in rows]
        for side, outcomes in _observed(observer, subject, some, option).items():
            seen[side] += outcomes
        asked += some
        results += [result for _, result in rows]
        if any(sum(isinstance(one, Hung) for one in outcomes) > _HANGS for outcomes in seen.values()):
            break
        size *= 2
    return asked, results, seen


def _drawn(observer: Observer, params: Sequence[Wire]) -> list[Wire]:
    try:
        domain = derive_domain({"check": params}, ChangedCode())
    except WireError:
        return []  # parameters that exist inside a box only
    return observer.runner.draw(domain, "check", _DRAWN, _SEED, observer.how)


def _observed(
    observer: Observer, subject: Observing, asked: Sequence[LiftedCase], option: Option
) -> dict[Side, list[Outcome]]:
    pairs = [(case, option) for case in asked]
    return {side: observer.run(side, pairs, observer.how) for side in subject.trees}


def _is_data(outcome: Outcome) -> bool:
    return isinstance(outcome, Observed) and not any("raised" in each for each in outcome.observations)


def _same(some: Sequence[Outcome], others: Sequence[Outcome]) -> list[bool]:
    return [
        isinstance(one, Observed)
        and isinstance(other, Observed)
        and equal(one.observations, other.observations)
        for one, other in zip(some, others, strict=True)
    ]


def _told(outcomes: Sequence[Outcome]) -> frozenset[bytes]:
    """Return the different observations among outcomes."""
    return frozenset(canonical(list(one.observations)) for one in outcomes if isinstance(one, Observed))
