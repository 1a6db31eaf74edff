"""The step that settles with later releases: what they still dispute is left out where the contract holds without it,
else the release is outside it.
"""

from collections.abc import Sequence
from dataclasses import replace

from authoring.contract.hearing import Alternative
from authoring.contract.material import HardNegativeKind
from authoring.contract.negative import settle_negative
from authoring.contract.settle import Settled, settle_checks
from authoring.contract.trial import Table
from authoring.contract.work import Work
from authoring.model.errors import RefusedError
from authoring.model.variants import VersionName
from authoring.scenario.inputs import Input, weight

__all__ = ["settle_heard"]

_SHARE = 4
"""A release that disputes more than a quarter of all inputs is outside the contract."""


def settle_heard(work: Work, table: Table, lifted: Sequence[Input]) -> tuple[Settled, HardNegativeKind]:
    """Settle the hard negative, rules and checks so that no later release disputes them.

    A release that holds the fault on some input, disputes too much, or disputes that without which a rule would lose
    its checks, is outside the contract and is heard no more; what another one disputes is left out.
    """
    notes = list(work.notes)
    settled, kind = _settle(work, table, lifted, notes)
    for alternative in work.hearing.open:
        disputed = work.hearing.disputes(alternative, table.inputs, table.expected)
        if not disputed or alternative.label in work.hearing.outside:
            continue
        keys = {one.key for one in disputed}
        left = replace(table, inputs=tuple(one for one in table.inputs if one.key not in keys))
        reason = _changed_the_rule(work, alternative, table, disputed)
        if not reason and not keys & _chosen_keys(settled):
            inputs = tuple(one for one in settled.table.inputs if one.key not in keys)
            settled = replace(settled, table=replace(settled.table, inputs=inputs))
        elif not reason:
            said = work.notes
            again = _settled_again(work, left, [one for one in lifted if one.key not in keys], notes, settled)
            if isinstance(again, str):
                work.notes, reason = said, again
            else:
                settled, kind = again
        if reason:
            work.hearing.exclude(alternative, reason, _telling(settled, disputed))
        else:
            work.hearing.dropped |= keys
            table = left
    return settled, kind


def _settle(
    work: Work, table: Table, lifted: Sequence[Input], notes: Sequence[str]
) -> tuple[Settled, HardNegativeKind]:
    work.notes = list(notes)
    with_negative, kind = settle_negative(work, table, lifted)
    return settle_checks(work, with_negative, lifted), kind


def _settled_again(
    work: Work, table: Table, lifted: Sequence[Input], notes: Sequence[str], before: Settled
) -> tuple[Settled, HardNegativeKind] | str:
    """Return what is settled without some inputs, or why the contract does not hold without them."""
    try:
        settled, kind = _settle(work, table, lifted, notes)
    except RefusedError as error:
        return f"without the inputs that it disputes there is no contract ({error.code})"
    if len(settled.chosen.texts) < len(before.chosen.texts):
        return "without the inputs that it disputes a rule loses its checks"
    if not _rejects_wrong_programs(settled):
        return "without the inputs that it disputes a wrong program passes"
    return settled, kind


def _changed_the_rule(work: Work, alternative: Alternative, table: Table, disputed: Sequence[Input]) -> str:
    """Return why a release is no other right program, as far as that shows in what it disputes."""
    faults = {one.key for one in table.inputs} & table.faults
    at_faults = [one for one in disputed if one.key in faults]
    for version in ("broken", "hard_negative"):
        if _is_like(work, alternative, version, disputed, table):
            return f"on some input it does what the {version.replace('_', ' ')} program does wrong"
    if 2 * len(at_faults) > len(faults):
        return f"it disputes {len(at_faults)} of the {len(faults)} inputs that show the fault"
    if _SHARE * len(disputed) > len(table.inputs):
        return f"it disputes {len(disputed)} of {len(table.inputs)} inputs"
    return ""


def _is_like(
    work: Work, alternative: Alternative, version: VersionName, disputed: Sequence[Input], table: Table
) -> bool:
    """Tell whether a release observes what a captured wrong program does where that one is wrong."""
    source, wrong = work.material.programs.get(version), table.wrong(version)
    if source is None or wrong is None:
        return False
    asked = [one for one in disputed if one.key in wrong.fails]
    seen = work.hearing.outcomes(alternative, asked)
    pairs = zip(asked, work.bench.outcomes(source, asked), strict=True)
    return any(work.hearing.is_like(one, outcome, seen[one.key]) for one, outcome in pairs if one.key in seen)


def _chosen_keys(settled: Settled) -> set[str]:
    return {one.input.key for one in (*settled.chosen.public, *settled.chosen.hidden)}


def _rejects_wrong_programs(settled: Settled) -> bool:
    public = {one.input.key for one in settled.chosen.public}
    hidden = {one.input.key for one in settled.chosen.hidden}
    negative = settled.table.wrong("hard_negative")
    faults = settled.table.faults
    return bool(faults & public and faults & hidden and (negative is None or negative.fails & hidden))


def _telling(settled: Settled, disputed: Sequence[Input]) -> Input:
    """Return the smallest disputed input, of those that stand in a check where there are such."""
    chosen = _chosen_keys(settled)
    return min(disputed, key=lambda one: (one.key not in chosen, weight(one.params), one.key))
