"""The inputs of a contract: inside the domain, stable, and true to the real releases."""

from collections.abc import Sequence
from dataclasses import dataclass

from authoring.contract.bench import Expected, raised_by
from authoring.contract.further import further_inputs
from authoring.contract.gather import gather, lifted_inputs
from authoring.contract.lost import note_lost
from authoring.contract.paths import paths_of, with_new_paths
from authoring.contract.refusals import refuse_broken_that_passes, refuse_reference, refuse_unstable
from authoring.contract.work import Work
from authoring.model.execution import Outcome
from authoring.model.variants import VersionName
from authoring.scenario.inputs import Input, hangs

__all__ = ["Collected", "UnfaithfulInputsError", "collect", "faithful", "unhurried"]

_FIRST = 24
_NEW_PATHS_CAP = 60
_HANGS = 24
"""Hangs of one program or release after which it is not compared on more inputs: each costs its whole budget."""


class UnfaithfulInputsError(Exception):
    """Programs differ from their releases on ``inputs``, and the draft was asked to end there."""

    def __init__(self, inputs: Sequence[Input]) -> None:
        super().__init__(f"{len(inputs)} inputs")
        self.inputs = tuple(inputs)


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
    everything = list({one.key: one for one in first}.values())
    everything += _on_new_paths(work, everything)
    everything = unhurried(work, everything)
    expected = bench.expected(work.reference, everything, work.raises)
    work.outside = len(everything) - len(expected)
    note_lost(work, everything, expected)
    for one in lifted:
        if one.key not in expected:
            refuse_reference(one)
    inside = _stable(work, [one for one in everything if one.key in expected])
    inside = faithful(work, inside, "reference")
    _require_faithful(work, inside)
    lifted = tuple(one for one in lifted if one in inside)
    row = bench.row(work.broken, lifted, expected, is_full=True, hangs_cap=len(lifted) + 1)
    if not row.fails:
        refuse_broken_that_passes()
    return Collected(lifted, tuple(inside), {one.key: expected[one.key] for one in inside})


def unhurried(work: Work, inputs: Sequence[Input]) -> list[Input]:
    """Return the inputs without those that only the clock would judge, where line events judge what calls cost."""
    if not work.material.bounded:
        return list(inputs)
    return work.bench.quick([source for _, source in sorted(work.material.programs.items())], inputs)


def _on_new_paths(work: Work, inputs: Sequence[Input]) -> list[Input]:
    """Return further inputs that take ways through the reference which none of the inputs takes."""
    others = further_inputs(work, inputs, seed=work.material.seed + 5)
    work.paths |= paths_of(work, [*inputs, *others])
    return with_new_paths(inputs, others, work.paths, _NEW_PATHS_CAP)


def _require_faithful(work: Work, inputs: Sequence[Input]) -> None:
    """Look at the other programs too; raise :class:`UnfaithfulInputsError` where the draft may not go on."""
    if not work.material.must_be_faithful:
        return
    for version in sorted(work.material.programs.keys() - {"reference"}):
        faithful(work, inputs, version)
    if work.unfaithful:
        raise UnfaithfulInputsError(list(work.unfaithful.values()))


def faithful(work: Work, inputs: Sequence[Input], version: VersionName) -> list[Input]:
    """Return the inputs on which a program does what its real release does, where that is at hand.

    Where many calls hang, as they may on any version but the reference, the others are not asked.
    """
    package = work.material.originals.get(version)
    if package is None:
        return list(inputs)
    program, observer = work.bench.program(work.material.programs[version]), work.bench.observer
    reduced_seen = observer.first_outcomes(program, inputs, _are_hangs_enough)
    asked = [one for one in inputs if one.key in reduced_seen]
    real_seen = observer.first_outcomes(package, asked, _are_hangs_enough)
    pairs = [(one, reduced_seen[one.key], real_seen[one.key]) for one in asked if one.key in real_seen]
    kept = []
    for one, reduced, real in pairs:
        if work.bench.is_same(one, reduced, real):
            kept.append(one)
        else:
            work.unfaithful.setdefault(one.key, one)
    return kept


def _are_hangs_enough(seen: dict[str, Outcome]) -> bool:
    return hangs(seen) >= _HANGS


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
