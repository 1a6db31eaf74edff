"""The inputs of a contract: inside the domain, stable, and true to the real releases."""

from collections.abc import Sequence
from dataclasses import dataclass

from authoring.contract.bench import Expected, raised_by
from authoring.contract.fidelity import (
    faithful,
    fresh_draws,
    note_lost,
    require_faithful,
)
from authoring.contract.further import further_inputs, worthwhile
from authoring.contract.gather import gather, lifted_inputs
from authoring.contract.near_faults import near_faults
from authoring.contract.paths import paths_of, with_new_paths
from authoring.contract.refusals import refuse_broken_that_passes, refuse_reference, refuse_unstable
from authoring.contract.work import Work
from authoring.scenario.inputs import Input

__all__ = ["Collected", "collect"]

_FIRST = 24
_NEW_PATHS_CAP = 60


@dataclass(frozen=True, slots=True)
class Collected:
    """Inputs with what the reference observes on them."""

    lifted: tuple[Input, ...]
    inputs: tuple[Input, ...]
    """All inside the domain, a few drawn ones first so that hidden checks find killers of what hangs."""
    expected: Expected


def collect(work: Work) -> Collected:
    """Gather inputs and keep those that may stand in a contract.

    Raises ``RefusedError``: the reference has no observation on a lifted input (CTR002), is unstable
    (CTR005), or broken passes every lifted input (CTR001).
    """
    material, bench = work.material, work.bench
    work.progress.phase("gather inputs")
    lifted = lifted_inputs(material.capture)
    work.raises = _raises(work, lifted)
    work.gathered = gather(
        material.capture,
        material.domain,
        work.code,
        bench.runner,
        bench.how,
        seed=material.seed,
        effort=material.effort,
        is_domain_edited=material.is_domain_edited,
        small=material.bounded,
    )
    first = [*work.gathered.drawn[:_FIRST], *work.gathered.all, *material.bounded]
    everything = worthwhile(work, list({one.key: one for one in first}.values()))
    everything += _on_new_paths(work, everything)
    everything += [one for one in near_faults(work, lifted) if one not in everything]
    expected = bench.expected(work.reference, everything, work.raises)
    work.outside = len(everything) - len(expected)
    note_lost(work, everything, expected)
    for one in lifted:
        if one.key not in expected:
            refuse_reference(one)
    inside = _stable(work, [one for one in everything if one.key in expected])
    inside = faithful(work, inside, "reference")
    if material.must_be_faithful:
        require_faithful(work, inside, worthwhile(work, list(fresh_draws(work))))
    lifted = tuple(one for one in lifted if one in inside)
    row = bench.row(work.broken, lifted, expected, is_full=True, hangs_cap=len(lifted) + 1)
    if not row.fails:
        refuse_broken_that_passes()
    return Collected(lifted, tuple(inside), {one.key: expected[one.key] for one in inside})


def _on_new_paths(work: Work, inputs: Sequence[Input]) -> list[Input]:
    """Return further inputs that take ways through the reference which none of the inputs takes."""
    others = further_inputs(work, inputs, seed=work.material.seed + 5)
    work.paths |= paths_of(work, [*inputs, *others])
    return with_new_paths(inputs, others, work.paths, _NEW_PATHS_CAP)


def _raises(work: Work, lifted: Sequence[Input]) -> tuple[str, ...]:
    """Return the exceptions that are behaviour: expected by the reproducer, or raised on its inputs."""
    if work.material.author is not None:
        return work.material.author.raises
    found = dict.fromkeys(work.material.capture.raises)
    for outcome in work.bench.outcomes(work.reference, lifted):
        raised = raised_by(outcome)
        if raised is not None:
            found.setdefault(raised)
    return tuple(found)


def _stable(work: Work, inputs: Sequence[Input]) -> list[Input]:
    unstable = work.bench.unstable(work.reference, inputs)
    work.unstable = len(unstable)
    if len(unstable) * 5 > len(inputs):
        refuse_unstable(next(one for one in inputs if one.key in unstable), len(unstable), len(inputs))
    return [one for one in inputs if one.key not in unstable]
