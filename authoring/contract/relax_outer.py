"""Relax the comparison of an outer scenario, through which later releases are asked of an entry inside the package."""

from collections.abc import Sequence

from authoring.contract.collect import Collected
from authoring.contract.hearing import Alternative
from authoring.contract.relaxations import common_base, relaxations
from authoring.contract.work import Work
from authoring.model.execution import Observed, Outcome
from authoring.model.observation import Compare, equal
from authoring.model.task import OuterPart
from authoring.model.variants import VersionName
from authoring.scenario.inputs import Input, in_order

__all__ = ["relax_outer"]

_WRONG: tuple[VersionName, ...] = ("broken", "hard_negative")


def relax_outer(
    work: Work, collected: Collected, alternative: Alternative, disputed: Sequence[Input]
) -> None:
    """Relax the comparison of an outer scenario where all that a release disputes of it is resolved so.

    Every outer input that the releases of wrong versions fail must fail on them still.
    """
    parts = [alternative.outer[one.key] for one in disputed if one.key in alternative.outer]
    for scenario in sorted({part.scenario for part in parts}):
        _relax(work, collected, alternative, scenario, [part for part in parts if part.scenario == scenario])


def _relax(
    work: Work, collected: Collected, alternative: Alternative, scenario: str, parts: Sequence[OuterPart]
) -> None:
    hearing, bench = work.hearing, work.bench
    seen = hearing.seen_outside(alternative, parts)
    pairs = [
        (part.expect, outcome.observations)
        for part, outcome in zip(parts, seen, strict=True)
        if isinstance(outcome, Observed)
    ]
    if len(pairs) < len(parts):
        return
    now = bench.compares.get(scenario, Compare())
    for relaxation in relaxations(now, common_base(pairs, [])):
        if not all(equal(theirs, own, relaxation.compare) for own, theirs in pairs):
            continue
        if _hides_a_fault(work, collected, alternative, scenario, now, relaxation.compare):
            continue
        bench.compares = {**bench.compares, scenario: relaxation.compare}
        hearing.relaxed += [(scenario, name) for name in relaxation.names]
        work.notes.append(
            f"The comparison of {scenario} was relaxed ({', '.join(relaxation.names)}): the later release "
            f"{alternative.label} passes the reproducer and differs in that only."
        )
        return


def _hides_a_fault(
    work: Work, collected: Collected, alternative: Alternative, scenario: str, now: Compare, then: Compare
) -> bool:
    """Tell whether the release of a wrong version would pass an outer input that it fails now."""
    asked = [alternative.outer[one.key] for one in collected.inputs if one.key in alternative.outer]
    parts = [part for part in asked if part.scenario == scenario]
    inputs = [Input(scenario, in_order(part.params)) for part in parts]

    def fails(part: OuterPart, outcome: Outcome, compare: Compare) -> bool:
        return not isinstance(outcome, Observed) or not equal(outcome.observations, part.expect, compare)

    for version in _WRONG:
        package = work.material.originals.get(version)
        outcomes = work.bench.outcomes(package, inputs) if package is not None else []
        for part, outcome in zip(parts, outcomes, strict=bool(outcomes)):
            if fails(part, outcome, now) and not fails(part, outcome, then):
                return True
    return False
