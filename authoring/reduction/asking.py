"""Ask whether a program does what is expected of it, with little time for calls that are expected to hang."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from authoring.model.execution import How, Hung, Outcome, Request, Runner, Subject

__all__ = ["BRIEF_CPU_S", "first_unexpected", "observe_expecting"]

BRIEF_CPU_S = 0.03
"""CPU seconds after which a call that is expected to hang is taken to do so; a cold check gives it the whole budget."""


def observe_expecting(
    runner: Runner, subject: Subject, requests: Sequence[Request], expected: Sequence[Outcome], how: How
) -> list[Outcome]:
    """Return one outcome a request, in order.

    A hang costs its whole budget and a process each time, and is no surprise where it is expected: those calls come
    after the others, end early, and are believed at once.
    """
    ending, hanging = _parted(expected)
    found = dict(zip(ending, runner.observe(subject, [requests[at] for at in ending], how), strict=True))
    if hanging:
        brief = _briefly(how)
        asked = [requests[at] for at in hanging]
        found.update(zip(hanging, runner.observe(subject, asked, brief), strict=True))
    return [found[at] for at in range(len(requests))]


def first_unexpected(
    runner: Runner,
    subject: Subject,
    requests: Sequence[Request],
    expected: Sequence[Outcome],
    how: How,
    is_same: Callable[[Outcome, Outcome], bool],
) -> tuple[int, Outcome] | None:
    """Return the position of a request with another outcome than is expected of it, and that outcome; None: of none.

    The first in order is asked first, those that are expected to hang after the others; what follows is not asked.
    """
    for places, way in zip(_parted(expected), (how, _briefly(how)), strict=True):
        if not places:
            continue

        def is_like(at: int, outcome: Outcome, places: Sequence[int] = places) -> bool:
            return is_same(expected[places[at]], outcome)

        found = runner.first_unlike(subject, [requests[at] for at in places], way, is_like)
        if found is not None:
            return places[found[0]], found[1]
    return None


def _parted(expected: Sequence[Outcome]) -> tuple[list[int], list[int]]:
    """Return the positions of calls that end, and of those that are expected to hang."""
    ending = [at for at, outcome in enumerate(expected) if outcome != Hung()]
    return ending, [at for at, outcome in enumerate(expected) if outcome == Hung()]


def _briefly(how: How) -> How:
    return replace(how, limits=replace(how.limits, call_cpu_s=_brief(how)), believes_hangs=True)


def _brief(how: How) -> float | None:
    whole = how.limits.call_cpu_s
    return None if whole is None else min(whole, BRIEF_CPU_S)
