"""Inputs around those of checks, and whether a further observation on them differs no more than theirs."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from authoring.incident.patterns import PERTURBATIONS
from authoring.incident.views import Chosen, Observer, Observing, Tried, why_not
from authoring.model.digest import canonical
from authoring.model.execution import How, Hung, Observed, Outcome, Runner
from authoring.model.incident import Side
from authoring.model.wire import Wire, WireError
from authoring.scenario.domain import ChangedCode, derive_domain
from authoring.scenario.inputs import in_order, is_same
from authoring.scenario.lifting import LiftedCase, Option, asked_of_result

__all__ = ["Sample", "by_option", "hurried", "told"]

_DRAWN = 48
_FIRST = 8
"""Inputs that are asked first, twice as many each time."""
_HANGS = 3
"""Inputs on which a side does not end, after which no more of them are asked."""
_QUESTIONS = 6
"""Different questions of the reproducer that are asked of each result drawn, at most."""
_CALL_S, _CALL_CPU_S = 2.0, 0.25
"""What a call may take on an input that is asked about beside the reproducer's."""
_SEED = 31


def hurried(subject: Observing, chosen: Chosen, runner: Runner, how: How) -> Observer:
    """Return an observer that has less patience than the reproducer's own checks need."""
    observer = Observer(subject, runner, how, chosen.fork_per_check, chosen.processes)
    limits = replace(observer.how.limits, call_s=_CALL_S, call_cpu_s=_CALL_CPU_S)
    observer.how = replace(observer.how, limits=limits)
    return observer


def by_option(subject: Observing, chosen: Chosen) -> Iterator[tuple[Option, list[LiftedCase]]]:
    """Yield the options that were chosen with the checks that are observed so, scenario by scenario."""
    for scenario in subject.lifted.scenarios:
        cases = [subject.lifted.case(check) for check in scenario.checks if check in chosen.choices]
        for option in dict.fromkeys(chosen.choices[case.id].option for case in cases):
            yield option, [case for case in cases if chosen.choices[case.id].option == option]


@dataclass(frozen=True, slots=True)
class Sample:
    """The lifted inputs of some checks and others drawn around them, and what is observed on every side."""

    observer: Observer
    cases: Sequence[LiftedCase]
    option: Option
    asked: Sequence[LiftedCase]
    """Those on which the fixed side gives data; those that ask of one result stand together."""
    results: Sequence[int]
    """For each of them, which result it asks of."""
    own: Sequence[Tried]
    """What the assertion compares on each of them."""
    is_fit: Callable[[Outcome], bool]
    """Whether the fixed side gives data: an exception is none, unless the checks ask for one."""

    @classmethod
    def of(cls, observer: Observer, cases: Sequence[LiftedCase], option: Option) -> "Sample":
        """Draw around the checks' parameters, and observe what their assertion compares."""
        is_fit = _is_seen if any(case.kind == "raises" for case in cases) else _is_data
        params = _crossed([case.params for case in cases], asked_of_result(option.text), observer)
        asked = [replace(cases[0], params=row) for row, _ in params]
        seen = _while_ending(observer, asked, option)
        kept = [at for at, one in enumerate(seen) if is_fit(one.outcomes["fixed"])]
        return cls(
            observer,
            cases,
            option,
            [asked[at] for at in kept],
            [params[at][1] for at in kept],
            [seen[at] for at in kept],
            is_fit,
        )

    def seen(self, form: Option) -> list[Tried]:
        """Return what is seen on each of them under another form."""
        return self.observer.observe([(case, form) for case in self.asked])

    def holds(self, form: Option, whole: Sequence[Tried]) -> bool:
        """Tell whether a form is data and steady, keeps every pattern, and sees no more differences."""
        fixed = [one.outcomes["fixed"] for one in whole]
        if not all(map(self.is_fit, fixed)):
            return False
        subject = self.observer.subject
        lifted = self.observer.observe([(case, form) for case in self.cases])
        pairs = zip(self.cases, lifted, strict=True)
        if any(why_not(case, seen, subject.verdicts) is not None for case, seen in pairs):
            return False
        if any(not self._different(whole, side) <= self._different(self.own, side) for side in subject.trees):
            return False
        asked = [(case, form) for case in self.asked]
        again = (replace(self.observer.how, perturbation=each) for each in PERTURBATIONS[1:])
        return all(fixed == self.observer.run("fixed", asked, how) for how in again)

    def _different(self, seen: Sequence[Tried], side: Side) -> frozenset[int]:
        """Return the results on which something that was asked of them differs from the fixed side's."""
        pairs = zip(self.results, seen, strict=True)
        return frozenset(
            result for result, one in pairs if not is_same(one.outcomes[side], one.outcomes["fixed"])
        )


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


def _while_ending(observer: Observer, asked: Sequence[LiftedCase], option: Option) -> list[Tried]:
    """Return what is seen of the first of some checks, of more and more as long as few hang on a side."""
    seen: list[Tried] = []
    size = _FIRST
    while len(seen) < len(asked):
        seen += observer.observe([(case, option) for case in asked[len(seen) : len(seen) + size]])
        hangs = Counter(side for one in seen for side, outcome in one.outcomes.items() if outcome == Hung())
        if any(count > _HANGS for count in hangs.values()):
            break
        size *= 2
    return seen


def _drawn(observer: Observer, params: Sequence[Wire]) -> list[Wire]:
    try:
        domain = derive_domain({"check": params}, ChangedCode())
    except WireError:
        return []  # parameters that exist inside a box only
    return observer.runner.draw(domain, "check", _DRAWN, _SEED, observer.how)


def _is_seen(outcome: Outcome) -> bool:
    return isinstance(outcome, Observed)


def _is_data(outcome: Outcome) -> bool:
    return isinstance(outcome, Observed) and not any("raised" in each for each in outcome.observations)


def told(seen: Sequence[Tried]) -> frozenset[bytes]:
    """Return the different observations on the fixed side."""
    fixed = (one.outcomes["fixed"] for one in seen)
    return frozenset(canonical(list(one.observations)) for one in fixed if isinstance(one, Observed))
