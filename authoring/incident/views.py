"""Choose how each check is observed: by the first view that is data on the fixed side and keeps every pattern."""

import json
import re
from collections.abc import Mapping, Sequence
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
from authoring.scenario.lifting import Lifted, LiftedCase, Option, Reason, is_timed, original_text

__all__ = ["Choice", "Chosen", "Observer", "Observing", "Tried", "choose_views", "why_not"]

ROUNDS_CAP = 12
_LEAST_EVENTS, _POWERS = 1 << 7, 11
"""Line events of the fixed side: fewer are taken for so many, and it may take so many powers of two of them."""
_DEARER = 4
"""A side on which a check fails for its cost takes so many times the line events, at least."""
_WEAK = ("printed form", "type name")
_ADDRESS = re.compile(r" at 0x[0-9a-f]{6,}")
PROCESSES = 25
_SHUFFLED = replace(PERTURBATIONS[0], order=7)


@dataclass(frozen=True, slots=True)
class Choice:
    """The view by which a check is observed, and its number among the check's options."""

    option: Option
    rank: int
    is_whole: bool
    """Whether every side's outcome is data (or does not end), so that nothing hides behind a refusal."""

    @property
    def worth(self) -> tuple[bool, bool, int]:
        """How little it is worth: views that hardly see anything last, then those that not every side gives."""
        return self.option.words in _WEAK, not self.is_whole, self.rank

    @property
    def is_good(self) -> bool:
        """Whether no other view has to be tried."""
        return self.is_whole and self.option.words not in _WEAK


@dataclass(frozen=True, slots=True)
class Chosen:
    """The choice for each check that can be observed, and the reason for each that cannot."""

    choices: Mapping[str, Choice]
    reasons: Mapping[str, Reason]
    fork_per_check: bool
    processes: int
    """Processes that the package needs; 0 where it runs with fork denied."""


@dataclass(slots=True)
class Tried:
    """What was seen of one check under one option."""

    option: Option
    outcomes: dict[Side, Outcome] = field(default_factory=dict)
    dear: set[Side] = field(default_factory=set)
    """Sides that answer as the fixed one does, at many times the line events."""


@dataclass(frozen=True, slots=True)
class Observing:
    """What views are chosen for: the lifted checks, what they said, and the trees."""

    lifted: Lifted
    verdicts: Mapping[Side, Verdicts]
    trees: Mapping[Side, Path]


def choose_views(subject: Observing, runner: Runner, how: How, progress: Progress) -> Chosen:
    """Return how each check with a scenario is observed on the real trees.

    A view holds for a check if its observations on a side equal the fixed side's exactly where the check passes on
    that side. All checks of a scenario take one view if one holds for all.
    """
    progress.phase("observing the checks through the package's own interface")
    processes = _needed_processes(subject, runner, how)
    for forked in (False, True):
        chosen = _choose(subject, Observer(subject, runner, how, forked, processes), progress)
        if chosen is not None:
            return chosen
    raise AssertionError("checks in processes of their own cannot leak into each other")


def _needed_processes(subject: Observing, runner: Runner, how: How) -> int:
    """Return 0 where the fixed side can be imported with fork denied, else the least allowance."""
    cases = [case for case in subject.lifted.checks if case.scenario][:1]
    observer = Observer(subject, runner, how, False, 0)
    denied = [observer.run("fixed", [(case, case.options[0])], observer.how)[0] for case in cases]
    return PROCESSES if any(isinstance(outcome, Died) for outcome in denied) else 0


def _choose(subject: Observing, observer: "Observer", progress: Progress) -> Chosen | None:
    """Return the choices, or None where checks that share a process may disturb each other."""
    lifted = subject.lifted
    accepted: dict[str, list[Choice]] = {case.id: [] for case in lifted.checks if case.scenario}
    known: dict[tuple[str, str], Tried] = {}
    first: dict[str, str] = {}
    changed = False
    for rank in range(ROUNDS_CAP):
        open_cases = [
            case for case in lifted.checks if case.scenario and _is_open(case, rank, accepted, lifted)
        ]
        tried = observer.observe([(case, case.options[rank]) for case in open_cases])
        held = {case.id: seen for case, seen in zip(open_cases, tried, strict=True)}
        wrong = {case.id: why_not(case, held[case.id], subject.verdicts) for case in open_cases}
        changing = observer.changing({check: seen for check, seen in held.items() if wrong[check] is None})
        changed = changed or bool(changing)
        for case in open_cases:
            seen, why = held[case.id], wrong[case.id] or changing.get(case.id)
            progress.step(f"{case.id}: {seen.option.words}")
            if why is None:
                known[case.id, seen.option.text] = seen
                is_whole = all(isinstance(outcome, Observed | Hung) for outcome in seen.outcomes.values())
                accepted[case.id].append(Choice(seen.option, rank, is_whole))
            first.setdefault(case.id, why or "")
    choices = _settled(lifted, accepted)
    if not observer.forked and (changed or len(choices) < len(accepted)):
        return None
    reasons = {case.id: case.reason for case in lifted.checks if case.reason is not None}
    for check in accepted:
        if check not in choices:
            reasons[check] = Reason(
                "SCN003", first.get(check, "") or "No view of it is data on the fixed side."
            )
    leaks = observer.forked and observer.leaks(choices, known)
    return Chosen(choices, reasons, leaks, observer.how.limits.processes)


def _is_open(case: LiftedCase, rank: int, accepted: Mapping[str, list[Choice]], lifted: Lifted) -> bool:
    """Return whether a check still looks for a view: none of its scenario's checks may be left without one."""
    if rank >= len(case.options):
        return False
    mates = next(scenario.checks for scenario in lifted.scenarios if case.id in scenario.checks)
    return not all(any(choice.is_good for choice in accepted[mate]) for mate in mates) or not _shares(
        mates, accepted
    )


def _shares(mates: Sequence[str], accepted: Mapping[str, list[Choice]]) -> bool:
    texts = [{choice.option.text for choice in accepted[mate] if choice.is_good} for mate in mates]
    return bool(set.intersection(*texts))


def _settled(lifted: Lifted, accepted: Mapping[str, list[Choice]]) -> dict[str, Choice]:
    settled: dict[str, Choice] = {}
    for scenario in lifted.scenarios:
        mates = [check for check in scenario.checks if accepted[check]]
        common = _common(mates, accepted)
        for check in mates:
            best = min(accepted[check], key=lambda choice: choice.worth)
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
        worths = [pick.worth for pick in picks]
        ranked.append((tuple(sum(each) for each in zip(*worths, strict=True)), text))
    return min(ranked)[1] if ranked else None


def why_not(case: LiftedCase, seen: Tried, verdicts: Mapping[Side, Verdicts]) -> str | None:
    """Return why a view does not hold for a check, or None."""
    fixed = seen.outcomes["fixed"]
    if not isinstance(fixed, Observed):
        return f"On the fixed side it cannot be observed: {_words(fixed)}."
    return _not_fit(case, fixed) or _not_keeping(case, seen, fixed, verdicts)


def _not_fit(case: LiftedCase, fixed: Observed) -> str | None:
    """Return why what the fixed side shows is nothing to build on, or None."""
    raised = any("raised" in each for each in fixed.observations)
    if raised != (case.kind == "raises"):
        return f"On the fixed side the scenario {'raises' if raised else 'does not raise'}, unlike the check."
    if not fixed.observations:
        return "Nothing is observed."
    if _ADDRESS.search(json.dumps(fixed.observations)):
        return "What is observed holds the address of an object."
    return None


def _not_keeping(
    case: LiftedCase, seen: Tried, fixed: Observed, verdicts: Mapping[Side, Verdicts]
) -> str | None:
    """Return the side on which what is observed and the check's verdict disagree, or None."""
    for side, outcome in seen.outcomes.items():
        if seen.option.only_bool and isinstance(outcome, Observed) and not _only_booleans(outcome):
            return "The value is not a truth value on every side."
        same = isinstance(outcome, Observed) and equal(outcome.observations, fixed.observations)
        same = same and side not in seen.dear
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


class Observer:
    """Runs scenarios on the trees, all of a side in one process or each in one of its own."""

    def __init__(self, subject: Observing, runner: Runner, how: How, forked: bool, processes: int) -> None:
        self.subject = subject
        self.runner = runner
        self.forked = forked
        limits = Limits(
            call_s=20.0, call_cpu_s=3.0, import_s=30.0, run_s=180.0, cpu_s=120, processes=processes
        )
        self.how = replace(how, limits=limits, fork_per_request=forked)
        lifted = subject.lifted
        self._dear: dict[tuple[str, Side], bool] = {}
        self.original = original_text(lifted.bindings, lifted.modules[0], lifted.before_import)

    def _package(self, side: Side, options: Sequence[Option]) -> Package:
        texts = [f"def v{at}(" + option.text.partition("(")[2] for at, option in enumerate(options)]
        lifted = self.subject.lifted
        return Package(
            tree=self.subject.trees[side],
            modules=lifted.modules,
            original=self.original,
            scenarios="\n\n".join(texts),
            types=ObservedTypes(raises=lifted.raises),
        )

    def run(
        self,
        side: Side,
        pairs: Sequence[tuple[LiftedCase, Option]],
        how: How,
        line_events: int | None = None,
    ) -> list[Outcome]:
        """Return one outcome for each check under an option, in order; each call may take so many line events."""
        options = sorted(
            {option.text: option for _, option in pairs}.values(), key=lambda option: option.text
        )
        names = {option.text: f"v{at}" for at, option in enumerate(options)}
        requests = [
            Request(names[option.text], case.params, line_events=line_events) for case, option in pairs
        ]
        return self.runner.observe(self._package(side, options), requests, how)

    def observe(self, pairs: Sequence[tuple[LiftedCase, Option]]) -> list[Tried]:
        """Return what is seen of each check under an option on every side."""
        tried = [Tried(option) for _, option in pairs]
        if not pairs:
            return tried
        for side in self.subject.trees:
            for seen, outcome in zip(tried, self.run(side, pairs, self.how), strict=True):
                seen.outcomes[side] = outcome
        for (case, option), seen in zip(pairs, tried, strict=True):
            if is_timed(case.script):
                seen.dear |= {side for side in seen.outcomes if self._is_dear(case, option, seen, side)}
        return tried

    def _is_dear(self, case: LiftedCase, option: Option, seen: Tried, side: Side) -> bool:
        """Tell whether a check that bounds its time fails on a side for what the call costs, as line events count."""
        fixed, outcome = seen.outcomes["fixed"], seen.outcomes[side]
        if self.subject.verdicts[side].passes(case.id) or outcome != fixed or not isinstance(fixed, Observed):
            return False
        key = case.id, side
        if key not in self._dear:
            self._dear[key] = self._costs_more(case, option, side)
        return self._dear[key]

    def _costs_more(self, case: LiftedCase, option: Option, side: Side) -> bool:
        def ends_within(asked: Side, line_events: int) -> bool:
            how = replace(self.how, fork_per_request=True)
            (outcome,) = self.run(asked, [(case, option)], how, line_events)
            return isinstance(outcome, Observed)

        bounds = (_LEAST_EVENTS << power for power in range(_POWERS))
        taken = next((bound for bound in bounds if ends_within("fixed", bound)), None)
        return taken is not None and not ends_within(side, _DEARER * taken)

    def changing(self, known: Mapping[str, Tried]) -> dict[str, str]:
        """Return the checks whose observations change under another hash seed, time zone or order, and where."""
        found: dict[str, str] = {}
        for perturbation in PERTURBATIONS[1:] if known else ():
            found |= self._differing(known, replace(self.how, perturbation=perturbation))
        return found

    def _differing(self, known: Mapping[str, Tried], how: How) -> dict[str, str]:
        found: dict[str, str] = {}
        for side in self.subject.trees:
            steady = [check for check, seen in known.items() if isinstance(seen.outcomes[side], Observed)]
            pairs = [(self.subject.lifted.case(check), known[check].option) for check in steady]
            for check, outcome in zip(steady, self.run(side, pairs, how), strict=True):
                if outcome != known[check].outcomes[side]:
                    found[check] = f"What is observed on the {side} side changes from run to run."
        return found

    def leaks(self, kept: Mapping[str, Choice], known: Mapping[tuple[str, str], Tried]) -> bool:
        """Return whether checks in one process observe something else than in processes of their own."""
        chosen = {check: known[check, choice.option.text] for check, choice in kept.items()}
        together = replace(self.how, fork_per_request=False)
        shuffled = replace(together, perturbation=_SHUFFLED)
        return bool(self._differing(chosen, together) or self._differing(chosen, shuffled))
