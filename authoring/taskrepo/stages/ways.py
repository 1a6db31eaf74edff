"""The ways that requests take through programs, traced once in a run."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from authoring.model.digest import value_digest
from authoring.model.execution import How, Program, Request, Runner
from authoring.taskrepo.stages.reduction_inputs import place_of

__all__ = ["Way", "Ways"]

Way = frozenset[tuple[str, int]]
"""What ran for one request: file and line."""


@dataclass(slots=True)
class Ways:
    """What was traced; one reduction after another asks for the same."""

    _known: dict[str, dict[str, Way]] = field(default_factory=dict)
    """By the digest of a program and of how it ran, then by the place of the request."""

    def through(self, runner: Runner, program: Program, requests: Sequence[Request], how: How) -> list[Way]:
        """Return the way of each request, in order; requests that hang take none that can be told."""
        known = self._known.setdefault(value_digest([repr(program), repr(how)]), {})
        new = {place_of(one): one for one in requests if place_of(one) not in known}
        traces = runner.trace(program, list(new.values()), how)
        for place, trace in zip(new, traces, strict=True):
            known[place] = frozenset((file, line) for file, lines in trace.lines.items() for line in lines)
        return [known[place_of(one)] for one in requests]
