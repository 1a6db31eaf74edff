"""Observations of many inputs on many programs: remembered, in batches, cut short where calls hang."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from authoring.model.digest import sha256_hex
from authoring.model.execution import How, Hung, Observed, Outcome, Request, Runner, Subject
from authoring.model.observation import Compare, equal
from authoring.model.wire import Wire, sort_key

__all__ = ["Input", "Observer", "hangs", "is_same"]

_FIRST_BATCH = 24
_HANGS_CAP = 2


@dataclass(frozen=True, slots=True)
class Input:
    """One input: a scenario and its parameters."""

    scenario: str
    params: Wire
    line_events: int | None = None
    """How many line events a call may take; None: only time bounds it."""
    key: str = field(init=False)
    """A text that only this input has."""

    def __post_init__(self) -> None:
        bound = "" if self.line_events is None else f" within {self.line_events}"
        object.__setattr__(self, "key", f"{self.scenario} {sort_key(self.params)}{bound}")

    @property
    def request(self) -> Request:
        """Return the call of the scenario of the same name."""
        return Request(self.scenario, self.params, line_events=self.line_events)


def is_same(left: Outcome, right: Outcome, compare: Compare | None = None) -> bool:
    """Return whether two outcomes agree; observations as ``compare`` looks at them, all else exactly."""
    if isinstance(left, Observed) and isinstance(right, Observed):
        return equal(left.observations, right.observations, compare)
    return left == right


@dataclass(slots=True)
class Observer:
    """Ask a runner about inputs, never twice the same of the same subject.

    ``functions`` maps scenario ids to functions of scenarios.py where they differ.
    """

    runner: Runner
    how: How
    functions: dict[str, str] = field(default_factory=dict)
    asked: int = 0
    """Requests sent so far: the effort of all searches."""
    _known: dict[str, dict[str, Outcome]] = field(default_factory=dict)

    def outcomes(self, subject: Subject, inputs: Sequence[Input]) -> list[Outcome]:
        """Return one outcome for each input, in order."""
        known = self._known.setdefault(_digest(subject), {})
        self._ask(subject, inputs, known)
        return [known[one.key] for one in inputs]

    def first_outcomes(
        self,
        subject: Subject,
        inputs: Sequence[Input],
        is_enough: Callable[[dict[str, Outcome]], bool] | None = None,
    ) -> dict[str, Outcome]:
        """Return outcomes by the input's key: of all inputs, or of those asked until there were enough.

        Unless said otherwise two hangs are enough: a hang costs a hundred times what another outcome does.
        """
        known = self._known.setdefault(_digest(subject), {})
        seen: dict[str, Outcome] = {}
        for batch in _batches(inputs):
            self._ask(subject, batch, known)
            seen |= {one.key: known[one.key] for one in batch}
            if is_enough(seen) if is_enough is not None else hangs(seen) >= _HANGS_CAP:
                break
        return seen

    def forget(self, subject: Subject) -> None:
        """Drop what is remembered of a subject that will not be asked again."""
        self._known.pop(_digest(subject), None)

    def _ask(self, subject: Subject, inputs: Iterable[Input], known: dict[str, Outcome]) -> None:
        missing = {one.key: one for one in inputs if one.key not in known}
        if not missing:
            return
        requests = [
            replace(one.request, scenario=self.functions.get(one.scenario, one.scenario))
            for one in missing.values()
        ]
        self.asked += len(requests)
        answers = self.runner.observe(subject, requests, self.how)
        known.update(zip(missing, answers, strict=True))


def hangs(seen: dict[str, Outcome]) -> int:
    """Return how many of the outcomes are hangs."""
    return sum(isinstance(outcome, Hung) for outcome in seen.values())


def _batches(inputs: Sequence[Input]) -> list[Sequence[Input]]:
    """Return growing batches: few first, since most wrong programs show at once whether they hang."""
    batches, at, size = [], 0, _FIRST_BATCH
    while at < len(inputs):
        batches.append(inputs[at : at + size])
        at, size = at + size, size * 2
    return batches


def _digest(subject: Subject) -> str:
    return sha256_hex(repr(subject).encode("utf-8", "surrogatepass"))
