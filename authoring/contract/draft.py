"""Draft a contract: rules, public and hidden checks, pools and a hard negative, from versions that differ."""

from collections.abc import Sequence

from authoring.contract.bench import Expected
from authoring.contract.collect import collect
from authoring.contract.describe import check_name
from authoring.contract.facts import facts_of
from authoring.contract.freeze import freeze_pools
from authoring.contract.hard_negative import MADE
from authoring.contract.hear import settle_heard
from authoring.contract.material import Draft, Material
from authoring.contract.prompt import prompt_template
from authoring.contract.reference_digest import reference_digest
from authoring.contract.relate import relate
from authoring.contract.related import Related
from authoring.contract.relax import relax
from authoring.contract.select_checks import Candidate
from authoring.contract.sentences import slug_of, unique_slug
from authoring.contract.trial import tabulate
from authoring.contract.words import domain_of, mechanism_of, returns_of, symptom_of
from authoring.contract.work import Work, begin
from authoring.model.contract import Contract, Rule, ScenarioSpec
from authoring.model.execution import How, Runner
from authoring.model.observation import Compare
from authoring.model.progress import Progress
from authoring.model.task import Check, Cost

__all__ = ["draft"]

_HIDDEN_USUAL = 10
_ID_LENGTH = 76
"""Letters of an id that is made of a rule: what names folders has 80 at most, and a number may follow."""


def draft(material: Material, runner: Runner, how: How, key: bytes, progress: Progress) -> Draft:
    """Draft the contract of an incident; the same for the same material, key and seed.

    Raises ``RefusedError`` (CTR…) where the programs allow no contract: broken passes, the reference fails,
    no second failing input, no hard negative, too few inputs, or unstable outcomes; UnfaithfulInputsError where the
    material asks for it.
    """
    work = begin(material, runner, how, progress)
    collected = relax(work, collect(work))
    material = work.material
    settled, kind = settle_heard(work, tabulate(work, collected), collected.lifted)
    if len(settled.chosen.hidden) < _HIDDEN_USUAL:
        count = len(settled.chosen.hidden)
        work.notes.append(f"The domain gives {count} hidden checks that differ from the public ones.")
    own_rules = _rules(material, settled.chosen.texts)
    contract_id = _contract_id(material, own_rules)
    pools, pooled = freeze_pools(work, settled, contract_id, key)
    related = relate(work, settled, own_rules, pooled)
    settled, rules = related.settled, related.rules
    public = _checks("p", settled.chosen.public, rules, settled.table.expected)
    hidden = _checks("h", settled.chosen.hidden, rules, settled.table.expected)
    contract = _contract(work, contract_id, related)
    if work.unfaithful:
        count = len(work.unfaithful)
        work.notes.append(
            f"{count} inputs were left out: a reduced program differs from its release on them."
        )
    negative = settled.table.wrong("hard_negative")
    return Draft(
        contract=contract,
        scenarios=related.scenarios,
        domain=material.domain,
        prompt_template=prompt_template(
            contract, [binding.name for binding in material.capture.bindings], public
        ),
        public=public,
        hidden=hidden,
        pools=pools,
        hard_negative=negative.source if negative else "",
        mutants=tuple((one.id, one.source) for one in settled.table.wrongs if one.kind in MADE),
        counterexamples=tuple(
            (one.scenario, one.params, one.line_events) for one in work.unfaithful.values()
        ),
        facts=facts_of(work, settled, rules=rules, checks=(public, hidden), pooled=pooled, kind=kind),
    )


def _rules(material: Material, texts: Sequence[str]) -> list[Rule]:
    """Return the rules; a text that the author wrote keeps the author's id."""
    ids = {rule.text: rule.id for rule in material.author.rules} if material.author is not None else {}
    rules: list[Rule] = []
    for text in texts:
        slug = ids.get(text) or unique_slug(slug_of(text), [rule.id for rule in rules])
        rules.append(Rule(id=slug, text=text))
    return rules


def _checks(
    prefix: str, chosen: Sequence[Candidate], rules: Sequence[Rule], expected: Expected
) -> tuple[Check, ...]:
    return tuple(
        Check(
            id=f"{prefix}{number:02d}",
            name=check_name(
                one.input.scenario, one.input.params, expected[one.input.key], one.input.line_events
            ),
            scenario=one.input.scenario,
            rules=(rules[one.rule].id,),
            params=one.input.params,
            expect=tuple(expected[one.input.key]),
            cost=None if one.input.line_events is None else Cost(line_events=one.input.line_events),
        )
        for number, one in enumerate(chosen, 1)
    )


def _contract_id(material: Material, rules: Sequence[Rule]) -> str:
    """Return the contract's id: the incident's, or for one of several ``<incident>--<first rule>``."""
    if material.contract_id or material.beside is None:
        return material.contract_id or material.incident.id
    slug = f"{material.incident.id}--{rules[0].id}"[:_ID_LENGTH].strip("-")
    return unique_slug(slug, material.beside.ids)


def _contract(work: Work, contract_id: str, related: Related) -> Contract:
    material, author, settled = work.material, work.material.author, related.settled
    mechanism = mechanism_of(material)
    scenarios = sorted({check.scenario for check in material.capture.checks if check.scenario})
    return Contract(
        id=contract_id,
        incident=material.incident.id,
        mechanism=mechanism,
        group=author.group if author is not None else mechanism,
        category=author.category if author is not None else material.incident.category or "other",
        tier=author.tier if author is not None else "public+hidden",
        symptom=symptom_of(material, settled.fault, settled.fault_seen),
        returns=returns_of(material),
        domain=domain_of(material),
        entry=material.entry,
        environment=material.environment,
        raises=tuple(work.raises),
        types=material.types,
        origin=material.origin,
        reference_digest=reference_digest(work.reference),
        rules=related.rules,
        scenarios=tuple(
            ScenarioSpec(
                id=name,
                function=name,
                level=material.levels.get(name, "both"),
                compare=work.bench.compares.get(name, Compare()),
            )
            for name in scenarios
        )
        + related.specs
        + _outer_specs(work),
    )


def _outer_specs(work: Work) -> tuple[ScenarioSpec, ...]:
    """Return the outer scenarios of an entry inside the package whose comparison is not the default."""
    parts = [part for one in work.hearing.alternatives for part in one.outer.values()]
    return tuple(
        ScenarioSpec(id=name, function=name, level="outer", compare=work.bench.compares[name])
        for name in sorted({part.scenario for part in parts})
        if work.bench.compares.get(name, Compare()) != Compare()
    )
