"""The states of a reduction in their order; what a new request refutes is undone, and what came after it stays.

A request that a state fails was lost by some step before it; going back to where that step began would lose all work
since. Instead the step's changes are parted: those that lose the request are undone, in that state and in every state
after it, and only a state in which the two cannot be joined is given up.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import pairwise

from authoring.reduction.merged import MergedLine, MergedProgram

__all__ = ["History", "Hunk", "State", "apply_hunks", "hunks", "transferred"]

Holds = Callable[[MergedProgram], bool]

_MENDS = 24
"""Steps that are parted for one request, at most."""
_DEEP = 50
"""Joins that wait for each other, at most."""
_CULPRITS = 6
"""Changes of a step that are undone, at most; a step with more of them is undone whole."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """What stands in place of ``lines[start:stop]``."""

    start: int
    stop: int
    lines: tuple[MergedLine, ...]


def hunks(before: MergedProgram, after: MergedProgram) -> list[Hunk]:
    """Return the changes from one state to another, from the first line on."""
    codes = _matched(before, after).get_opcodes()
    return [Hunk(a, b, after.lines[c:d]) for tag, a, b, c, d in codes if tag != "equal"]


def apply_hunks(program: MergedProgram, changes: Iterable[Hunk]) -> MergedProgram:
    """Return a state after some of the changes that were made of it."""
    lines = list(program.lines)
    ordered = sorted(changes, key=lambda hunk: (hunk.start, hunk.stop))
    for change in reversed(ordered):  # of two at one place the first comes first
        lines[change.start : change.stop] = change.lines
    return replace(program, lines=tuple(lines))


def transferred(changes: Sequence[Hunk], before: MergedProgram, later: MergedProgram) -> MergedProgram | None:
    """Return ``later``, which came from ``before``, after changes of ``before``; None where they do not fit."""
    places: dict[int, int] = {}
    for a, b, size in _matched(before, later).get_matching_blocks():
        places |= {a + at: b + at for at in range(size)}
    moved = []
    for change in changes:
        place = _place(change, places, len(before.lines), len(later.lines))
        if place is None:
            return None
        moved.append(Hunk(*place, change.lines))
    moved.sort(key=lambda hunk: (hunk.start, hunk.stop))
    if any(one.stop > other.start for one, other in pairwise(moved)):
        return None
    return apply_hunks(later, moved)


def _place(change: Hunk, places: dict[int, int], before: int, later: int) -> tuple[int, int] | None:
    """Return the lines of a later state that stand where a change was made; None where there are others now."""
    above = -1 if change.start == 0 else places.get(change.start - 1)
    below = later if change.stop == before else places.get(change.stop)
    if change.start == change.stop:
        if above is not None:
            return above + 1, above + 1
        return None if below is None else (below, below)
    held = [places.get(at) for at in range(change.start, change.stop)]
    kept = [at for at in held if at is not None]
    if len(kept) == len(held) and kept[-1] - kept[0] == len(kept) - 1:
        return kept[0], kept[-1] + 1
    if above is None or below is None:
        return None
    return above + 1, below


def _matched(one: MergedProgram, other: MergedProgram) -> SequenceMatcher[MergedLine]:
    return SequenceMatcher(None, one.lines, other.lines, autojunk=False)


@dataclass(eq=False, slots=True)
class State:
    """A state on the way; one that has to be joined with what was undone before it is made when it is asked for."""

    phases: int
    """How many phases were done before it."""
    made: MergedProgram | None = None
    join: Callable[[], MergedProgram | None] | None = None
    depth: int = 0
    """How many joins wait for each other."""

    @property
    def program(self) -> MergedProgram | None:
        """The state; None where it cannot be joined with what was undone."""
        if self.join is not None:
            self.made, self.join, self.depth = self.join(), None, 0
        return self.made

    def joined(self, undone: Sequence[Hunk], before: MergedProgram) -> "State":
        """Return the state after changes of one before it."""
        depth = self.depth + 1 if self.depth < _DEEP or self.program is None else 1
        return State(self.phases, join=_joining(undone, before, self), depth=depth)


class History:
    """All states from the unreduced programs to the present."""

    def __init__(self, first: MergedProgram) -> None:
        self.states = [State(0, first)]

    @property
    def last(self) -> MergedProgram:
        """The present state."""
        return self._known(-1)

    @property
    def known(self) -> list[tuple[int, MergedProgram]]:
        """The states that are there without being joined first, from the first on, with the phases done before each."""
        return [(state.phases, state.made) for state in self.states if state.made is not None]

    def add(self, program: MergedProgram, phases: int) -> None:
        """Let a state be the present one."""
        self.states.append(State(phases, program))

    def follow(self, way: Sequence[tuple[int, MergedProgram]]) -> bool:
        """Let the states of an earlier history come next, with the phases done before each.

        Where that one began with another program, they are joined with what is new in this one; tell whether it did.
        """
        (_, start), *states = way
        new = hunks(start, self.last)
        for phases, program in states:
            state = State(phases, program)
            self.states.append(state.joined(new, start) if new else state)
        return bool(new)

    def back_to(self, holds: Holds) -> bool:
        """Go back to the last state that holds; tell whether one does."""
        low = self._last_that(holds)
        del self.states[low + 1 :]
        return low > 0 or holds(self.last)

    def mend(self, holds: Holds, holds_anew: Holds) -> bool:
        """Undo what makes the present state fail, and as little else as can be; tell whether a state holds.

        ``holds`` says whether a state is right; ``holds_anew`` whether one is right in what was not asked before, which
        takes less.
        """
        for _ in range(_MENDS):
            low = self._last_that(holds)
            if low == len(self.states) - 1:
                break
            while low + 1 < len(self.states) and self.states[low + 1].program is None:
                del self.states[low + 1]
            if low + 1 == len(self.states):
                break
            before, after = self._known(low), self._known(low + 1)
            if low == 0 and not holds(before):
                break
            mended = _without_culprits(before, after, holds_anew)
            if mended == after:  # it is right in what is new, and lost something else when it was joined
                mended = _without_culprits(before, after, holds)
            undone = hunks(after, mended)
            step, later = self.states[low + 1], self.states[low + 2 :]
            kept = [] if mended == before else [State(step.phases, mended)]
            self.states[low + 1 :] = [
                *kept,
                *(one.joined(undone, after) for one in later),
            ]
        return self.back_to(holds)

    def _last_that(self, holds: Holds) -> int:
        """Return the number of the last state that holds, the first where none does; halving finds it.

        States get worse with time, as a request that is lost stays lost.
        """

        def is_right(at: int) -> bool:
            program = self.states[at].program
            return program is not None and holds(program)

        low, high = 0, len(self.states)
        if high > 1 and is_right(high - 1):
            return high - 1
        while high - low > 1:
            middle = (low + high) // 2
            if is_right(middle):
                low = middle
            else:
                high = middle
        return low

    def _known(self, at: int) -> MergedProgram:
        program = self.states[at].program
        assert program is not None, "states that hold are there"
        return program


def _joining(
    undone: Sequence[Hunk], before: MergedProgram, later: State
) -> Callable[[], MergedProgram | None]:
    def join() -> MergedProgram | None:
        program = later.program
        return None if program is None else transferred(undone, before, program)

    return join


def _without_culprits(before: MergedProgram, after: MergedProgram, holds: Holds) -> MergedProgram:
    """Return the step's result without those of its changes that fail; its start where they are too many."""
    left = hunks(before, after)
    for _ in range(_CULPRITS):
        made = apply_hunks(before, left)
        if holds(made):
            return made
        low, high = 0, len(left)
        while high - low > 1:
            middle = (low + high) // 2
            if holds(apply_hunks(before, left[:middle])):
                low = middle
            else:
                high = middle
        del left[high - 1]
        if not left:
            return before
    return apply_hunks(before, left) if holds(apply_hunks(before, left)) else before
