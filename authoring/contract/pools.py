"""The frozen pools: many inputs, with keyed digests of what the reference observed."""

from collections.abc import Mapping, Sequence

from authoring.contract.settle import Settled
from authoring.model.capture import Capture
from authoring.model.observation import Compare, FloatTolerance, Observation, observations_digest
from authoring.model.task import Pool
from authoring.scenario.inputs import Input

__all__ = ["POOL_SIZE", "frozen_pool", "pool_inputs", "pooled_scenarios"]

POOL_SIZE = 200
_FAULT_SHARE = 60
_RARE_SHARE = 60
_FEW = 4


def pooled_scenarios(capture: Capture, compares: Mapping[str, Compare]) -> list[str]:
    """Return the scenarios that observe the full result; where none does, all of them.

    One that compares floats within a tolerance has no digest, hence no pool.
    """
    scenarios = sorted({check.scenario for check in capture.checks if check.scenario})
    full = sorted({check.scenario for check in capture.checks if check.scenario and check.is_whole})
    return [
        name
        for name in full or scenarios
        if not isinstance(compares.get(name, Compare()).floats, FloatTolerance)
    ]


def pool_inputs(inputs: Sequence[Input], settled: Settled) -> list[Input]:
    """Return at most 200 of the inputs, in order: those that few can replace come first.

    Up to 60 are the only ones or among four that reject some wrong program, and up to 60 show the fault.
    """
    free = {one.key: one for one in inputs}
    killers = [sorted(wrong.fails & free.keys()) for wrong in settled.table.wrongs]
    rare = dict.fromkeys(name for names in killers if len(names) <= _FEW for name in names)
    faults = [name for name in free if name in settled.table.faults]
    order = dict.fromkeys([*list(rare)[:_RARE_SHARE], *faults[:_FAULT_SHARE], *free])
    return [free[name] for name in order][:POOL_SIZE]


def frozen_pool(
    key: bytes,
    task: str,
    scenario: str,
    observed: Sequence[tuple[Input, Sequence[Observation]]],
    compare: Compare,
) -> Pool:
    """Return the pool of a task: inputs with ``keyed_digest(key, "pool", task, index, observations)``."""
    digests = tuple(
        observations_digest(key, "pool", list(seen), compare, task, index)
        for index, (_, seen) in enumerate(observed)
    )
    return Pool(scenario=scenario, inputs=tuple(one.params for one, _ in observed), expect_hmac=digests)
