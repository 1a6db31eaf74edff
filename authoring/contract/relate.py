"""The step that adds relations: scenarios that observe both sides of what holds whatever the input is."""

from collections.abc import Sequence
from dataclasses import replace

from authoring.contract.bench import Bench
from authoring.contract.further import further_inputs
from authoring.contract.hearing import Hearing
from authoring.contract.paths import rarest_first
from authoring.contract.related import Picked, Related, joined, unchanged
from authoring.contract.relation_trial import Tried, at, crossed, holds, telling, tried
from authoring.contract.relations import Proposal, functions_in, is_held, proposals_of
from authoring.contract.settle import Settled
from authoring.contract.trial import Table
from authoring.contract.work import Work
from authoring.contract.wrong import Suspect
from authoring.model.contract import Rule
from authoring.model.observation import Compare
from authoring.model.wire import sort_key
from authoring.scenario.inputs import Input, weight
from authoring.scenario.lifting import without_calls

__all__ = ["relate"]

_KEPT = 2
_PUBLIC_MOST, _HIDDEN_MOST = 8, 20
_HIDDEN = 2
_TRIED = 200
_INPUTS, _INPUTS_ALL, _INPUTS_LEAST = 12, 64, 4
_LENGTH_CAP, _EXPECT_LENGTH_CAP = 1500, 4000
_CAPTURED = frozenset({"broken", "hard_negative"})


def relate(work: Work, settled: Settled, rules: Sequence[Rule], pooled: frozenset[str]) -> Related:
    """Return the checks with those of at most two relations that say different things; as they are where none tells
    anything.

    A relation is kept where the reference keeps it on every input tried and some wrong program breaks it;
    one that rejects what no check rejects comes first, then one that broken or the hard negative breaks.
    ``pooled`` are the keys of the pools' inputs, which no check may show.
    """
    work.progress.phase("try relations")
    proposals = _proposals(work)
    bench = _bench(work, proposals)
    held = [one for one in proposals if _is_held_by_reference(work, bench, one, _valued(settled.table))]
    free = _free(work, settled, pooled)
    relations = [made for one in held if (made := _tried_on(work, bench, one, free, len(held))) is not None]
    found = tried(bench, relations, _suspects(settled.table)) if relations else []
    picks: list[Picked] = []
    related = unchanged(work, settled, rules)
    for relation in _ranked(found, settled):
        if len(picks) == _KEPT or not _has_room(settled, picks):
            break
        pick = _picked(relation, settled, picks)
        if pick is None or not _is_sound(work, bench, relation, pick):
            continue
        more = joined(work, bench, settled, rules, [*picks, pick])
        if more is not None and len(more.rules) >= len(related.rules):
            picks.append(pick)
            related = more
    work.notes += related.notes
    return related


def _proposals(work: Work) -> list[Proposal]:
    """Return what may be tried: with an author's contract, what it names and nothing else."""
    material = work.material
    if material.is_inside:
        return []
    rebound = {name for package in material.originals.values() for name in functions_in(package.original)}
    elsewhere = {name for name, level in material.levels.items() if level != "both"}
    scenarios = without_calls(material.scenarios)
    found = proposals_of(scenarios, material.capture.checks, rebound | elsewhere)
    if material.author is None:
        return found
    named = {spec.id for spec in material.author.scenarios if spec.relation_of is not None}
    return [one for one in found if one.function in named]


def _bench(work: Work, proposals: Sequence[Proposal]) -> Bench:
    """Return a bench whose scenarios are the contract's and all proposals."""
    bench, compares = work.bench, dict(work.bench.compares)
    for one in proposals:
        compares.setdefault(one.function, compares.get(one.of, Compare()))
    text = "\n\n".join([bench.scenarios, *(one.text for one in proposals if one.text)])
    return Bench(
        bench.runner, bench.how, text, bench.types, compares, bench.module, bench.beside, bench.taken
    )


def _is_held_by_reference(work: Work, bench: Bench, one: Proposal, inputs: Sequence[Input]) -> bool:
    """Return whether the reference keeps a relation, also where the changed parameter holds the items of two inputs."""
    own = at(one, inputs)
    if not work.material.is_domain_edited:
        own += crossed(one, own)
    return holds(bench, work.reference, telling(one, own))


def _valued(table: Table) -> list[Input]:
    """Return the inputs on which the reference observes a value first, at most 200 of each scenario."""
    found: dict[str, list[Input]] = {}
    for one in table.inputs:
        if one.line_events is None and "value" in table.expected[one.key][0]:
            found.setdefault(one.scenario, []).append(one)
    return [one for inputs in found.values() for one in inputs[:_TRIED]]


def _free(work: Work, settled: Settled, pooled: frozenset[str]) -> list[Input]:
    """Return inputs that no check, no pool and not the reproducer holds, short enough to be read."""
    table = settled.table
    shown = {one.input.key for one in (*settled.chosen.public, *settled.chosen.hidden)}
    lifted = {sort_key(check.params) for check in work.material.capture.checks if check.scenario}
    fresh = further_inputs(work, table.inputs, seed=work.material.seed + 41)
    known = rarest_first(_valued(table), work.paths)
    return [
        one
        for one in [*known, *fresh]
        if one.key not in shown | pooled
        and sort_key(one.params) not in lifted
        and weight(one.params)[0] <= _LENGTH_CAP
    ]


def _tried_on(
    work: Work, bench: Bench, proposal: Proposal, free: Sequence[Input], relations: int
) -> Tried | None:
    """Return a relation with the inputs that its checks may have; None: too few, or the reference breaks it on one."""
    wanted = max(_INPUTS_LEAST, min(_INPUTS, _INPUTS_ALL // max(relations, 1)))
    some = telling(proposal, at(proposal, free))[: 2 * wanted]
    expected = bench.expected(work.reference, some, work.raises)
    fit = [
        one
        for one in some
        if is_held(expected.get(one.key, ())) and len(str(expected[one.key])) <= _EXPECT_LENGTH_CAP
    ]
    if len(fit) < _INPUTS_LEAST or any(is_held(seen) is False for seen in expected.values()):
        return None
    return Tried(proposal, tuple(fit[:wanted]), {one.key: expected[one.key] for one in fit})


def _suspects(table: Table) -> list[Suspect]:
    """Return the wrong programs that few inputs reject, the captured ones, and those presumed equivalent."""
    wrongs = [
        Suspect(one.id, one.kind, one.source, one.is_near_fix)
        for one in table.wrongs
        if one.kind in _CAPTURED or 2 * len(one.fails) <= len(one.row.asked)
    ]
    return [*wrongs, *table.presumed]


def _ranked(found: Sequence[Tried], settled: Settled) -> list[Tried]:
    chosen = (*settled.chosen.public, *settled.chosen.hidden)
    rejected = frozenset().union(*(one.kills for one in chosen))

    def order(one: Tried) -> tuple[bool, bool, int]:
        return not one.breakers - rejected, not one.breakers & _CAPTURED, -len(one.breakers)

    return sorted((one for one in found if one.breakers), key=order)


def _has_room(settled: Settled, picks: Sequence[Picked]) -> bool:
    public = len(settled.chosen.public) + len(picks)
    hidden = len(settled.chosen.hidden) + sum(len(one.hidden) for one in picks)
    return public < _PUBLIC_MOST and hidden < _HIDDEN_MOST


def _picked(relation: Tried, settled: Settled, picks: Sequence[Picked]) -> Picked | None:
    """Choose one public and two hidden inputs: those that most programs break the relation on, small ones first.

    An input on which broken is wrong for another reason is the last choice: it would stand for another rule.
    """
    if relation.proposal.rule in [pick.proposal.rule for pick in picks]:
        return None
    taken = {sort_key(one.params) for pick in picks for one in (pick.public, *pick.hidden)}
    taken |= {sort_key(one.input.params) for one in (*settled.chosen.public, *settled.chosen.hidden)}

    def order(one: Input) -> tuple[bool, int, tuple[int, int, str]]:
        by_fault = "broken" in relation.fails[one.key] - relation.breaks[one.key]
        return by_fault, -len(relation.breaks[one.key]), weight(one.params)

    free = sorted((one for one in relation.inputs if sort_key(one.params) not in taken), key=order)
    room = min(_HIDDEN, _HIDDEN_MOST - len(settled.chosen.hidden) - sum(len(one.hidden) for one in picks))
    if len(free) < 2 or room < 1 or not relation.breaks[free[0].key]:
        return None
    hidden = [free[0], *free[2 : room + 1]]
    return Picked(relation.proposal, free[1], tuple(hidden), relation.expected)


def _is_sound(work: Work, bench: Bench, relation: Tried, pick: Picked) -> bool:
    """Return whether the relation holds on inputs drawn anew, and its checks are stable, undisputed by later releases
    and true to the releases that the programs are made of.
    """
    inputs = [pick.public, *pick.hidden]
    fresh = further_inputs(work, _as_before(relation), seed=work.material.seed + 43)
    if not _is_held_by_reference(work, bench, relation.proposal, fresh[:_TRIED]):
        return False
    if bench.unstable(work.reference, inputs):
        return False
    hearing = Hearing(work.hearing.open, bench)
    if hearing.agreeing(inputs, relation.expected) != inputs or hearing.outside:
        return False
    for version, package in sorted(work.material.originals.items()):
        outcomes = bench.outcomes(work.standing_for(version), inputs)
        real = bench.outcomes(replace(package, scenarios=bench.scenarios), inputs)
        if not all(map(bench.is_same, inputs, outcomes, real)):
            work.notes.append(
                f"The relation {relation.proposal.function} was left out: a reduced program differs from its "
                "release on it."
            )
            return False
    return True


def _as_before(relation: Tried) -> list[Input]:
    return [Input(relation.proposal.of, one.params) for one in relation.inputs]
