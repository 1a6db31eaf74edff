"""Choose how each check is observed: the finest view that is data on the fixed side and keeps every pattern."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from authoring.incident.patterns import PERTURBATIONS, Verdicts
from authoring.model.execution import (
    Died,
    How,
    Hung,
    Limits,
    Observed,
    ObservedTypes,
    Outcome,
    Package,
    Refused,
    Request,
    Runner,
)
from authoring.model.incident import Side
from authoring.model.observation import equal
from authoring.model.progress import Progress
from authoring.scenario.lifting import Lifted, LiftedCase, Option, Reason, original_text

__all__ = ["Choice", "Chosen", "choose_views"]

ROUNDS_CAP = 12
_SHUFFLED = replace(PERTURBATIONS[0], order=7)


@dataclass(frozen=True, slots=True)
class Choice:
    """The view by which a check is observed, and its number among the check's options."""

    option: Option
    rank: int
    is_whole: bool
    """Whether every side's outcome is data (or does not end), so that nothing hides behind a refusal."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The choice for each check that can be observed, and the reason for each that cannot."""

    choices: Mapping[str, Choice]
    reasons: Mapping[str, Reason]
    fork_per_check: bool


@dataclass(slots=True)
class _Tried:
    """What was seen of one check under one option."""

    option: Option
    outcomes: dict[Side, Outcome] = field(default_factory=dict)


def choose_views(
    lifted: Lifted,
    verdicts: Mapping[Side, Verdicts],
    trees: Mapping[Side, Path],
    runner: Runner,
    how: How,
    progress: Progress,
) -> Chosen:
    """Return how each check with a scenario is observed on the real trees.

    A view holds for a check if its observations on a side equal the fixed side's exactly where the check passes on
    that side. All checks of a scenario take one view if one holds for all.
    """
    observer = _Observer(lifted, trees, runner, how)
    accepted: dict[str, list[Choice]] = {case.id: [] for case in lifted.checks if case.scenario}
    last: dict[str, str] = {}
    progress.phase("observing the checks through the package's own interface")
    for rank in range(ROUNDS_CAP):
        open_cases = [
            case for case in lifted.checks if case.scenario and _is_open(case, rank, accepted, lifted)
        ]
        if not open_cases:
            break
        tried = observer.observe([(case, case.options[rank]) for case in open_cases])
        for case, seen in zip(open_cases, tried, strict=True):
            wrong = _wrong(case, seen, verdicts)
            progress.step(f"{case.id}: {seen.option.words}")
            if wrong is None:
                is_whole = all(isinstance(outcome, Observed | Hung) for outcome in seen.outcomes.values())
                accepted[case.id].append(Choice(seen.option, rank, is_whole))
            else:
                last.setdefault(case.id, wrong)
    choices = _settled(lifted, accepted)
    steady, unsteady, forked = observer.steady(lifted, choices)
    reasons = {case.id: case.reason for case in lifted.checks if case.reason is not None}
    for case in lifted.checks:
        if case.scenario and case.id not in steady:
            why = unsteady.get(case.id) or last.get(case.id, "No view of it is data on the fixed side.")
            reasons[case.id] = Reason("SCN003", why)
    return Chosen({check: choices[check] for check in steady}, reasons, forked)


def _is_open(case: LiftedCase, rank: int, accepted: Mapping[str, list[Choice]], lifted: Lifted) -> bool:
    """Return whether a check still looks for a view: none of its scenario's checks may be left without one."""
    if rank >= len(case.options):
        return False
    mates = next(scenario.checks for scenario in lifted.scenarios if case.id in scenario.checks)
    return not all(any(choice.is_whole for choice in accepted[mate]) for mate in mates) or not _shares(
        mates, accepted
    )


def _shares(mates: Sequence[str], accepted: Mapping[str, list[Choice]]) -> bool:
    texts = [{choice.option.text for choice in accepted[mate] if choice.is_whole} for mate in mates]
    return bool(set.intersection(*texts))


def _settled(lifted: Lifted, accepted: Mapping[str, list[Choice]]) -> dict[str, Choice]:
    settled: dict[str, Choice] = {}
    for scenario in lifted.scenarios:
        mates = [check for check in scenario.checks if accepted[check]]
        common = _common(mates, accepted)
        for check in mates:
            best = min(accepted[check], key=lambda choice: (not choice.is_whole, choice.rank))
            shared = [choice for choice in accepted[check] if choice.option.text == common]
            settled[check] = shared[0] if shared else best
    return settled


def _common(mates: Sequence[str], accepted: Mapping[str, list[Choice]]) -> str | None:
    """Return the view that holds for all checks of a scenario, whole ones and the finest first."""
    if not mates:
        return None
    shared = set.intersection(*({choice.option.text for choice in accepted[mate]} for mate in mates))
    ranked = []
    for text in shared:
        picks = [next(c for c in accepted[mate] if c.option.text == text) for mate in mates]
        ranked.append((sum(not c.is_whole for c in picks), sum(c.rank for c in picks), text))
    return min(ranked)[2] if ranked else None


def _wrong(case: LiftedCase, seen: _Tried, verdicts: Mapping[Side, Verdicts]) -> str | None:
    """Return why a view does not hold for a check, or None."""
    fixed = seen.outcomes["fixed"]
    if not isinstance(fixed, Observed):
        return f"On the fixed side it cannot be observed: {_words(fixed)}."
    raised = any("raised" in each for each in fixed.observations)
    if raised != (case.kind == "raises") and not (case.kind == "inner" and not raised):
        return f"On the fixed side the scenario {'raises' if raised else 'does not raise'}, unlike the check."
    if not fixed.observations:
        return "Nothing is observed."
    for side, outcome in seen.outcomes.items():
        if seen.option.only_bool and isinstance(outcome, Observed) and not _only_booleans(outcome):
            return "The value is not a truth value on every side."
        same = isinstance(outcome, Observed) and equal(outcome.observations, fixed.observations)
        if verdicts[side].passes(case.id) != same:
            told = "differs from" if verdicts[side].passes(case.id) else "equals"
            return (
                f"On the {side} side, what is observed {told} the fixed side's, unlike the check's verdict."
            )
    return None


def _words(outcome: Outcome) -> str:
    match outcome:
        case Refused():
            return f"{outcome.code}, {outcome.message.rstrip('.')}"
        case Died():
            return f"the process died ({outcome.reason})"
        case Hung():
            return "it does not end"
        case _:
            return "it was observed"


def _only_booleans(outcome: Observed) -> bool:
    return all(each.get("value") in (True, False) for each in outcome.observations if "value" in each)


class _Observer:
    """Runs scenarios on the trees."""

    def __init__(self, lifted: Lifted, trees: Mapping[Side, Path], runner: Runner, how: How) -> None:
        self.lifted = lifted
        self.trees = trees
        self.runner = runner
        self.how = replace(
            how, limits=Limits(call_s=2.0, call_cpu_s=None, import_s=15.0), fork_per_request=True
        )
        self.original = original_text(lifted.bindings, lifted.modules[0], lifted.before_import)

    def _subject(self, side: Side, options: Sequence[Option]) -> Package:
        texts = [f"def v{at}(" + option.text.partition("(")[2] for at, option in enumerate(options)]
        return Package(
            tree=self.trees[side],
            modules=self.lifted.modules,
            original=self.original,
            scenarios="\n\n".join(texts),
            types=ObservedTypes(raises=self.lifted.raises),
        )

    def _run(self, side: Side, pairs: Sequence[tuple[LiftedCase, Option]], how: How) -> list[Outcome]:
        options = sorted(
            {option.text: option for _, option in pairs}.values(), key=lambda option: option.text
        )
        names = {option.text: f"v{at}" for at, option in enumerate(options)}
        requests = [Request(names[option.text], case.params) for case, option in pairs]
        return self.runner.observe(self._subject(side, options), requests, how)

    def observe(self, pairs: Sequence[tuple[LiftedCase, Option]]) -> list[_Tried]:
        """Return what is seen of each check under an option on every side; a hang on a side is seen once."""
        tried = [_Tried(option) for _, option in pairs]
        for side in self.trees:
            for seen, outcome in zip(tried, self._run(side, pairs, self.how), strict=True):
                seen.outcomes[side] = outcome
        return tried

    def steady(self, lifted: Lifted, choices: Mapping[str, Choice]) -> tuple[list[str], dict[str, str], bool]:
        """Return the checks whose observations repeat, why others do not, and whether checks need own processes."""
        pairs = [(lifted.case(check), choice.option) for check, choice in choices.items()]
        unsteady: dict[str, str] = {}
        forked = False
        for side in self.trees:
            alone = self._run(side, pairs, self.how)
            quick = [
                pair for pair, outcome in zip(pairs, alone, strict=True) if isinstance(outcome, Observed)
            ]
            known = dict(zip([case.id for case, _ in pairs], alone, strict=True))
            for how, together in self._repeats():
                for (case, _), outcome in zip(quick, self._run(side, quick, how), strict=True):
                    if outcome != known[case.id] and together:
                        forked = True
                    elif outcome != known[case.id]:
                        unsteady[case.id] = f"What is observed on the {side} side changes from run to run."
        return [case.id for case, _ in pairs if case.id not in unsteady], unsteady, forked

    def _repeats(self) -> Iterator[tuple[How, bool]]:
        for perturbation in PERTURBATIONS[1:]:
            yield replace(self.how, perturbation=perturbation), False
        yield replace(self.how, fork_per_request=False), True
        yield replace(self.how, fork_per_request=False, perturbation=_SHUFFLED), True
