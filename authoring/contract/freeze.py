"""The step that freezes the pools."""

from collections.abc import Sequence

from authoring.contract.bench import Expected
from authoring.contract.fidelity import faithful
from authoring.contract.further import further_inputs
from authoring.contract.paths import paths_of, rarest_first
from authoring.contract.pools import POOL_SIZE, frozen_pool, pool_inputs, pooled_scenarios
from authoring.contract.settle import Settled
from authoring.contract.work import Work
from authoring.model.observation import Compare
from authoring.model.task import Pool
from authoring.scenario.inputs import Input

__all__ = ["freeze_pools"]

_SPARE = 20
_TURNS = 3


def freeze_pools(
    work: Work, settled: Settled, contract_id: str, key: bytes
) -> tuple[tuple[Pool, ...], frozenset[str]]:
    """Return the pools with the digests that hold for ``base``, and the keys of their inputs."""
    work.progress.phase("freeze the pools")
    pools = []
    keys: set[str] = set()
    taken = {Input(one.input.scenario, one.input.params).key for one in settled.chosen.public}
    for scenario in pooled_scenarios(work.material.capture, work.bench.compares):
        inputs, expected = _stock(work, scenario, settled)
        free = [one for one in inputs if one.key in expected and one.key not in taken]
        kept = pool_inputs(_in_turn(work, free), settled)
        if not kept:
            continue
        if len(kept) < POOL_SIZE:
            work.notes.append(f"The pool of {scenario} has {len(kept)} inputs: the domain gave no more.")
        compare = work.bench.compares.get(scenario, Compare())
        task = f"{contract_id}/base"
        pools.append(frozen_pool(key, task, scenario, [(one, expected[one.key]) for one in kept], compare))
        keys |= {one.key for one in kept}
    return tuple(pools), frozenset(keys)


def _in_turn(work: Work, inputs: Sequence[Input]) -> list[Input]:
    """Return the inputs with ways through the reference taking turns, rare ones first."""
    work.paths |= paths_of(work, [one for one in inputs if one.key not in work.paths])
    return rarest_first(inputs, work.paths)


def _stock(work: Work, scenario: str, settled: Settled) -> tuple[list[Input], Expected]:
    """Return inputs of one scenario: those of the table, then further ones until there are enough."""
    inputs = [one for one in settled.table.inputs if one.scenario == scenario and one.line_events is None]
    expected = dict(settled.table.expected)
    for turn in range(1, _TURNS + 1):
        if len(inputs) >= POOL_SIZE + _SPARE or not inputs:
            break
        more = further_inputs(work, inputs, seed=work.material.seed + 10 * turn)
        fresh = work.bench.expected(work.reference, more, work.raises)
        inside = [one for one in more if one.key in fresh]
        unstable = work.bench.unstable(work.reference, inside)
        stable = faithful(work, [one for one in inside if one.key not in unstable], "reference")
        stable = work.hearing.agreeing(stable, fresh)
        expected |= {one.key: fresh[one.key] for one in stable}
        inputs += stable
    return inputs, expected
