"""Draw a variant's own inputs: candidates for its checks, and its frozen pools."""

from collections.abc import Sequence
from itertools import islice

from authoring.model.digest import keyed_digest
from authoring.model.observation import FloatTolerance, observations_digest
from authoring.model.task import Pool
from authoring.model.wire import encode, sort_key
from authoring.scenario.domain import changed_code
from authoring.scenario.inputs import in_order, mixtures, palette_of
from authoring.variants.base import Stock
from authoring.variants.change import Change
from authoring.variants.counterparts import Candidate, place
from authoring.variants.material import Tools
from authoring.variants.naming import Named
from authoring.variants.observer import Input, Observer, expectation

__all__ = ["draw_candidates", "draw_pools"]

_CANDIDATES = 160
_POOL = 200
_FAULTS = 60
_LENGTH_CAP = 20_000

Mutant = tuple[str, str]


def draw_candidates(
    stock: Stock, tools: Tools, change: Change, named: Named, mutants: Sequence[Mutant], *, task_id: str
) -> tuple[list[Candidate], list[Candidate]]:
    """Return the base's inputs and new ones, each with what the reference and every wrong program make of it.

    Inputs that lie outside this variant's domain are left out; of the base's none can (the changes see to
    that).
    """
    observer = Observer(tools.runner, tools.how, named.contract, named.scenarios)
    inputs = [*stock.inputs, *_drawn(stock, tools, change, task_id=task_id, purpose="checks", n=_CANDIDATES)]
    outcomes = observer.see(named.programs["reference"], inputs)
    expected = [expectation(outcome, named.contract.raises) for outcome in outcomes]
    kept = [(each, wanted) for each, wanted in zip(inputs, expected, strict=True) if wanted is not None]
    asked, wanted = [each for each, _ in kept], [want for _, want in kept]
    wrong = [source for version, source in sorted(named.programs.items()) if version != "reference"]
    versions = [observer.failures(source, asked, wanted) for source in wrong]
    killed = [observer.failures(source, asked, wanted) for _, source in mutants]
    found = [
        Candidate(each, want, tuple(row[n] for row in versions), tuple(row[n] for row in killed))
        for n, (each, want) in enumerate(kept)
    ]
    return found[: len(stock.inputs)], found[len(stock.inputs) :]


def draw_pools(stock: Stock, tools: Tools, change: Change, named: Named, *, task_id: str) -> list[Pool]:
    """Draw a pool of at most 200 inputs for each scenario that has one in the base, and freeze it.

    Inputs on which the program to repair is wrong come first, up to 60. Inputs of checks are left out. A
    scenario whose floats are compared within a tolerance has no digest, hence no pool.
    """
    observer = Observer(tools.runner, tools.how, named.contract, named.scenarios)
    inputs = _drawn(stock, tools, change, task_id=task_id, purpose="pool", n=_POOL * 3 // 2)
    inputs = [each for each in inputs if place(each) not in stock.used]
    outcomes = observer.see(named.programs["reference"], inputs)
    seen = [expectation(outcome, named.contract.raises) for outcome in outcomes]
    known = [(each, wanted) for each, wanted in zip(inputs, seen, strict=True) if wanted is not None]
    failed = observer.failures(
        named.programs["broken"], [each for each, _ in known], [want for _, want in known]
    )
    pools = []
    for scenario in (pool.scenario for pool in stock.material.pools):
        compare = observer.spec(scenario).compare
        mine = [
            (pair, fails) for pair, fails in zip(known, failed, strict=True) if pair[0].scenario == scenario
        ]
        wrong = [pair for pair, fails in mine if fails]
        chosen = (wrong[:_FAULTS] + [pair for pair, fails in mine if not fails] + wrong[_FAULTS:])[:_POOL]
        if chosen and not isinstance(compare.floats, FloatTolerance):
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


def _drawn(stock: Stock, tools: Tools, change: Change, *, task_id: str, purpose: str, n: int) -> list[Input]:
    """Draw for every scenario that has a domain and takes no doubles, whose answers no domain knows.

    A third are mixtures of what was drawn with the inputs of the base's checks, unless the author edited the
    domain: then a neighbour of a drawn value may lie in what the author cut off.
    """
    material = stock.material
    doubled = {check.scenario for check in (*material.public, *material.hidden) if check.doubles}
    constants = encode({**stock.constants, **change.constants})
    code = changed_code(material.programs)
    found: dict[str, Input] = {}
    for spec in material.contract.scenarios:
        if spec.level != "both" or spec.id in doubled:
            continue
        seed = int(keyed_digest(tools.key, "seed", task_id, purpose, spec.id)[:8], 16)
        wires = [
            in_order(wire)
            for wire in tools.runner.draw(material.domain, spec.id, n, seed, tools.how, constants)
        ]
        if not material.is_domain_edited:
            seen = [in_order(each.params) for each in stock.inputs if each.scenario == spec.id]
            start = [*seen, *wires[: n // 4]]
            wires += islice(mixtures(start, seed, palette_of(start, code)), n // 2)
        for wire in wires:
            if len(sort_key(wire)) <= _LENGTH_CAP:
                found.setdefault(place(Input(spec.id, wire)), Input(spec.id, wire))
    return list(found.values())
