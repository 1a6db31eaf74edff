"""Draw a variant's own inputs: candidates for its checks, and its frozen pools."""

from collections.abc import Sequence

from authoring.model.digest import keyed_digest
from authoring.model.observation import FloatTolerance, observations_digest
from authoring.model.task import Pool
from authoring.model.wire import Wire, encode
from authoring.variants.base import Stock
from authoring.variants.change import Change
from authoring.variants.counterparts import Candidate
from authoring.variants.material import Tools
from authoring.variants.naming import Named
from authoring.variants.observer import Input, Observer, expectation

__all__ = ["draw_candidates", "draw_pools"]

_CANDIDATES = 120
_POOL = 200

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

    A scenario whose floats are compared within a tolerance has no digest, hence no pool.
    """
    observer = Observer(tools.runner, tools.how, named.contract, named.scenarios)
    inputs = _drawn(stock, tools, change, task_id=task_id, purpose="pool", n=_POOL)
    outcomes = observer.see(named.programs["reference"], inputs)
    pools = []
    for scenario in (pool.scenario for pool in stock.material.pools):
        compare = observer.spec(scenario).compare
        if isinstance(compare.floats, FloatTolerance):
            continue
        kept: list[tuple[Wire, str]] = []
        for each, outcome in zip(inputs, outcomes, strict=True):
            seen = expectation(outcome, named.contract.raises) if each.scenario == scenario else None
            if seen is not None:
                kept.append(
                    (each.params, observations_digest(tools.key, "pool", seen, compare, task_id, len(kept)))
                )
        if kept:
            params, digests = zip(*kept, strict=True)
            pools.append(Pool(scenario=scenario, inputs=params, expect_hmac=digests))
    return pools


def _drawn(stock: Stock, tools: Tools, change: Change, *, task_id: str, purpose: str, n: int) -> list[Input]:
    """Draw for every scenario that has a domain and takes no doubles, whose answers no domain knows."""
    material = stock.material
    doubled = {check.scenario for check in (*material.public, *material.hidden) if check.doubles}
    constants = encode({**stock.constants, **change.constants})
    found: list[Input] = []
    for spec in material.contract.scenarios:
        if spec.level == "both" and spec.id not in doubled:
            seed = int(keyed_digest(tools.key, "seed", task_id, purpose, spec.id)[:8], 16)
            wires = tools.runner.draw(material.domain, spec.id, n, seed, tools.how, constants)
            found += [Input(spec.id, wire) for wire in wires]
    return found
