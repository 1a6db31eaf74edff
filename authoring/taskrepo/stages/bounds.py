"""Bounds on line events for those checks of a reproducer that some version answers right, but at a high price.

Between what ends at once and what never ends lies what is slow. How slow depends on the machine, so the clock cannot
say which version is right; line events can. A check whose call is late on some release is asked at shrinking sizes, one
that fails although every release answers the same at growing ones, and where a wrong version takes many times the
reference's line events, that is what is asked of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from authoring.model.capture import Capture, LiftedCheck
from authoring.model.execution import Hung, Observed, Request
from authoring.model.variants import VersionName
from authoring.model.wire import sort_key
from authoring.scenario.inputs import is_same, weight
from authoring.taskrepo.stages.reduction_inputs import Releases, place_of
from authoring.taskrepo.stages.sizes import at_larger_sizes, at_sizes

__all__ = ["Bounded", "around", "bounded_capture", "bounds_of"]

TIMES = 16
"""A call may take so many times the reference's line events: rewrites of a program take a few times as many."""
EXCEEDS = 4
"""A wrong version takes so many times what a call may take, at least; where it takes less it is not asked."""
_LEAST, _MOST = 1 << 7, 1 << 14
"""Line events of the reference: fewer are taken for so many, and with more a call would cost too much CPU."""
_KEPT, _LEAST_KEPT = 4, 2
"""Sizes of one check, at most and at least: one is for a public check and others for hidden ones."""


@dataclass(frozen=True, slots=True)
class Bounded:
    """What is asked in place of one request of the reproducer."""

    of: Request
    requests: tuple[Request, ...]
    """With bounds, of several sizes; the first stands for the reproducer's own, and is that where line events tell."""
    plain: Request
    """The smallest size, without a bound: where inputs of its kind are looked for."""


def bounds_of(
    releases: Releases, requests: Sequence[Request], failing: Sequence[Request] = ()
) -> list[Bounded]:
    """Return what is asked in place of those requests on which some version is late, where line events tell.

    So it is for a request of a check that is known to fail, on which every version answers the same: nothing but the
    cost of the call can be what fails. Where that does not tell at the reproducer's size, it may at a larger one.
    """
    at_fault = {place_of(one) for one in failing}
    found = []
    for request in requests:
        is_late = releases.is_late(request)
        if is_late or (place_of(request) in at_fault and _is_answered_alike(releases, request)):
            bounded = _bounded(releases, request, is_late=is_late)
            if bounded is not None:
                found.append(bounded)
    return found


def _is_answered_alike(releases: Releases, request: Request) -> bool:
    first, *others = (outcomes[0] for outcomes in releases.expected([request]).values())
    return isinstance(first, Observed) and all(is_same(first, other) for other in others)


def _bounded(releases: Releases, request: Request, *, is_late: bool) -> Bounded | None:
    own, *smaller = [replace(request, params=params) for params in at_sizes(request.params)]
    larger = (
        [] if is_late else [replace(request, params=params) for params in at_larger_sizes(request.params)]
    )
    kept: list[Request] = []
    for one in (own, *larger, *reversed(smaller)):
        bound = _bound(releases, one)
        if bound is not None:
            kept.append(replace(one, line_events=bound))
        if len(kept) == _KEPT:
            break
    if len(kept) < _LEAST_KEPT or not _is_cost(releases, kept):
        return None
    plain = releases.hasty().quick([own, *smaller][-1:])
    return Bounded(request, tuple(kept), plain[0]) if plain else None


def _bound(releases: Releases, request: Request) -> int | None:
    """Return how many line events a call may take; None where they do not tell the versions apart for certain."""
    taken = _line_events(releases, request)
    if taken is None:
        return None
    bound = TIMES * taken
    wrong = [version for version in releases.packages if version != "reference"]
    over = [not _ends_within(releases, version, request, EXCEEDS * bound) for version in wrong]
    under = [_ends_within(releases, version, request, bound // 2) for version in wrong]
    is_clear = all(one or other for one, other in zip(over, under, strict=True))
    return bound if any(over) and is_clear else None


def _line_events(releases: Releases, request: Request) -> int | None:
    """Return a power of two within which the reference ends, the least one, or None where it is above the most."""
    low, high = _LEAST.bit_length() - 1, _MOST.bit_length() - 1
    if not _ends_within(releases, "reference", request, 1 << high):
        return None
    while low < high:
        middle = (low + high) // 2
        if _ends_within(releases, "reference", request, 1 << middle):
            high = middle
        else:
            low = middle + 1
    return 1 << high


def _ends_within(releases: Releases, version: VersionName, request: Request, line_events: int) -> bool:
    """Tell whether a call ends within so many line events, in a process that did nothing before."""
    how = replace(releases.package_how, fork_per_request=True)
    asked = [replace(request, line_events=line_events)]
    (outcome,) = releases.runner.observe(releases.packages[version], asked, how)
    return isinstance(outcome, Observed)


def _is_cost(releases: Releases, kept: Sequence[Request]) -> bool:
    """Tell whether every version comes to an end at the smallest of the sizes: one that never does needs no bound."""
    plain = replace(min(kept, key=lambda one: weight(one.params)), line_events=None)
    return all(outcomes != [Hung()] for outcomes in releases.expected([plain]).values())


def bounded_capture(capture: Capture, bounds: Sequence[Bounded]) -> Capture:
    """Return the capture with what is asked in place of its checks."""
    known = {_place(one.of.scenario, one.of.params): one.requests[0] for one in bounds}

    def moved(check: LiftedCheck) -> LiftedCheck:
        stands = known.get(_place(check.scenario, check.params))
        if stands is None:
            return check
        return check.model_copy(update={"params": stands.params, "line_events": stands.line_events})

    return capture.model_copy(update={"checks": tuple(moved(check) for check in capture.checks)})


def around(capture: Capture, bounds: Sequence[Bounded]) -> list[LiftedCheck]:
    """Return the checks around which inputs are looked for: small ones in place of those with a bound."""
    small = {_place(one.of.scenario, one.requests[0].params): one.plain.params for one in bounds}
    return [
        check
        if check.line_events is None
        else check.model_copy(update={"params": small[_place(check.scenario, check.params)]})
        for check in capture.checks
    ]


def _place(scenario: str, params: object) -> tuple[str, str]:
    return scenario, sort_key(params)
