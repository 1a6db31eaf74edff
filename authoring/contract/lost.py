"""Inputs on which the real release does what the contract covers, and the reduced reference no longer does."""

from collections.abc import Sequence

from authoring.contract.bench import Expected, raised_by
from authoring.contract.work import Work
from authoring.model.execution import Observed, Outcome
from authoring.scenario.inputs import Input, hangs

__all__ = ["note_lost"]

_HANGS = 24
"""Hangs of the release after which it is asked no further: each costs its whole budget."""


def note_lost(work: Work, inputs: Sequence[Input], expected: Expected) -> None:
    """Note among the unfaithful inputs those that only the reduction put outside the domain.

    ``expected`` is what the reduced reference does inside: what is not in it would count as outside and be dropped,
    although a table's element that the reduction took away is all that makes it so.
    """
    package = work.material.originals.get("reference")
    outside = [one for one in inputs if one.key not in expected]
    if package is None or not outside:
        return
    real = work.bench.observer.first_outcomes(package, outside, lambda seen: hangs(seen) >= _HANGS)
    covered = [one for one in outside if one.key in real and _is_covered(work, real[one.key])]
    for one, reduced in zip(covered, work.bench.outcomes(work.reference, covered), strict=True):
        if not work.bench.is_same(one, reduced, real[one.key]):
            work.unfaithful.setdefault(one.key, one)


def _is_covered(work: Work, outcome: Outcome) -> bool:
    if not isinstance(outcome, Observed) or not outcome.observations:
        return False
    raised = raised_by(outcome)
    return raised is None or raised in work.raises
