"""Cut what sets the broken version apart from the right one into pieces that can be given one by one."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from authoring.model.variants import VersionName
from authoring.reduction.align import merge_text
from authoring.reduction.lines import indent_of
from authoring.reduction.merged import MergedProgram
from authoring.reduction.passes.transplant import hunks

__all__ = ["Difference"]

_MOST = 6
"""Pieces that are looked at one by one; beyond these, neighbours are one piece."""


class Difference:
    """What sets ``broken`` apart from ``reference``, in pieces that are counted from 0."""

    def __init__(self, programs: Mapping[VersionName, str]) -> None:
        """Align the sources; a run of lines that replaces as many at the same depths is one piece a line."""
        self._program = merge_text(programs)
        found = hunks(self._program, "reference", "broken")
        self._pieces = _few([piece for hunk in found for piece in _by_line(self._program, hunk)])

    def __len__(self) -> int:
        """Return how many pieces there are."""
        return len(self._pieces)

    def repaired(self, pieces: Iterable[int]) -> str:
        """Return the broken source with these pieces as the reference has them."""
        return self._given(pieces, "reference", "broken")

    def attempt(self, others: Iterable[int]) -> str:
        """Return the attempt's source with these pieces as broken has them."""
        return self._given(others, "broken", "hard_negative")

    def _given(self, pieces: Iterable[int], giver: VersionName, taker: VersionName) -> str:
        numbers = {line for piece in pieces for line in self._pieces[piece]}
        lines = tuple(
            replace(line, versions=(line.versions - {taker}) | ({taker} if giver in line.versions else set()))
            if number in numbers
            else line
            for number, line in enumerate(self._program.lines)
        )
        return replace(self._program, lines=lines).project(taker)


def _by_line(program: MergedProgram, hunk: list[int]) -> list[list[int]]:
    """Return a hunk's lines in pairs where as many are replaced by as many at the same depths, else together."""
    sides: tuple[VersionName, VersionName] = ("broken", "reference")
    old, new = ([at for at in hunk if side in program.lines[at].versions] for side in sides)
    is_paired = [indent_of(program.lines[at].text) for at in old] == [
        indent_of(program.lines[at].text) for at in new
    ]
    return [sorted(pair) for pair in zip(old, new, strict=True)] if is_paired else [hunk]


def _few(pieces: list[list[int]]) -> list[list[int]]:
    """Return few enough pieces: those that lie closest are joined, the first of equals."""
    found = list(pieces)
    while len(found) > _MOST:
        gaps = [min(second) - max(first) for first, second in zip(found, found[1:], strict=False)]
        at = gaps.index(min(gaps))
        found[at : at + 2] = [[*found[at], *found[at + 1]]]
    return found
