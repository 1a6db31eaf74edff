"""Draw a variant's own inputs: candidates for its checks, and its frozen pools."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from authoring.contract.bench import UNHURRIED_CPU_S
from authoring.contract.relations import is_held
from authoring.model.contract import ScenarioSpec
from authoring.model.digest import keyed_digest
from authoring.model.execution import Hung, Observed, Outcome, Perturbation
from authoring.model.observation import FloatTolerance, Observation, observations_digest
from authoring.model.task import Pool
from authoring.model.wire import Wire, encode, sort_key
from authoring.scenario.domain import changed_code
from authoring.scenario.inputs import in_order, mixtures, palette_of, unsteady
from authoring.variants.base import Stock
from authoring.variants.change import Change
from authoring.variants.counterparts import Candidate, place
from authoring.variants.material import Tools
from authoring.variants.naming import Named
from authoring.variants.observer import Input, Observer, expectation

__all__ = ["candidates_of", "draw_inputs", "pools_of"]

_DRAWN = 360
_MIXED = 480
_MIXED_CHECKS = 80
_RELATION_SHARE = 6
"""A relation has few checks and no pool: a sixth of the usual draws serves it."""
_POOL = 200
_SPARE = 40
"""Inputs beyond those of a pool that are asked whether their answers stay the same."""
_FAULTS = 60
_LOOKED_AT = 12
_HANGS = 2
_LENGTH_CAP = 20_000
Mutant = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Drawn:
    """Inputs that may become checks, and inputs for the pools."""

    inputs: tuple[Input, ...]
    pooled: tuple[Input, ...]
    mixed: frozenset[str]
    """Places of those that are mixtures."""


def candidates_of(
    stock: Stock, tools: Tools, named: Named, mutants: Sequence[Mutant], drawn: Drawn
) -> tuple[list[Candidate], list[Candidate]]:
    """Return the base's inputs and new ones, each with what the reference and every wrong program make of it.

    Inputs that lie outside this variant's domain are left out, and new ones of a relation on which it does not hold;
    of the base's none can (the changes see to that).
    """
    observer = Observer(tools.runner, tools.how, named.contract, named.scenarios)
    wrong = [source for version, source in sorted(named.programs.items()) if version != "reference"]
    worth = observer.worthwhile(named.programs["reference"], drawn.inputs)
    inputs = [*stock.inputs, *_unhurried(stock, observer, wrong, worth)]
    expected = _steady(observer, named.programs["reference"], inputs)
    kept = [
        (each, wanted)
        for number, (each, wanted) in enumerate(zip(inputs, expected, strict=True))
        if wanted is not None
        and (number < len(stock.inputs) or _is_kept(observer.spec(each.scenario), wanted))
    ]
    asked, wanted = [each for each, _ in kept], [want for _, want in kept]
    versions = [observer.failures(source, asked, wanted) for source in wrong]
    killed = [observer.failures(source, asked, wanted) for source in _ending(observer, mutants, asked)]
    found = [
        Candidate(
            input=each,
            expect=want,
            versions=tuple(row[n] for row in versions),
            mutants=tuple(row[n] for row in killed),
            is_mixed=place(each) in drawn.mixed,
        )
        for n, (each, want) in enumerate(kept)
    ]
    return found[: len(stock.inputs)], found[len(stock.inputs) :]


def _unhurried(
    stock: Stock, observer: Observer, programs: Sequence[str], inputs: Sequence[Input]
) -> list[Input]:
    """Return the inputs on which no program takes long, where line events judge what calls cost; else all of them."""
    if all(each.line_events is None for each in stock.inputs):
        return list(inputs)
    limits = replace(observer.how.limits, call_cpu_s=UNHURRIED_CPU_S)
    hasty = observer.perturbed(replace(observer.how, limits=limits))
    kept = list(inputs)
    for source in programs:
        kept = [each for each, seen in zip(kept, hasty.see(source, kept), strict=True) if seen != Hung()]
    return kept


def _is_kept(spec: ScenarioSpec, expected: Sequence[Observation]) -> bool:
    """Return whether the reference keeps the relation that a scenario observes; true of other scenarios."""
    return spec.relation_of is None or is_held(expected) is True


def _ending(observer: Observer, mutants: Sequence[Mutant], inputs: Sequence[Input]) -> list[str]:
    """Return the mutants that end on most inputs: one that hangs everywhere is told by any check, at a high price."""
    asked = inputs[:_LOOKED_AT]
    seen = [(source, observer.see(source, asked)) for _, source in mutants]
    return [source for source, outcomes in seen if outcomes.count(Hung()) <= _HANGS]


def _steady(
    observer: Observer, reference: str, inputs: Sequence[Input]
) -> list[tuple[Observation, ...] | None]:
    """Return what is expected at each input; None outside the domain, and where another run shows something
    else.
    """
    seen = observer.see(reference, inputs)

    def is_usual(perturbation: Perturbation, places: Sequence[int]) -> list[bool]:
        elsewhere = observer.perturbed(replace(observer.how, perturbation=perturbation))
        there = elsewhere.see(reference, [inputs[place] for place in places])
        return [seen[place] == outcome for place, outcome in zip(places, there, strict=True)]

    changing = unsteady(len(inputs), is_usual)
    return [
        None if place in changing else expectation(outcome, observer.contract.raises)
        for place, outcome in enumerate(seen)
    ]


def pools_of(stock: Stock, tools: Tools, named: Named, drawn: Drawn, *, task_id: str) -> list[Pool]:
    """Freeze a pool of at most 200 of the drawn inputs for each scenario that has one in the base.

    Inputs on which the program to repair is wrong come first, up to 60. Inputs of checks are left out. A
    scenario whose floats are compared within a tolerance has no digest, hence no pool.
    """
    observer = Observer(tools.runner, tools.how, named.contract, named.scenarios)
    free = [each for each in drawn.pooled if place(each, stock.drawn_as) not in stock.used]
    worth = observer.worthwhile(named.programs["reference"], free)
    inputs = _unhurried(stock, observer, list(named.programs.values()), worth)
    wanted = [
        expectation(outcome, named.contract.raises)
        for outcome in observer.see(named.programs["reference"], inputs)
    ]
    known = [(each, want) for each, want in zip(inputs, wanted, strict=True) if want is not None]
    failed = observer.failures(
        named.programs["broken"], [each for each, _ in known], [want for _, want in known]
    )
    scenarios = [
        pool.scenario
        for pool in stock.material.pools
        if not isinstance(observer.spec(pool.scenario).compare.floats, FloatTolerance)
    ]
    asked = [each for scenario in scenarios for each in _first(scenario, known, failed)]
    steady = _steady(observer, named.programs["reference"], asked)
    pools = []
    for scenario in scenarios:
        pairs = [pair for pair in zip(asked, steady, strict=True) if pair[0].scenario == scenario]
        chosen = [(each, want) for each, want in pairs if want is not None][:_POOL]
        if chosen:
            compare = observer.spec(scenario).compare
            pools.append(
                Pool(
                    scenario=scenario,
                    inputs=tuple(each.params for each, _ in chosen),
                    expect_hmac=tuple(
                        observations_digest(tools.key, "pool", want, compare, task_id, index)
                        for index, (_, want) in enumerate(chosen)
                    ),
                )
            )
    return pools


def _first(
    scenario: str, known: Sequence[tuple[Input, tuple[Observation, ...]]], failed: Sequence[bool]
) -> list[Input]:
    """Return the inputs of which a scenario's pool is made, and some to spare: asking all of them often is dear."""
    mine = [
        (each, fails) for (each, _), fails in zip(known, failed, strict=True) if each.scenario == scenario
    ]
    wrong = [each for each, fails in mine if fails]
    ordered = wrong[:_FAULTS] + [each for each, fails in mine if not fails] + wrong[_FAULTS:]
    return ordered[: _POOL + _SPARE]


def draw_inputs(stock: Stock, tools: Tools, change: Change, task_id: str) -> Drawn:
    """Draw inputs that may become checks, and inputs for the pools, under a seed of the variant's own.

    Every scenario is drawn for that has a domain and takes no doubles, whose answers no domain knows. A part
    are mixtures of what was drawn with the inputs of the base's checks, unless the author edited the domain:
    then a neighbour of a drawn value may lie in what the author cut off.
    """
    material = stock.material
    doubled = {check.scenario for check in (*material.public, *material.hidden) if check.doubles}
    constants = encode({**stock.constants, **change.constants})
    code = changed_code(material.programs)
    for_checks: dict[str, Input] = {}
    for_pools: dict[str, Input] = {}
    plain: set[str] = set()
    for spec in material.contract.scenarios:
        if spec.level == "outer" or spec.id in doubled:
            continue
        seed = int(keyed_digest(tools.key, "seed", task_id, spec.id)[:8], 16)
        few = _RELATION_SHARE if spec.relation_of is not None else 1
        drawn = tools.runner.draw(material.domain, spec.drawn_as, _DRAWN // few, seed, tools.how, constants)
        wires = [in_order(wire) for wire in drawn]
        share = len(wires) * 2 // 5 if few == 1 else len(wires)
        mixed: list[Wire] = []
        if not material.is_domain_edited:
            seen = [in_order(each.params) for each in stock.inputs if each.scenario == spec.id]
            start = [*seen, *wires[: share // 4]]
            mixed = list(islice(mixtures(start, seed, palette_of(start, code)), _MIXED // few))
        plain |= {place(Input(spec.id, wire)) for wire in wires}
        _add(for_checks, spec.id, [*wires[:share], *mixed[: _MIXED_CHECKS // few]])
        if spec.relation_of is None:
            _add(for_pools, spec.id, [*wires[share:], *wires[:share], *mixed[_MIXED_CHECKS:]])
    mixtures_only = frozenset(for_checks) - plain
    own = _own_places(stock, tools, {**for_checks, **for_pools})
    return Drawn(
        tuple(each for name, each in for_checks.items() if name in own),
        tuple(each for name, each in for_pools.items() if name in own),
        mixtures_only & own,
    )


def _own_places(stock: Stock, tools: Tools, inputs: Mapping[str, Input]) -> frozenset[str]:
    """Return the places of inputs that belong to no other contract of the incident: the base's programs tell."""
    material = stock.material
    if not material.repaired:
        return frozenset(inputs)
    observer = Observer(tools.runner, tools.how, material.contract, material.scenarios)
    asked = list(inputs.values())
    seen = observer.see(material.programs["reference"], asked)
    fails = observer.failures(material.repaired, asked, [_observations(outcome) for outcome in seen])
    return frozenset(name for name, failed in zip(inputs, fails, strict=True) if not failed)


def _observations(outcome: Outcome) -> tuple[Observation, ...]:
    return outcome.observations if isinstance(outcome, Observed) else ()


def _add(found: dict[str, Input], scenario: str, wires: Sequence[Wire]) -> None:
    for wire in wires:
        if len(sort_key(wire)) <= _LENGTH_CAP:
            found.setdefault(place(Input(scenario, wire)), Input(scenario, wire))
