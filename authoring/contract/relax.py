"""The step that relaxes what a scenario compares, or its view, where that resolves what a later release disputes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from authoring.contract.collect import Collected
from authoring.contract.hearing import Alternative
from authoring.contract.relax_outer import relax_outer
from authoring.contract.relax_view import Weaker, weaker_scenarios
from authoring.contract.relaxations import common_base, relaxations
from authoring.contract.trial import suspects
from authoring.contract.work import Work
from authoring.contract.wrong import Suspect
from authoring.model.execution import Observed
from authoring.model.observation import Compare
from authoring.scenario.inputs import Input

__all__ = ["relax"]


def relax(work: Work, collected: Collected) -> Collected:
    """Relax a scenario where all that a release disputes of it is resolved so: its comparison, else its view.

    An author's own comparisons and scenarios stay. Every lifted input on which broken is wrong must show it still, and
    every wrong program that some input rejects must be rejected still. What is expected changes with a view. Of a
    release that is asked from outside, the comparison of the outer scenario is relaxed: what differs there says
    nothing of how the entry's results compare.
    """
    hearing, material = work.hearing, work.material
    if hearing.alternatives:
        work.progress.phase("hear later releases", len(hearing.alternatives))
    for alternative in hearing.alternatives:
        disputed = hearing.disputes(alternative, collected.inputs, collected.expected)
        work.progress.step(alternative.label)
        if alternative.label in hearing.outside:
            continue
        if alternative.outer:
            if material.author is None:
                relax_outer(work, collected, alternative, disputed)
            continue
        for scenario in sorted({one.scenario for one in disputed}):
            own = [one for one in disputed if one.scenario == scenario]
            if material.author is None and _relax_comparison(work, collected, alternative, scenario, own):
                continue
            if not material.is_scenarios_edited:
                collected = _relax_view(work, collected, alternative, scenario)
    return collected


def _relax_comparison(
    work: Work, collected: Collected, alternative: Alternative, scenario: str, disputed: Sequence[Input]
) -> bool:
    """Take the first comparison that resolves what is disputed; tell whether there is one."""
    hearing, bench = work.hearing, work.bench
    outcomes = hearing.outcomes(alternative, disputed)
    pairs = [
        (collected.expected[one.key], outcome.observations)
        for one in disputed
        if isinstance(outcome := outcomes[one.key], Observed)
    ]
    base = common_base(pairs, [work.reference])
    refused: list[str] = []
    for relaxation in relaxations(bench.compares.get(scenario, Compare()), base):
        compares = {**bench.compares, scenario: relaxation.compare}
        is_resolved = not any(
            hearing.is_disputed(one, outcomes[one.key], collected.expected, compares) for one in disputed
        )
        if not is_resolved or not _keeps_the_fault(work, collected, scenario, relaxation.compare):
            continue
        lost = _lost(work, collected, alternative, compares)
        if lost:
            refused.append(
                f"The comparison of {scenario} was not relaxed ({', '.join(relaxation.names)}) for the later release "
                f"{alternative.label}: {lost} wrong programs would pass that differ in that only."
            )
            continue
        bench.compares = compares
        hearing.relaxed += [(scenario, name) for name in relaxation.names]
        work.notes.append(
            f"The comparison of {scenario} was relaxed ({', '.join(relaxation.names)}): the later release "
            f"{alternative.label} passes the reproducer and differs in that only."
        )
        return True
    work.notes += refused[:1]
    return False


def _lost(work: Work, collected: Collected, alternative: Alternative, compares: Mapping[str, Compare]) -> int:
    """Return how many wrong programs some input rejects now and none would under other comparisons.

    One that does what the release does, wherever it is rejected, is no wrong program.
    """
    bench, inputs, expected = work.bench, collected.inputs, collected.expected
    tolerant = replace(bench, compares=compares)
    tolerant.observer = bench.observer
    found = 0
    for suspect in suspects(work):
        if not bench.row(suspect.source, inputs, expected).fails:
            continue
        rows = (tolerant.row(suspect.source, inputs, expected, is_full=full) for full in (False, True))
        if not any(row.fails for row in rows):
            found += not _is_as_released(work, collected, alternative, suspect)
    return found


def _is_as_released(work: Work, collected: Collected, alternative: Alternative, suspect: Suspect) -> bool:
    row = work.bench.row(suspect.source, collected.inputs, collected.expected, is_full=True)
    asked = [one for one in collected.inputs if one.key in row.fails]
    seen = work.hearing.outcomes(alternative, asked)
    pairs = zip(asked, work.bench.outcomes(suspect.source, asked), strict=True)
    return all(one.key in seen and work.hearing.is_like(one, own, seen[one.key]) for one, own in pairs)


def _keeps_the_fault(work: Work, collected: Collected, scenario: str, compare: Compare) -> bool:
    lifted = [one for one in collected.lifted if one.scenario == scenario]
    outcomes = work.bench.outcomes(work.broken, lifted)
    now, then = work.bench.compares, {scenario: compare}
    return not any(
        work.hearing.is_disputed(one, seen, collected.expected, now)
        and not work.hearing.is_disputed(one, seen, collected.expected, then)
        for one, seen in zip(lifted, outcomes, strict=True)
    )


def _relax_view(work: Work, collected: Collected, alternative: Alternative, scenario: str) -> Collected:
    """Take the first weaker view that resolves what is disputed; return the inputs with what is expected then."""
    refused: list[str] = []
    for weaker in weaker_scenarios(work, collected, alternative, scenario):
        lost = _lost_by_view(work, collected, alternative, weaker)
        if not lost:
            work.hearing.relaxed.append((scenario, weaker.words))
            work.notes.append(
                f"The view of {scenario} was relaxed ({weaker.words}): the later release {alternative.label} "
                "passes the reproducer and differs in that only."
            )
            return weaker.taken(work, collected)
        refused.append(
            f"The view of {scenario} was not relaxed ({weaker.words}) for the later release {alternative.label}: "
            f"{lost} wrong programs would pass that differ in that only."
        )
    work.notes += refused[:1]
    return collected


def _lost_by_view(work: Work, collected: Collected, alternative: Alternative, weaker: Weaker) -> int:
    """Return how many wrong programs some input rejects now and none would under another view of one scenario.

    Where a right release calls back otherwise and does nothing else, a mutant of which no more can be said is not wrong
    either: only what was captured counts.
    """
    own = {one.key for one in weaker.inputs}
    found = 0
    for suspect in suspects(work):
        if weaker.view.is_of_calls and suspect.kind not in ("broken", "hard_negative"):
            continue
        fails = work.bench.row(suspect.source, collected.inputs, collected.expected).fails
        if not fails or fails - own:
            continue
        rows = (
            weaker.bench.row(suspect.source, weaker.inputs, weaker.expected, is_full=full)
            for full in (False, True)
        )
        if not any(row.fails for row in rows):
            found += not _is_as_released(work, collected, alternative, suspect)
    return found
