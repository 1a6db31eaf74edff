"""The step that settles rules and checks: chosen, then made sure of on every wrong program and real
release.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from authoring.contract.candidates import candidates_of
from authoring.contract.classes import features_of
from authoring.contract.fidelity import faithful
from authoring.contract.refusals import refuse_few_inputs, refuse_single_failure
from authoring.contract.rules import Chosen, choose
from authoring.contract.sentences import Sentence
from authoring.contract.telling import told_rules
from authoring.contract.trial import Table, with_checks
from authoring.contract.words import drafted_rules
from authoring.contract.work import Work
from authoring.model.execution import Observed
from authoring.model.observation import Observation
from authoring.model.variants import VersionName
from authoring.scenario.inputs import Input, weight

__all__ = ["Settled", "settle_checks"]

_ROUNDS = 6


@dataclass(frozen=True, slots=True)
class Settled:
    """Rules and checks, with the table in which all of them were asked about."""

    table: Table
    chosen: Chosen
    order: tuple[str, ...]
    """Wrong programs, the best witnesses first."""
    fault: Input
    """The smallest input on which broken is wrong."""
    fault_seen: tuple[Observation, ...] | None
    """What broken observes there; None where it does not come to an end."""


def settle_checks(work: Work, table: Table, lifted: Sequence[Input]) -> Settled:
    """Choose rules and checks; drop chosen inputs on which a program differs from its release, and choose
    again.

    Where broken hangs it was not asked about every input: what it does on chosen ones is found out here,
    and the choice repeated until it holds; the last round keeps to inputs about which everything is known.
    Raises ``RefusedError``: the failure shows on one input only (CTR003), or there are too few inputs
    (CTR006).
    """
    fault, seen = _smallest_fault(work, table)
    order = _order(table)
    sentences = drafted_rules(work.material, lambda: told_rules(work, table))
    for turn in range(_ROUNDS):
        if turn == _ROUNDS - 1:
            table = replace(table, inputs=tuple(one for one in table.inputs if one.key in table.known))
        chosen = _chosen(work, table, lifted, sentences, order)
        inputs = [one.input for one in (*chosen.public, *chosen.hidden)]
        exact = with_checks(work, table, inputs)
        untrue = _untrue(work, inputs)
        if exact == table and not untrue:
            break
        table = replace(exact, inputs=tuple(one for one in table.inputs if one.key not in untrue))
    work.notes += chosen.merged
    return Settled(table, chosen, order, fault, seen)


def _chosen(
    work: Work,
    table: Table,
    lifted: Sequence[Input],
    sentences: Sequence[Sentence],
    order: Sequence[str],
) -> Chosen:
    keys = [one.key for one in table.inputs]
    if sum(key in table.faults for key in keys) < 2:
        refuse_single_failure()
    if len(keys) < 4:
        refuse_few_inputs(len(keys))
    negative = table.wrong("hard_negative")
    features = features_of(keys, table.expected, table.faults, negative.fails if negative else frozenset())
    return choose(sentences, features, lambda rules: candidates_of(table, lifted, rules, work.paths), order)


def _smallest_fault(work: Work, table: Table) -> tuple[Input, tuple[Observation, ...] | None]:
    faults = [one for one in table.inputs if one.key in table.faults]
    if not faults:
        refuse_single_failure()
    fault = min(faults, key=lambda one: weight(one.params))
    (outcome,) = work.bench.outcomes(work.broken, [fault])
    return fault, outcome.observations if isinstance(outcome, Observed) else None


def _order(table: Table) -> tuple[str, ...]:
    rest = sorted(one.id for one in table.wrongs if one.id not in ("broken", "hard_negative"))
    return ("broken", "hard_negative", *rest)


def _untrue(work: Work, inputs: Sequence[Input]) -> set[str]:
    """Return the keys of inputs on which broken or a captured attempt differs from its real release."""
    versions: tuple[VersionName, ...] = ("broken", "hard_negative")
    untrue: set[str] = set()
    for version in versions:
        if version in work.material.programs:
            kept = {one.key for one in faithful(work, inputs, version)}
            untrue |= {one.key for one in inputs if one.key not in kept}
    return untrue
