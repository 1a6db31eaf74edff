"""Cut what sets the broken version apart from the right one into pieces that can be given one by one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from authoring.model.variants import VersionName
from authoring.reduction.align import merge
from authoring.reduction.lines import indent_of, kind_of, words
from authoring.reduction.merged import MergedProgram
from authoring.reduction.passes.transplant import hunks
from authoring.reduction.readable import formatted
from authoring.scenario.compiles import compiles

__all__ = ["Difference"]

_SIDES: tuple[VersionName, VersionName] = ("broken", "reference")
_MOST = 6
"""Pieces that are looked at one by one; beyond these, neighbours are one piece."""


class Difference:
    """What sets ``broken`` apart from ``reference``, in pieces that are counted from 0.

    Sources are taken and given as black lays them out; a text that is no Python is given as it is.
    """

    def __init__(self, programs: Mapping[VersionName, str]) -> None:
        """Align the sources; a line that replaces another is a piece, and so is a statement that is new."""
        self._program = merge(programs)
        found: list[list[int]] = []
        for hunk in hunks(self._program, "reference", "broken"):
            pieces = _statements(self._program, hunk)
            self._program, pieces = _in_turn(self._program, hunk, pieces)
            found += pieces
        told = [piece for piece in found if not _is_same_text(self._program, piece)]
        self._pieces = _with_own_text(self._program, _few(told))

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
        text = replace(self._program, lines=lines).project(taker)
        return formatted(text) if compiles(text) else text


def _statements(program: MergedProgram, hunk: list[int]) -> list[list[int]]:
    """Return a hunk in pieces: lines of both sides that are alike, in their order, and what stands between these."""
    old, new = ([at for at in hunk if side in program.lines[at].versions] for side in _SIDES)
    pieces: list[list[int]] = []
    for a, b in (*_alike(program, old, new), (len(old), len(new))):
        pieces += _between(program, old[:a], new[:b])
        pieces += [sorted((old[a], new[b]))] if a < len(old) else []
        old, new = old[a + 1 :], new[b + 1 :]
    return pieces


def _in_turn(
    program: MergedProgram, hunk: list[int], pieces: list[list[int]]
) -> tuple[MergedProgram, list[list[int]]]:
    """Return the program with a hunk's lines piece after piece, so that one given alone stands where it belongs.

    Where that would change some version's text, all stays as it is.
    """
    order = [at for piece in pieces for at in piece]
    places = dict(zip(order, hunk, strict=True))
    lines = list(program.lines)
    for at, place in places.items():
        lines[place] = program.lines[at]
    turned = replace(program, lines=tuple(lines))
    if turned.programs() != program.programs():
        return program, pieces
    return turned, [[places[at] for at in piece] for piece in pieces]


def _alike(program: MergedProgram, old: Sequence[int], new: Sequence[int]) -> list[tuple[int, int]]:
    """Return pairs of lines of which one may be another rendering of the other, each counted from the last pair."""
    pairs: list[tuple[int, int]] = []
    start = after = 0
    for a, mine in enumerate(old):
        found = (b for b in range(start, len(new)) if _is_rendering(program, mine, new[b]))
        b = next(found, None)
        if b is not None:
            pairs.append((a - after, b - start))
            start, after = b + 1, a + 1
    return pairs


def _is_rendering(program: MergedProgram, one: int, other: int) -> bool:
    texts = [program.lines[at].text for at in (one, other)]
    left, right = map(words, texts)
    return indent_of(texts[0]) == indent_of(texts[1]) and 2 * len(left & right) > max(len(left), len(right))


def _between(program: MergedProgram, old: list[int], new: list[int]) -> list[list[int]]:
    """Return lines without a counterpart: line by line where as many stand at the same depths, else by statement.

    Where the sides hold different numbers of lines they are one piece.
    """
    depths = [[indent_of(program.lines[at].text) for at in lines] for lines in (old, new)]
    if old and new:
        is_paired = depths[0] == depths[1]
        return [sorted(pair) for pair in zip(old, new, strict=True)] if is_paired else [sorted((*old, *new))]
    pieces: list[list[int]] = []
    for at in old or new:
        text = program.lines[at].text
        is_first = indent_of(text) == min(depths[0] or depths[1]) and not _continues(text)
        if is_first or not pieces:
            pieces.append([])
        pieces[-1].append(at)
    return pieces


def _continues(text: str) -> bool:
    return kind_of(text) in ("elif", "else", "except", "finally") or text.strip()[:1] in (")", "]", "}")


def _is_same_text(program: MergedProgram, piece: list[int]) -> bool:
    """Tell whether both sides say the same: with an attempt beside them, equal lines are not always aligned."""
    old, new = (
        [program.lines[at].text for at in piece if side in program.lines[at].versions] for side in _SIDES
    )
    return old == new


def _with_own_text(program: MergedProgram, pieces: list[list[int]]) -> list[list[int]]:
    """Return the pieces with the lines that only the attempt has: with the nearest piece of what differs around them.

    So an attempt without a piece is without its own way to write it. Lines with no piece around them stay in none.
    """
    piece_of = {at: number for number, piece in enumerate(pieces) for at in piece}
    found = [list(piece) for piece in pieces]
    versions = [line.versions for line in program.lines]
    for is_shared, run in groupby(range(len(versions)), lambda at: versions[at] == set(program.versions)):
        around = list(run)
        near = [] if is_shared else [at for at in around if at in piece_of]
        for is_own, part in groupby(around, lambda at: versions[at] == {"hard_negative"}):
            lines = list(part)
            if is_own and near:
                nearest = min(near, key=lambda at: abs(2 * at - lines[0] - lines[-1]))
                found[piece_of[nearest]] += lines
    return found


def _few(pieces: list[list[int]]) -> list[list[int]]:
    """Return few enough pieces: those that lie closest are joined, the first of equals."""
    found = list(pieces)
    while len(found) > _MOST:
        gaps = [min(second) - max(first) for first, second in pairwise(found)]
        at = gaps.index(min(gaps))
        found[at : at + 2] = [[*found[at], *found[at + 1]]]
    return found
