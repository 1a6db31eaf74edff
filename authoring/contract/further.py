"""Inputs beyond those that are tried on everybody."""

from collections.abc import Sequence

from authoring.contract.gather import stocks_of
from authoring.contract.work import Work
from authoring.scenario.domain import ChangedCode
from authoring.scenario.inputs import Input, candidates, in_order, nearly_too_deep, thrifty

__all__ = ["further_inputs", "mixed_inputs", "worthwhile"]

_FURTHER = 520


def further_inputs(work: Work, inputs: Sequence[Input], *, seed: int) -> list[Input]:
    """Return some 500 inputs beyond those given: draws where the domain is the author's, else mixtures.

    Of those that are dear to ask there are few.
    """
    known = {one.key for one in inputs}
    count = int(_FURTHER * work.material.effort)
    if not work.material.is_domain_edited:
        return worthwhile(work, mixed_inputs(inputs, work.code, seed=seed + 1, count=count))
    scenarios = sorted({one.scenario for one in inputs})
    share = count // max(len(scenarios), 1)
    drawn = [
        Input(name, in_order(wire))
        for name in scenarios
        for wire in work.bench.runner.draw(work.material.domain, name, share, seed + 1, work.bench.how)
    ]
    new = [one for one in {one.key: one for one in drawn}.values() if one.key not in known]
    return worthwhile(work, new)


def mixed_inputs(inputs: Sequence[Input], code: ChangedCode, *, seed: int, count: int) -> list[Input]:
    """Return neighbours and mixtures of the inputs, none of them among them."""
    known = {one.key for one in inputs}
    made = candidates(stocks_of(inputs, code), seed, 2 * count)
    return [one for one in made if one.key not in known][:count]


def worthwhile(work: Work, inputs: Sequence[Input]) -> list[Input]:
    """Return the inputs without most of those that are dear to ask, and without those near the recursion limit.

    What the reproducer's checks ask is kept.

    Where line events judge what calls cost, what only the clock would judge goes too.
    """
    bench, lifted = work.bench, {one.key for one in work.gathered.lifted}
    requests = [one.request for one in inputs]
    reference = bench.program(work.reference)
    kept = thrifty(bench.runner, reference, requests, bench.how)
    own = [one.request for one in work.gathered.lifted]
    deep = nearly_too_deep(bench.runner, reference, [requests[at] for at in kept], bench.how, own)
    shallow = {at for number, at in enumerate(kept) if number not in deep}
    worth = [one for at, one in enumerate(inputs) if at in shallow or one.key in lifted]
    if not work.material.bounded:
        return worth
    return bench.quick([source for _, source in sorted(work.material.programs.items())], worth)
