"""The frozen pools: many inputs, with keyed digests of what the reference observed."""

from collections.abc import Mapping, Sequence

from authoring.contract.bench import Expected
from authoring.model.capture import Capture
from authoring.model.observation import Compare, FloatTolerance, Observation, observations_digest
from authoring.model.task import Pool
from authoring.scenario.inputs import Input

__all__ = ["POOL_SIZE", "frozen_pool", "pool_inputs", "pooled_scenarios"]

POOL_SIZE = 200
_FAULT_SHARE = 60


def pooled_scenarios(capture: Capture, compares: Mapping[str, Compare]) -> list[str]:
    """Return the scenarios that observe the full result; where none does, all of them.

    One that compares floats within a tolerance has no digest, hence no pool.
    """
    scenarios = sorted({check.scenario for check in capture.checks if check.scenario})
    full = sorted({check.scenario for check in capture.checks if check.scenario and check.view == "value"})
    return [
        name
        for name in full or scenarios
        if not isinstance(compares.get(name, Compare()).floats, FloatTolerance)
    ]


def pool_inputs(
    scenario: str, inputs: Sequence[Input], expected: Expected, faults: frozenset[str], taken: set[str]
) -> list[Input]:
    """Return at most 200 inputs inside the domain: up to 60 on which broken is wrong, then the others in
    order.

    ``taken`` are the keys of public checks' inputs, which a pool leaves out.
    """
    inside = [
        one for one in inputs if one.scenario == scenario and one.key in expected and one.key not in taken
    ]
    wrong = [one for one in inside if one.key in faults]
    first = wrong[:_FAULT_SHARE]
    rest = [one for one in inside if one.key not in faults] + wrong[_FAULT_SHARE:]
    return (first + rest)[:POOL_SIZE]


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
