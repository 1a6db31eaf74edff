"""Tell inputs on which the recursion limit decides: how many frames a level takes is nobody's behaviour.

A flat program takes fewer frames a level than its release, and a right repair may take more than the reference; so what
ends in a RecursionError at one depth and not at another says nothing. Recursion without an end is told from this by its
ending so at every limit.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from authoring.model.execution import How, Observed, Outcome, Package, Program, Request, Runner, Subject
from authoring.model.wire import sort_key

__all__ = ["decided_by_depth", "nearly_too_deep"]

_FACTORS = (2.0, 1.5, 1.25, 1.1)
_LONG = 200
"""Characters of parameters below which they cannot nest deep enough to matter."""
_NUMBER = re.compile(r"0x(?:[6-9a-f][0-9a-f]|[0-9a-f]{3,})|\d{3}")
"""A number of about a hundred and more, which may be a depth; wires hold integers in base 16."""


def _with_depth(subject: Subject, factor: float) -> Subject:
    """Return a subject that runs under so many times the recursion limit that it has."""
    text = (
        f"{subject.scenarios}\nimport sys as _sys\n"
        f"_sys.setrecursionlimit(int(_sys.getrecursionlimit() * {factor}))\n"
    )
    match subject:
        case Program():
            return replace(subject, scenarios=text)
        case Package():
            return replace(subject, scenarios=text)


def _is_recursion(outcome: Outcome) -> bool:
    """Tell whether a call ended in a RecursionError."""
    return isinstance(outcome, Observed) and any(
        one.get("raised", {}).get("type") == "RecursionError" for one in outcome.observations
    )


def decided_by_depth(
    runner: Runner,
    subject: Subject,
    requests: Sequence[Request],
    outcomes: Sequence[Outcome],
    how: How,
    own: Sequence[Request] = (),
) -> set[int]:
    """Return the positions of requests that ended in a RecursionError, and would not at twice the depth.

    ``own`` are the reproducer's. Where one of them itself would not, its depth is the incident's: then the greatest
    smaller factor counts at which all of theirs still do, so that what goes as deep as they do is left.
    """
    places = [at for at, outcome in enumerate(outcomes) if _is_recursion(outcome)]
    if not places:
        return set()
    recursing = [
        one
        for one, outcome in zip(own, runner.observe(subject, own, how), strict=True)
        if _is_recursion(outcome)
    ]
    for factor in _FACTORS:
        if not _others(runner, subject, recursing, range(len(recursing)), how, factor):
            return _others(runner, subject, requests, places, how, factor)
    return set()


def nearly_too_deep(
    runner: Runner, subject: Subject, requests: Sequence[Request], how: How, own: Sequence[Request] = ()
) -> set[int]:
    """Return the positions of requests that end in a RecursionError at half the depth, but not at all of it.

    Only parameters that may lead so deep are asked about; requests that bound line events are not. None are returned
    where one of ``own``, the reproducer's, is such a request: then its depth is the incident's.
    """
    found = _between(runner, subject, requests, how)
    return set() if found and _between(runner, subject, own, how) else found


def _between(runner: Runner, subject: Subject, requests: Sequence[Request], how: How) -> set[int]:
    places = [
        at
        for at, one in enumerate(requests)
        if one.line_events is None and _may_be_deep(sort_key(one.params))
    ]
    asked = [requests[at] for at in places]
    outcomes = runner.observe(_with_depth(subject, 0.5), asked, how) if asked else []
    deep = [at for at, outcome in zip(places, outcomes, strict=True) if _is_recursion(outcome)]
    return _others(runner, subject, requests, deep, how, 1)


def _may_be_deep(text: str) -> bool:
    return len(text) >= _LONG or _NUMBER.search(text) is not None


def _others(
    runner: Runner,
    subject: Subject,
    requests: Sequence[Request],
    places: Sequence[int],
    how: How,
    factor: float,
) -> set[int]:
    """Return those places at which a call does not end in a RecursionError under so many times the limit."""
    if not places:
        return set()
    changed = subject if factor == 1 else _with_depth(subject, factor)
    outcomes = runner.observe(changed, [requests[at] for at in places], how)
    return {at for at, outcome in zip(places, outcomes, strict=True) if not _is_recursion(outcome)}
