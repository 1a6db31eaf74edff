"""The steps that hear later releases: comparisons are relaxed where that resolves what they dispute, else inputs are
left out where the rules still hold without them, else the release is outside the contract.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from authoring.contract.collect import Collected
from authoring.contract.hearing import Alternative
from authoring.contract.settle import Settled, settle_checks
from authoring.contract.trial import Table
from authoring.contract.work import Work
from authoring.model.errors import RefusedError
from authoring.model.observation import Compare, FloatTolerance
from authoring.scenario.inputs import Input, weight

__all__ = ["agree", "relax"]

_TOLERANCE = 1e-9
_SHARE = 4
"""A release that disputes more than a quarter of all inputs, or half of those that show the fault, is outside."""


def relax(work: Work, collected: Collected) -> None:
    """Relax the comparison of a scenario where all that a release disputes of it is resolved so.

    An author's own comparisons stay. Every lifted input on which broken is wrong must show it still.
    """
    hearing = work.hearing
    if hearing.alternatives:
        work.progress.phase("hear later releases", len(hearing.alternatives))
    for alternative in hearing.alternatives:
        disputed = hearing.disputes(alternative, collected.inputs, collected.expected)
        work.progress.step(alternative.label)
        if work.material.author is not None or alternative.label in hearing.outside:
            continue
        for scenario in sorted({one.scenario for one in disputed}):
            own = [one for one in disputed if one.scenario == scenario]
            _relax_scenario(work, collected, alternative, scenario, own)


def _relax_scenario(
    work: Work, collected: Collected, alternative: Alternative, scenario: str, disputed: Sequence[Input]
) -> None:
    hearing, bench = work.hearing, work.bench
    outcomes = hearing.outcomes(alternative, disputed)
    for names, compare in _relaxations(bench.compares.get(scenario, Compare())):
        compares = {**bench.compares, scenario: compare}
        is_resolved = not any(
            hearing.is_disputed(one, outcomes[one.key], collected.expected, compares) for one in disputed
        )
        if is_resolved and _keeps_the_fault(work, collected, scenario, compare):
            bench.compares = compares
            hearing.relaxed += [(scenario, name) for name in names]
            work.notes.append(
                f"The comparison of {scenario} was relaxed ({', '.join(names)}): the later release "
                f"{alternative.label} passes the reproducer and differs in that only."
            )
            return


def _relaxations(compare: Compare) -> Iterator[tuple[tuple[str, ...], Compare]]:
    """Yield more tolerant comparisons, the least tolerant first; names say what differs."""
    single = {
        "exception": Compare(exception="type"),
        "order": Compare(order="any"),
        "floats": Compare(floats=FloatTolerance(rel=_TOLERANCE)),
    }
    for names in (("exception",), ("order",), ("floats",), ("order", "floats"), tuple(single)):
        relaxed = compare.model_copy(update={name: getattr(single[name], name) for name in names})
        changed = tuple(name for name in names if getattr(relaxed, name) != getattr(compare, name))
        if changed == names:
            yield changed, relaxed


def _keeps_the_fault(work: Work, collected: Collected, scenario: str, compare: Compare) -> bool:
    lifted = [one for one in collected.lifted if one.scenario == scenario]
    outcomes = work.bench.outcomes(work.broken, lifted)
    now, then = work.bench.compares, {scenario: compare}
    return not any(
        work.hearing.is_disputed(one, seen, collected.expected, now)
        and not work.hearing.is_disputed(one, seen, collected.expected, then)
        for one, seen in zip(lifted, outcomes, strict=True)
    )


def agree(work: Work, settled: Settled, lifted: Sequence[Input]) -> Settled:
    """Return checks that no later release disputes, as long as every rule and the hard negative keep theirs.

    A release for which they would not is outside the contract, and is heard no more.
    """
    for alternative in work.hearing.open:
        table = settled.table
        disputed = work.hearing.disputes(alternative, table.inputs, table.expected)
        if not disputed or alternative.label in work.hearing.outside:
            continue
        keys = {one.key for one in disputed}
        again = None if _is_too_much(table, keys) else _settled_without(work, settled, lifted, keys)
        if again is None:
            reason = f"it disputes {len(keys)} of {len(table.inputs)} inputs, and no rule holds without them"
            work.hearing.exclude(alternative, reason, _telling(settled, disputed))
        else:
            work.hearing.dropped |= keys
            settled = again
    return settled


def _is_too_much(table: Table, keys: set[str]) -> bool:
    faults = table.faults & {one.key for one in table.inputs}
    return _SHARE * len(keys) > len(table.inputs) or 2 * len(faults & keys) > len(faults)


def _settled_without(work: Work, settled: Settled, lifted: Sequence[Input], keys: set[str]) -> Settled | None:
    """Return what is settled without some inputs, or None where that costs a rule or lets a wrong program pass."""
    table = replace(settled.table, inputs=tuple(one for one in settled.table.inputs if one.key not in keys))
    chosen = {one.input.key for one in (*settled.chosen.public, *settled.chosen.hidden)}
    if not chosen & keys:
        return replace(settled, table=table)
    notes = list(work.notes)
    work.notes = [note for note in notes if note not in settled.chosen.merged]
    try:
        again = settle_checks(work, table, [one for one in lifted if one.key not in keys])
    except RefusedError:
        work.notes = notes
        return None
    if len(again.chosen.texts) < len(settled.chosen.texts) or not _rejects_wrong_programs(again):
        work.notes = notes
        return None
    return again


def _rejects_wrong_programs(settled: Settled) -> bool:
    public = {one.input.key for one in settled.chosen.public}
    hidden = {one.input.key for one in settled.chosen.hidden}
    negative = settled.table.wrong("hard_negative")
    faults = settled.table.faults
    return bool(faults & public and faults & hidden and (negative is None or negative.fails & hidden))


def _telling(settled: Settled, disputed: Sequence[Input]) -> Input:
    """Return the smallest disputed input, of those that stand in a check where there are such."""
    chosen = {one.input.key for one in (*settled.chosen.public, *settled.chosen.hidden)}
    return min(disputed, key=lambda one: (one.key not in chosen, weight(one.params), one.key))
