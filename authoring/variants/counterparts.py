"""Choose a variant's own checks: for each check of the base, another input that tells the same programs
apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass

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


def choose_counterparts(
    checks: Sequence[Check],
    own: Sequence[Candidate],
    drawn: Sequence[Candidate],
    used: set[str],
    larger: bool,
) -> list[Check]:
    """Return a check for each base check, with the same scenario, rules, and verdicts of the wrong versions.

    ``own`` are the base checks' own inputs as this variant sees them, in order. A drawn input replaces one
    where broken and the hard negative fare the same on it; among those the one that kills most of the same
    mutants wins, then the smaller (public) or larger (hidden) one. ``used`` holds inputs that stand elsewhere
    already and grows.
    """
    return [_choose(check, mine, drawn, used, larger) for check, mine in zip(checks, own, strict=True)]


def _choose(check: Check, own: Candidate, drawn: Sequence[Candidate], used: set[str], larger: bool) -> Check:
    fitting = [
        other
        for other in drawn
        if other.input.scenario == check.scenario
        and other.versions == own.versions
        and place(other.input) not in used
    ]
    chosen = min(fitting, key=lambda other: _rank(other, own, larger), default=own)
    used.add(place(chosen.input))
    return check.model_copy(
        update={
            "name": check.name
            if chosen is own
            else f"an input of {check.scenario} beside that of {check.id}",
            "params": chosen.input.params,
            "expect": chosen.expect,
            "outer": check.outer if chosen is own else None,
        }
    )


def _rank(other: Candidate, own: Candidate, larger: bool) -> tuple[int, int, str]:
    missed = sum(mine and not theirs for mine, theirs in zip(own.mutants, other.mutants, strict=True))
    text = sort_key(other.input.params)
    return missed, -len(text) if larger else len(text), text


def place(each: Input) -> str:
    """Return the text by which two inputs are the same."""
    return each.scenario + "\x00" + sort_key(each.params)


def places_of(checks: Sequence[Check]) -> set[str]:
    """Return the inputs of checks as :func:`place` writes them."""
    return {place(input_of(check)) for check in checks}
