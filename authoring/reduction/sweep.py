"""Try candidate edits in groups, and keep as many as the oracle allows.

All edits of a sweep are stated on one base state. A group that passes is kept whole; one that fails is halved. How many
edits go into a group follows from how many of this pass were kept so far: where most fail, each is tried alone.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from authoring.reduction.edits import Edit, Taken, apply_edits
from authoring.reduction.merged import MergedProgram

__all__ = ["Measure", "Rate", "Sweep", "measure_size"]

_PATIENCE = 48
"""Refused edits of one family after which no more of it are tried alone."""
_PARTS = 8
"""Parts in which the rest of such families is tried."""

Measure = tuple[int, ...]
"""What must fall with every accepted edit."""


def measure_size(program: MergedProgram) -> Measure:
    """Return merged nodes, differing nodes, lines held in all versions, and characters."""
    held = sum(len(line.versions) for line in program.lines)
    text = sum(len(line.text) for line in program.lines)
    return (program.nodes(), program.differing(), held, text)


@dataclass(slots=True)
class Rate:
    """How often edits of one pass are kept; a new pass is taken to keep nine in ten."""

    kept: float
    tried: float = 10.0

    def group(self) -> int:
        """Return how many edits to try at once so that about half of the groups pass."""
        share = min(max(self.kept / self.tried, 0.01), 0.999)
        return max(1, int(math.log(0.5) / math.log(share)))

    def count(self, kept: int, tried: int) -> None:
        """Take the result of a group; old results fade."""
        fade = 0.98**tried
        self.kept = self.kept * fade + kept
        self.tried = self.tried * fade + tried


@dataclass(slots=True)
class Sweep:
    """One run over the candidates of a pass."""

    base: MergedProgram
    ask: Callable[[MergedProgram], bool]
    rate: Rate
    measure: Callable[[MergedProgram], Measure] = measure_size
    kept: list[Edit] = field(default_factory=list)
    refused: list[Edit] = field(default_factory=list)
    program: MergedProgram = field(init=False)
    _best: Measure = field(init=False)
    _taken: Taken = field(default_factory=Taken)
    _in_vain: Counter[str] = field(default_factory=Counter)
    """By family, how many edits in a row were refused."""
    _left: list[Edit] = field(default_factory=list)
    """Edits of families that were given up."""

    def __post_init__(self) -> None:
        self.program = self.base
        self._best = self.measure(self.base)

    def run(self, candidates: Iterable[Edit], *, whole: bool = False) -> MergedProgram:
        """Return the smallest program that was accepted; ``kept`` and ``refused`` say what became of the edits.

        ``whole``: try all edits at once first, and halve from there.
        """
        waiting = list(candidates)
        if whole:
            self._try(waiting)
            return self.program
        while waiting:
            size = self.rate.group()
            group, waiting = waiting[:size], waiting[size:]
            self._try(group)
        self._try_left()
        return self.program

    def _try_left(self) -> None:
        """Try the edits of families that were given up in a few large parts."""
        left, self._left = self._left, []
        self._in_vain.clear()
        size = -(-len(left) // _PARTS) or 1
        for start in range(0, len(left), size):
            part = left[start : start + size]
            kept = len(self.kept)
            self._try(part, is_halved=False)
            if len(self.kept) == kept:
                self.refused += part

    def _try(self, group: Sequence[Edit], *, is_halved: bool = True) -> None:
        fitting: list[Edit] = []
        own = Taken()
        for edit in group:
            if self._in_vain[edit.family] >= _PATIENCE:
                self._left.append(edit)
            elif not self._taken.meets(edit) and not own.meets(edit):
                fitting.append(edit)
                own.take(edit)
        if not fitting:
            return
        candidate = apply_edits(self.base, [*self.kept, *fitting])
        size = self._measured(candidate)
        if size is not None and size < self._best and self.ask(candidate):
            self.kept.extend(fitting)
            for edit in fitting:
                self._in_vain[edit.family] = 0
                self._taken.take(edit)
            self.program, self._best = candidate, size
            self.rate.count(len(fitting), len(fitting))
        elif not is_halved:
            return
        elif len(fitting) == 1:
            self.refused.append(fitting[0])
            self._in_vain[fitting[0].family] += bool(fitting[0].family)
            self.rate.count(0, 1)
        else:
            middle = len(fitting) // 2
            self._try(fitting[:middle])
            self._try(fitting[middle:])

    def _measured(self, candidate: MergedProgram) -> Measure | None:
        """Return the measure; None where a line of the candidate is no Python."""
        try:
            return self.measure(candidate)
        except SyntaxError:
            return None
