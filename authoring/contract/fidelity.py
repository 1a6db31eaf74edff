"""Whether reduced programs do what their real releases do, on the inputs of a contract and on fresh ones."""

from collections.abc import Iterator, Sequence

from authoring.contract.bench import Expected, raised_by
from authoring.contract.work import Work
from authoring.model.execution import Observed, Outcome, Subject
from authoring.model.variants import VersionName
from authoring.model.wire import sort_key
from authoring.scenario.inputs import Input, decided_by_depth, hangs, in_order

__all__ = ["UnfaithfulInputsError", "faithful", "fresh_draws", "note_lost", "require_faithful"]

_HANGS = 24
"""Hangs of one program or release after which it is not compared on more inputs: each costs its whole budget."""
_FRESH = 500
_SEED = 31
_LENGTH_CAP = 20_000


class UnfaithfulInputsError(Exception):
    """Programs differ from their releases on ``inputs``, and the draft was asked to end there."""

    def __init__(self, inputs: Sequence[Input]) -> None:
        super().__init__(f"{len(inputs)} inputs")
        self.inputs = tuple(inputs)


def faithful(work: Work, inputs: Sequence[Input], version: VersionName) -> list[Input]:
    """Return the inputs on which a program does what its real release does, where that is at hand.

    Where many calls hang, as they may on any version but the reference, the others are not asked.
    """
    package = work.material.originals.get(version)
    if package is None:
        return list(inputs)
    program, observer = work.bench.program(work.standing_for(version)), work.bench.observer
    reduced_seen = observer.first_outcomes(program, inputs, _are_hangs_enough)
    asked = [one for one in inputs if one.key in reduced_seen]
    real_seen = observer.first_outcomes(package, asked, _are_hangs_enough)
    pairs = [(one, reduced_seen[one.key], real_seen[one.key]) for one in asked if one.key in real_seen]
    different = [each for each in pairs if not work.bench.is_same(*each)]
    deep = _decided_by_depth(work, program, package, different)
    for one, _, _ in different:
        if one.key not in deep:
            work.unfaithful.setdefault(one.key, one)
    lost = {one.key for one, _, _ in different}
    return [one for one, _, _ in pairs if one.key not in lost]


def _decided_by_depth(
    work: Work, program: Subject, package: Subject, pairs: Sequence[tuple[Input, Outcome, Outcome]]
) -> set[str]:
    """Return the inputs on which a program and its release differ for the recursion limit alone: in no one's domain."""
    requests = [one.request for one, _, _ in pairs]
    own = [one.request for one in work.gathered.lifted]
    found: set[int] = set()
    for subject, outcomes in (
        (program, [reduced for _, reduced, _ in pairs]),
        (package, [real for _, _, real in pairs]),
    ):
        found |= decided_by_depth(work.bench.runner, subject, requests, outcomes, work.bench.how, own)
    return {pairs[at][0].key for at in found}


def note_lost(work: Work, inputs: Sequence[Input], expected: Expected) -> None:
    """Note among the unfaithful inputs those that only the reduction put outside the domain.

    ``expected`` is what the reduced reference does inside: what is not in it would count as outside and be dropped,
    although a table's element that the reduction took away is all that makes it so.
    """
    package = work.material.originals.get("reference")
    outside = [one for one in inputs if one.key not in expected]
    if package is None or not outside:
        return
    real = work.bench.observer.first_outcomes(package, outside, _are_hangs_enough)
    covered = [one for one in outside if one.key in real and _is_covered(work, real[one.key])]
    reduced_seen = work.bench.outcomes(work.standing_for("reference"), covered)
    for one, reduced in zip(covered, reduced_seen, strict=True):
        if not work.bench.is_same(one, reduced, real[one.key]):
            work.unfaithful.setdefault(one.key, one)


def fresh_draws(work: Work) -> Iterator[Input]:
    """Yield some 500 inputs of the domain by which neither the reduction nor the contract decides anything."""
    known = {one.key for one in work.gathered.all}
    scenarios = sorted({one.scenario for one in work.gathered.lifted})
    share = int(_FRESH * work.material.effort) // max(len(scenarios), 1)
    for name in scenarios:
        seed = work.material.seed + _SEED
        for wire in work.bench.runner.draw(work.material.domain, name, share, seed, work.bench.how):
            one = Input(name, in_order(wire))
            if one.key not in known and len(sort_key(wire)) <= _LENGTH_CAP:
                yield one


def require_faithful(work: Work, inputs: Sequence[Input], fresh: Sequence[Input]) -> None:
    """Compare all programs with their releases on a contract's inputs, then on fresh ones.

    Raises :class:`UnfaithfulInputsError` where some differ: those that the reduction asked tell nothing of the rest.
    """
    for version in sorted(work.material.programs.keys() - {"reference"}):
        faithful(work, inputs, version)
    if not work.unfaithful:
        _look_at_fresh(work, fresh)
    if work.unfaithful:
        raise UnfaithfulInputsError(list(work.unfaithful.values()))


def _look_at_fresh(work: Work, fresh: Sequence[Input]) -> None:
    expected = work.bench.expected(work.reference, fresh, work.raises)
    note_lost(work, fresh, expected)
    inside = [one for one in fresh if one.key in expected]
    for version in sorted(work.material.programs):
        faithful(work, inside, version)
    for key in work.bench.unstable(work.reference, list(work.unfaithful.values())):
        del work.unfaithful[key]


def _are_hangs_enough(seen: dict[str, Outcome]) -> bool:
    return hangs(seen) >= _HANGS


def _is_covered(work: Work, outcome: Outcome) -> bool:
    if not isinstance(outcome, Observed) or not outcome.observations:
        return False
    raised = raised_by(outcome)
    return raised is None or raised in work.raises
