"""Keep few of the inputs that are dear to ask: hundreds of programs pay for each of them."""

from collections.abc import Sequence
from dataclasses import replace

from authoring.model.execution import How, Hung, Request, Runner, Subject

__all__ = ["thrifty"]

_CHEAP_EVENTS = 10_000
"""Line events of a call that takes a millisecond or two."""
_DEAR_EVENTS = 150_000
"""The same of one that takes a quarter of what is a hang."""
_DEAR_CAP = 24
_CPU_S = 1.0


def thrifty(runner: Runner, subject: Subject, requests: Sequence[Request], how: How) -> list[int]:
    """Return the positions of the requests that are worth their cost, in order.

    These are all that the subject answers within 10,000 line events; and 24 of those that take up to 150,000, from all
    over the list. Line events are counted, and not time, so that the choice does not hang on the machine. Requests
    that bound line events themselves are kept.
    """
    bound = [at for at, one in enumerate(requests) if one.line_events is not None]
    free = [at for at, one in enumerate(requests) if one.line_events is None]
    cheap = _within(_CHEAP_EVENTS, runner, subject, requests, free, how)
    dear = [at for at in free if at not in cheap]
    kept: list[int] = []
    for turn in _spread(dear, _DEAR_CAP):
        if len(kept) < _DEAR_CAP:
            kept += sorted(_within(_DEAR_EVENTS, runner, subject, requests, turn, how))
    return sorted({*bound, *cheap, *kept[:_DEAR_CAP]})


def _within(
    events: int,
    runner: Runner,
    subject: Subject,
    requests: Sequence[Request],
    places: Sequence[int],
    how: How,
) -> set[int]:
    """Return those places at which the subject ends within so many line events."""
    asked = [replace(requests[at], line_events=events) for at in places]
    counted = replace(how, limits=replace(how.limits, call_cpu_s=_CPU_S), believes_hangs=True)
    outcomes = runner.observe(subject, asked, counted) if asked else []
    return {at for at, outcome in zip(places, outcomes, strict=True) if outcome != Hung()}


def _spread(items: Sequence[int], size: int) -> list[list[int]]:
    """Cut the items into turns of about ``size``, each from all over them."""
    turns = -(-len(items) // size)
    return [list(items[turn::turns]) for turn in range(turns)]
