"""Relations tried on programs: on which inputs the reference keeps them, and which wrong programs do not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from authoring.contract.bench import Bench, Expected
from authoring.contract.relations import Proposal, is_held
from authoring.contract.wrong import Suspect
from authoring.model.execution import Observed, Outcome
from authoring.model.wire import Wire, sort_key
from authoring.scenario.inputs import Input

__all__ = ["Tried", "at", "crossed", "holds", "telling", "tried"]

_LEAST = 8


@dataclass(frozen=True, slots=True)
class Tried:
    """What wrong programs make of one relation's inputs."""

    proposal: Proposal
    inputs: tuple[Input, ...]
    """Of its scenario; on all of them the reference keeps it."""
    expected: Expected
    fails: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By the key of an input: ids of the programs that observe something else than the reference."""
    breaks: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By the key of an input: ids of the programs that do not keep the relation themselves."""

    @property
    def breakers(self) -> frozenset[str]:
        """The ids of all programs that do not keep it."""
        return frozenset().union(*self.breaks.values())


def at(proposal: Proposal, inputs: Sequence[Input]) -> list[Input]:
    """Return the inputs of the scenario that the proposal is made of as inputs of its own."""
    return [Input(proposal.function, one.params) for one in inputs if one.scenario == proposal.of]


def telling(proposal: Proposal, inputs: Sequence[Input]) -> list[Input]:
    """Return the inputs on which the proposal changes something: others keep any relation."""
    return [one for one in inputs if _different(one, proposal.parameter) >= proposal.least]


def crossed(proposal: Proposal, inputs: Sequence[Input]) -> list[Input]:
    """Return inputs whose changed parameter holds the items of two of the inputs, one after the other."""
    if not proposal.least:
        return []
    found = []
    for one, other in pairwise(inputs):
        tag, items = _items(one, proposal.parameter)
        other_tag, more = _items(other, proposal.parameter)
        if tag and tag == other_tag:
            body = [*items, *more]
            if tag == "dict":
                body = list({sort_key(key): [key, value] for key, value in body}.values())
            pairs = [
                [name, {tag: body} if name == proposal.parameter else value]
                for name, value in one.params["dict"]
            ]
            found.append(Input(one.scenario, {"dict": pairs}))
    return found


def _different(one: Input, parameter: str) -> int:
    return len({sort_key(item) for item in _items(one, parameter)[1]})


def _items(one: Input, parameter: str) -> tuple[str, Sequence[Wire]]:
    """Return the tag and the items of a parameter, a pair each of a dict; none of what is no list, tuple or dict."""
    for name, value in one.params["dict"]:
        if name == parameter and isinstance(value, dict):
            ((tag, body),) = value.items()
            if tag in ("list", "tuple", "dict"):
                return tag, body
    return "", ()


def holds(bench: Bench, source: str, inputs: Sequence[Input]) -> bool:
    """Return whether a program keeps a relation wherever there is something to compare, on eight inputs at least."""

    def is_broken(outcome: Outcome) -> bool:
        return not isinstance(outcome, Observed) or is_held(outcome.observations) is False

    seen = bench.observer.first_outcomes(
        bench.program(source), inputs, lambda known: any(map(is_broken, known.values()))
    )
    kept = sum(isinstance(one, Observed) and is_held(one.observations) is True for one in seen.values())
    return kept >= _LEAST and not any(map(is_broken, seen.values()))


def tried(bench: Bench, relations: Sequence[Tried], suspects: Sequence[Suspect]) -> list[Tried]:
    """Return the relations with what every suspect makes of their inputs; one that hangs twice is asked no more."""
    inputs = [one for relation in relations for one in relation.inputs]
    expected = {key: seen for relation in relations for key, seen in relation.expected.items()}
    fails: dict[str, set[str]] = {one.key: set() for one in inputs}
    breaks: dict[str, set[str]] = {one.key: set() for one in inputs}
    for suspect in suspects:
        seen = bench.observer.first_outcomes(bench.program(suspect.source), inputs)
        for one in inputs:
            outcome = seen.get(one.key)
            if outcome is None or not bench.is_wrong(one, outcome, expected[one.key]):
                continue
            fails[one.key].add(suspect.id)
            if isinstance(outcome, Observed) and is_held(outcome.observations) is False:
                breaks[one.key].add(suspect.id)
    return [
        Tried(
            relation.proposal,
            relation.inputs,
            relation.expected,
            {one.key: frozenset(fails[one.key]) for one in relation.inputs},
            {one.key: frozenset(breaks[one.key]) for one in relation.inputs},
        )
        for relation in relations
    ]
