"""What was measured while drafting, put together."""

from collections.abc import Sequence

from authoring.contract.ledger import witness_of
from authoring.contract.material import DraftFacts, HardNegativeKind, LedgerLine
from authoring.contract.rules import Chosen
from authoring.contract.settle import Settled
from authoring.contract.work import Work
from authoring.model.contract import Rule
from authoring.model.task import Check

__all__ = ["facts_of"]


def facts_of(
    work: Work,
    settled: Settled,
    *,
    rules: Sequence[Rule],
    checks: tuple[Sequence[Check], Sequence[Check]],
    pooled: frozenset[str],
    kind: HardNegativeKind,
) -> DraftFacts:
    """Return the facts of a draft; ``checks`` are its public and hidden ones, ``pooled`` the pools' keys."""
    table, chosen = settled.table, settled.chosen
    public = frozenset(one.input.key for one in chosen.public)
    hidden = frozenset(one.input.key for one in chosen.hidden)
    mutants = [one for one in table.wrongs if one.kind == "mutant"]
    negative = table.wrong("hard_negative")
    return DraftFacts(
        inputs=len(table.inputs),
        outside=work.outside,
        unstable=work.unstable,
        unfaithful=len(work.unfaithful),
        requests=work.bench.observer.asked,
        mutants=len(mutants),
        equivalent=table.equivalent,
        equivalence_effort=table.effort,
        killed_public=sum(bool(one.fails & public) for one in mutants),
        killed_hidden=sum(bool(one.fails & hidden) for one in mutants),
        killed_pool=sum(bool(one.fails & (hidden | pooled)) for one in mutants),
        survivors=tuple(one.id for one in mutants if not one.fails & (public | hidden | pooled)),
        hard_negative=kind,
        ledger=_ledger(settled, rules, checks),
        patterns={
            "broken": _pattern(table.faults, chosen),
            "hard_negative": _pattern(negative.fails if negative else frozenset(), chosen),
            "reference": _pattern(frozenset(), chosen),
        },
        notes=tuple(work.notes),
        later=work.hearing.facts(),
    )


def _ledger(
    settled: Settled, rules: Sequence[Rule], checks: tuple[Sequence[Check], Sequence[Check]]
) -> tuple[LedgerLine, ...]:
    public, hidden = checks
    both = [*settled.chosen.public, *settled.chosen.hidden]
    return tuple(
        LedgerLine(
            rule=rule.id,
            public=tuple(check.id for check in public if rule.id in check.rules),
            hidden=tuple(check.id for check in hidden if rule.id in check.rules),
            witness=witness_of(index, both, settled.order) or "",
        )
        for index, rule in enumerate(rules)
    )


def _pattern(fails: frozenset[str], chosen: Chosen) -> str:
    tiers = (chosen.public, chosen.hidden)
    return "/".join("".join("01"[one.input.key not in fails] for one in tier) for tier in tiers)
