"""Inputs that show what the reproducer's own show: smaller ones, nearer to where a fault begins, and ones next to them.

A hidden check has to differ from every public one. Where few inputs show a fault, drawing hardly meets another.
"""

from collections.abc import Sequence

from authoring.contract.work import Work
from authoring.model.variants import VersionName
from authoring.model.wire import Wire
from authoring.scenario.inputs import Input, in_order, neighbours, palette_of, shrink, weight

__all__ = ["near_faults"]

_FAULTS = 4
"""Failing inputs of the reproducer around which is looked, of each wrong version, the heaviest first."""
_NEIGHBOURS = 96
_SMALLER, _BESIDE = 4, 4
"""Inputs that are kept of those on the way to a smallest one, and of the neighbours."""
_HANGS = 6
"""Calls of a batch that may hang before it is given up."""
_WRONG: tuple[VersionName, ...] = ("broken", "hard_negative")


def near_faults(work: Work, lifted: Sequence[Input]) -> list[Input]:
    """Return further inputs on which broken or the captured attempt is wrong; none of an author's own domain."""
    if work.material.is_domain_edited:
        return []
    plain = [one for one in lifted if one.line_events is None]
    known = {one.key for one in lifted}
    found: dict[str, Input] = {}
    for version in _WRONG:
        source = work.material.programs.get(version)
        if source is None:
            continue
        faults = _failing(work, source, plain)
        for fault in sorted(faults, key=lambda one: weight(one.params), reverse=True)[:_FAULTS]:
            for some, count in (
                (_way_down(work, source, fault), _SMALLER),
                (_beside(work, source, fault), _BESIDE),
            ):
                new = [one for one in some if one.key not in known and one.key not in found]
                found |= {one.key: one for one in sorted(new, key=lambda one: weight(one.params))[:count]}
    return list(found.values())


def _way_down(work: Work, source: str, fault: Input) -> list[Input]:
    """Return the failing inputs that are met while a smallest one is looked for."""
    met: list[Input] = []

    def holds(wires: Sequence[Wire]) -> list[bool]:
        inputs = [Input(fault.scenario, in_order(wire)) for wire in wires]
        failing = _failing(work, source, inputs)
        met.extend(failing)
        keys = {one.key for one in failing}
        return [one.key in keys for one in inputs]

    shrink(fault.params, holds)
    return met


def _beside(work: Work, source: str, fault: Input) -> list[Input]:
    """Return the failing inputs that are one small edit away."""
    palette = palette_of([fault.params], work.code)
    wires = neighbours(fault.params, palette, _NEIGHBOURS)
    return _failing(work, source, [Input(fault.scenario, in_order(wire)) for wire in wires])


def _failing(work: Work, source: str, inputs: Sequence[Input]) -> list[Input]:
    """Return the inputs of the domain on which a program is not like the reference."""
    expected = work.bench.expected(work.reference, inputs, work.raises)
    inside = [one for one in inputs if one.key in expected]
    row = work.bench.row(source, inside, expected, is_full=True, hangs_cap=_HANGS)
    return [one for one in inside if one.key in row.fails]
