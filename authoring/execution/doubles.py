"""The answers of injected functions, kept outside the box: listed ones in order, or a timeline's clock and sleep (R15).

A double of the name ``timeline`` has no calls of its own: its answers are a beginning (seconds as an integer or a
float, or a datetime) and, where given, the seconds that pass with each reading. ``timeline.now`` reads it,
``timeline.sleep`` lets it advance; nobody really waits, and however often both are called, there is an answer.
"""

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from authoring.model.errors import RefusedError
from authoring.model.execution import Wire
from authoring.model.wire import WireError, decode, encode

__all__ = ["Doubles", "ExhaustedError", "Timeline"]

_ASYNC = "async "
_TIMELINE = "timeline"
_LONGEST_S = 10**10


class ExhaustedError(Exception):
    """An injected function was called more often than it has answers."""


@dataclass(slots=True)
class Timeline:
    """A clock that only readings and sleeps advance."""

    start: int | float | datetime.datetime
    tick: Fraction = Fraction(0)
    elapsed: Fraction = Fraction(0)

    def now(self) -> int | float | datetime.datetime:
        """Return the time, of the kind that the start has, and let a tick pass."""
        seconds = self.elapsed
        self.advance(self.tick)
        if isinstance(self.start, datetime.datetime):
            try:
                return self.start + datetime.timedelta(microseconds=int(seconds * 10**6))
            except OverflowError:
                return datetime.datetime.max.replace(tzinfo=self.start.tzinfo)
        exact = Fraction(self.start) + seconds
        return float(exact) if isinstance(self.start, float) else math.floor(exact)

    def sleep(self, duration: Any) -> None:
        """Advance by seconds or a timedelta; what is no duration, or a negative one, lets no time pass."""
        seconds = _seconds(duration)
        if seconds is not None:
            self.advance(seconds)

    def advance(self, seconds: Fraction) -> None:
        """Let seconds pass, up to some three centuries in all."""
        self.elapsed = min(self.elapsed + max(seconds, Fraction(0)), Fraction(_LONGEST_S))


def _seconds(duration: Any) -> Fraction | None:
    if isinstance(duration, datetime.timedelta):
        return Fraction(duration // datetime.timedelta(microseconds=1), 10**6)
    if isinstance(duration, bool) or not isinstance(duration, int | float):
        return None
    if isinstance(duration, float) and math.isnan(duration):
        return None
    return Fraction(max(-1, min(duration, _LONGEST_S)))


@dataclass(slots=True)
class Doubles:
    """The injected functions of one request, and how far their answers are used up."""

    answers: dict[str, tuple[Wire, ...]]
    calls: list[list[Wire]] = field(default_factory=list)
    """Name and arguments of every call that was answered: what a reply must tell too."""
    _given: dict[str, int] = field(default_factory=dict)
    _timeline: Timeline | None = None

    def __post_init__(self) -> None:
        if _TIMELINE in self.answers:
            self._timeline = _timeline(self.answers[_TIMELINE])

    def knows(self, name: str) -> bool:
        """Return whether there is an injected function of that name."""
        return name in self.answers or (self._timeline is not None and _of_timeline(name) is not None)

    def answer(self, name: str, arguments: Sequence[Wire]) -> Wire:
        """Return what a call gives; raise :class:`ExhaustedError` where the listed answers are used up."""
        method = _of_timeline(name)
        self.calls.append([name, list(arguments)])
        if self._timeline is not None and method is not None:
            return self._timed(self._timeline, method, arguments)
        at = self._given.get(name, 0)
        if name == _TIMELINE or at >= len(self.answers[name]):
            raise ExhaustedError
        self._given[name] = at + 1
        return self.answers[name][at]

    def _timed(self, timeline: Timeline, method: str, arguments: Sequence[Wire]) -> Wire:
        if method == "now":
            return encode(timeline.now())
        timeline.sleep(_plain(arguments[0]) if arguments else None)
        return None


def _of_timeline(name: str) -> str | None:
    """Return which of a timeline's functions a name means, or None."""
    owner, _, method = name.removeprefix(_ASYNC).partition(".")
    return method if owner == _TIMELINE and method in ("now", "sleep") else None


def _timeline(answers: Sequence[Wire]) -> Timeline:
    start, tick = ([_plain(answer) for answer in answers] + [0])[:2] if answers else (0, 0)
    seconds = _seconds(tick)
    if len(answers) > 2 or seconds is None or seconds < 0 or not _is_start(start):
        raise RefusedError(
            "EXE016",
            "A timeline begins with something else than seconds or a datetime, or its tick is no number of seconds.",
        )
    return Timeline(start, seconds)


def _is_start(start: Any) -> bool:
    if isinstance(start, bool) or not isinstance(start, int | float | datetime.datetime):
        return False
    return isinstance(start, datetime.datetime) or abs(start) < 1 << 64


def _plain(wire: Wire) -> Any:
    """Return the value of a wire form, or None where it exists in a box only."""
    try:
        return decode(wire)
    except WireError:
        return None
