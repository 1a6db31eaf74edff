"""Smaller inputs that show what the reproducer's own show: cheaper to ask, and nearer to where the fault begins."""

from collections.abc import Sequence

from authoring.contract.bench import Expected
from authoring.contract.work import Work
from authoring.model.wire import Wire
from authoring.scenario.inputs import Input, in_order, shrink, weight

__all__ = ["shrunk_faults"]

_FAULTS = 3
"""Failing inputs of the reproducer that are shrunk, the heaviest first: others are small already."""
_KEPT = 4
"""Inputs that are kept of those on the way to a smallest one."""
_HANGS = 6
"""Calls of a batch that may hang before it is given up."""


def shrunk_faults(work: Work, lifted: Sequence[Input], expected: Expected) -> list[Input]:
    """Return smaller inputs on which broken is wrong too, the smallest first; none of an author's own domain.

    ``expected`` is what the reference observes on the lifted inputs.
    """
    if work.material.is_domain_edited:
        return []
    plain = [one for one in lifted if one.key in expected and one.line_events is None]
    heaviest = sorted(_failing(work, plain, expected), key=lambda one: weight(one.params), reverse=True)
    known = {one.key for one in lifted}
    found: dict[str, Input] = {}
    for fault in heaviest[:_FAULTS]:
        smaller = [one for one in _way_down(work, fault) if one.key not in known]
        found |= {one.key: one for one in sorted(smaller, key=lambda one: weight(one.params))[:_KEPT]}
    return list(found.values())


def _way_down(work: Work, fault: Input) -> list[Input]:
    """Return the failing inputs that are met while a smallest one is looked for."""
    met: list[Input] = []

    def holds(wires: Sequence[Wire]) -> list[bool]:
        inputs = [Input(fault.scenario, in_order(wire)) for wire in wires]
        expected = work.bench.expected(work.reference, inputs, work.raises)
        failing = _failing(work, [one for one in inputs if one.key in expected], expected)
        met.extend(failing)
        keys = {one.key for one in failing}
        return [one.key in keys for one in inputs]

    shrink(fault.params, holds)
    return met


def _failing(work: Work, inputs: Sequence[Input], expected: Expected) -> list[Input]:
    row = work.bench.row(work.broken, inputs, expected, is_full=True, hangs_cap=_HANGS)
    return [one for one in inputs if one.key in row.fails]
