"""What relations add to a contract: scenarios, rules and checks, under the ledger that holds without them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from authoring.contract.bench import Bench, Expected
from authoring.contract.ledger import lacking, witness_of
from authoring.contract.relations import Proposal
from authoring.contract.rules import Chosen
from authoring.contract.select_checks import Candidate
from authoring.contract.sentences import relation_rule
from authoring.contract.settle import Settled
from authoring.contract.trial import Table, Wrong
from authoring.contract.work import Work
from authoring.model.contract import Rule, ScenarioSpec
from authoring.model.observation import Compare
from authoring.scenario.inputs import Input, weight

__all__ = ["Picked", "Related", "joined", "unchanged"]


@dataclass(frozen=True, slots=True)
class Picked:
    """A relation with the inputs of its checks."""

    proposal: Proposal
    public: Input
    hidden: tuple[Input, ...]
    expected: Expected


@dataclass(frozen=True, slots=True)
class Related:
    """A contract's checks, rules and scenarios with those of relations."""

    settled: Settled
    rules: tuple[Rule, ...]
    specs: tuple[ScenarioSpec, ...]
    """Of the scenarios that were added."""
    scenarios: str
    """The text of scenarios.py with them."""
    notes: tuple[str, ...] = ()
    """Sentences about rules that were put together."""


def unchanged(work: Work, settled: Settled, rules: Sequence[Rule]) -> Related:
    """Return what stands without relations."""
    return Related(settled, tuple(rules), (), work.material.scenarios)


def joined(
    work: Work, bench: Bench, settled: Settled, rules: Sequence[Rule], picks: Sequence[Picked]
) -> Related | None:
    """Return the contract with the relations' checks, or None where another rule would lose its witness.

    A relation has a rule of its own where its checks alone reject some wrong program; else its sentence joins
    the last rule, as that of any rule without a witness does.
    """
    table = _asked(bench, settled.table, picks)
    order = (*settled.order, *sorted({one.id for one in table.wrongs} - set(settled.order)))
    own = [pick for pick in picks if _may_have_rule(work, pick)]
    while True:
        chosen = _chosen(settled.chosen, table, rules, picks, own)
        both = (*chosen.public, *chosen.hidden)
        idle = [pick for n, pick in enumerate(own) if witness_of(len(rules) + n, both, order) is None]
        if not idle:
            break
        own.remove(idle[-1])
    before = lacking(range(len(rules)), settled.chosen.public, settled.chosen.hidden, settled.order)
    if lacking(range(len(rules)), chosen.public, chosen.hidden, order).keys() - before.keys():
        return None
    added = [pick.proposal.text for pick in picks if pick.proposal.text]
    found, notes = _rules(work, rules, picks, own)
    return Related(
        replace(settled, table=table, chosen=chosen, order=order),
        tuple(found),
        tuple(_spec(bench, pick.proposal) for pick in picks),
        "\n\n".join([work.material.scenarios, *added]),
        tuple(notes),
    )


def _may_have_rule(work: Work, pick: Picked) -> bool:
    author = work.material.author
    return author is None or any(rule.id == relation_rule(pick.proposal.function) for rule in author.rules)


def _asked(bench: Bench, table: Table, picks: Sequence[Picked]) -> Table:
    """Return the table with every wrong program asked about the relations' inputs.

    Programs that were presumed equivalent and observe something else there are wrong ones from now on.
    """
    inputs = [one for pick in picks for one in (pick.public, *pick.hidden)]
    expected = {one.key: pick.expected[one.key] for pick in picks for one in (pick.public, *pick.hidden)}
    wrongs: list[Wrong] = []
    told: set[str] = set()
    known = [*table.wrongs, *(Wrong.of(suspect) for suspect in table.presumed)]
    for wrong in known:
        row = bench.row(wrong.source, inputs, expected, is_full=True, hangs_cap=len(inputs) + 1)
        if wrong.fails or row.fails:
            wrongs.append(replace(wrong, row=wrong.row | row))
            told.add(wrong.id)
    return replace(
        table,
        inputs=(*table.inputs, *inputs),
        expected={**table.expected, **expected},
        wrongs=tuple(wrongs),
        equivalent=tuple(name for name in table.equivalent if name not in told),
        presumed=tuple(one for one in table.presumed if one.id not in told),
    )


def _chosen(
    chosen: Chosen, table: Table, rules: Sequence[Rule], picks: Sequence[Picked], own: Sequence[Picked]
) -> Chosen:
    def candidate(pick: Picked, one: Input) -> Candidate:
        rule = len(rules) + own.index(pick) if pick in own else len(rules) - 1
        kills = frozenset(wrong.id for wrong in table.wrongs if one.key in wrong.fails)
        return Candidate(one, rule, kills, weight(one.params)[0])

    return replace(
        chosen,
        public=(*chosen.public, *(candidate(pick, pick.public) for pick in picks)),
        hidden=(*chosen.hidden, *(candidate(pick, one) for pick in picks for one in pick.hidden)),
    )


def _rules(
    work: Work, rules: Sequence[Rule], picks: Sequence[Picked], own: Sequence[Picked]
) -> tuple[list[Rule], list[str]]:
    """Return the rules with those of relations, and a sentence about each that joins the last rule."""
    author = work.material.author
    texts = {rule.id: rule.text for rule in author.rules} if author is not None else {}
    found, notes = list(rules), []
    for pick in picks:
        name = relation_rule(pick.proposal.function)
        text = texts.get(name, pick.proposal.sentence)
        if pick in own:
            found.append(Rule(id=name, text=text))
        elif author is None or name in texts:
            last = found[len(rules) - 1]
            found[len(rules) - 1] = last.model_copy(update={"text": f"{last.text} {text}"})
            notes.append(
                f"The rule “{text}” is put together with its neighbour: no wrong program is rejected by its "
                "checks alone."
            )
    return found, notes


def _spec(bench: Bench, proposal: Proposal) -> ScenarioSpec:
    return ScenarioSpec(
        id=proposal.function,
        function=proposal.function,
        level="both",
        relation_of=proposal.of,
        compare=bench.compares.get(proposal.function, Compare()),
    )
