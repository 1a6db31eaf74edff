"""Choose a variant's own checks: for each check of the base, another input that tells the same programs
apart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from authoring.contract.describe import check_name
from authoring.model.observation import Observation
from authoring.model.task import Check
from authoring.model.wire import sort_key
from authoring.variants.observer import Input, input_of

__all__ = ["Candidate", "choose_counterparts", "place", "places_of"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An input of this variant with the reference's observations and what each wrong program makes of it."""

    input: Input
    expect: tuple[Observation, ...]
    versions: tuple[bool, ...]
    """For broken and, where there is one, the hard negative: whether it fails."""
    mutants: tuple[bool, ...]
    """For each mutant of the reference: whether it fails."""
    is_mixed: bool = False
    """Whether it is a mixture of inputs and not what the domain draws."""


def choose_counterparts(
    checks: Sequence[Check],
    own: Sequence[Candidate],
    drawn: Sequence[Candidate],
    used: set[str],
    *,
    larger: bool,
    drawn_as: Mapping[str, str] | None = None,
) -> list[Check]:
    """Return a check for each base check, with the same scenario, rules, and verdicts of the wrong versions.

    ``own`` are the base checks' own inputs as this variant sees them, in order. A drawn input replaces one
    where broken and the hard negative fare the same on it; among those the one that kills most of the same
    mutants wins, then one that the domain draws, then the smallest (public) or the one about twice as large
    (hidden). ``used`` holds inputs that stand elsewhere already and grows; ``drawn_as`` is that of :func:`place`.
    """
    found = []
    for check, mine in zip(checks, own, strict=True):
        free = [other for other in drawn if place(other.input, drawn_as) not in used]
        chosen = _choose(mine, free, larger)
        used.add(place(chosen.input, drawn_as))
        found.append(_instead(check, chosen) if chosen is not mine else _again(check, mine))
    return found


def _choose(own: Candidate, free: Sequence[Candidate], larger: bool) -> Candidate:
    if own.input.line_events is not None:  # its bound holds at this very size
        return own
    fitting = [
        other
        for other in free
        if other.input.scenario == own.input.scenario and other.versions == own.versions
    ]
    return min(fitting, key=lambda other: _rank(other, own, larger), default=own)


def _rank(other: Candidate, own: Candidate, larger: bool) -> tuple[int, bool, int, str]:
    missed = sum(mine and not theirs for mine, theirs in zip(own.mutants, other.mutants, strict=True))
    text = sort_key(other.input.params)
    size = abs(len(text) - 2 * len(sort_key(own.input.params))) if larger else len(text)
    return missed, other.is_mixed, size, text


def _again(check: Check, own: Candidate) -> Check:
    return check.model_copy(update={"expect": own.expect})


def _instead(check: Check, chosen: Candidate) -> Check:
    """Return the check at another input; what was recorded outside for its own input does not hold for this
    one.
    """
    params = chosen.input.params
    name = check_name(check.scenario, params, list(chosen.expect))
    return check.model_copy(update={"name": name, "params": params, "expect": chosen.expect, "outer": None})


def place(each: Input, drawn_as: Mapping[str, str] | None = None) -> str:
    """Return the text by which two inputs are the same.

    ``drawn_as`` names for a relation the scenario that it is made of: whoever sees the relation's observations knows
    that one's too.
    """
    scenario = (drawn_as or {}).get(each.scenario, each.scenario)
    return scenario + "\x00" + sort_key(each.params)


def places_of(checks: Sequence[Check], drawn_as: Mapping[str, str] | None = None) -> set[str]:
    """Return the inputs of checks as :func:`place` writes them."""
    return {place(input_of(check), drawn_as) for check in checks}
