"""Ask whether a program does what is expected of it, with little time for calls that are expected to hang."""

from collections.abc import Sequence
from dataclasses import replace

from authoring.model.execution import How, Hung, Outcome, Request, Runner, Subject

__all__ = ["BRIEF_CPU_S", "observe_expecting"]

BRIEF_CPU_S = 0.03
"""CPU seconds after which a call that is expected to hang is taken to do so; a cold check gives it the whole budget."""


def observe_expecting(
    runner: Runner, subject: Subject, requests: Sequence[Request], expected: Sequence[Outcome], how: How
) -> list[Outcome]:
    """Return one outcome a request, in order.

    A hang costs its whole budget and a process each time, and is no surprise where it is expected: those calls come
    after the others, end early, and are believed at once.
    """
    hanging = [at for at, outcome in enumerate(expected) if outcome == Hung()]
    ending = [at for at, outcome in enumerate(expected) if outcome != Hung()]
    found = dict(zip(ending, runner.observe(subject, [requests[at] for at in ending], how), strict=True))
    if hanging:
        brief = replace(how, limits=replace(how.limits, call_cpu_s=_brief(how)), believes_hangs=True)
        asked = [requests[at] for at in hanging]
        found.update(zip(hanging, runner.observe(subject, asked, brief), strict=True))
    return [found[at] for at in range(len(requests))]


def _brief(how: How) -> float | None:
    whole = how.limits.call_cpu_s
    return None if whole is None else min(whole, BRIEF_CPU_S)
