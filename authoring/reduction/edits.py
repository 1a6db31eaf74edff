"""Edits of a merged program: what to cut, splice or grant, and for which versions."""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from authoring.model.variants import VersionName
from authoring.reduction.lines import HEADERS, indent_of, kind_of
from authoring.reduction.merged import ORDER, MergedLine, MergedProgram

__all__ = ["Change", "Cut", "Edit", "Grant", "Insert", "Splice", "Taken", "applied", "apply_edits"]

Versions = frozenset[VersionName]


@dataclass(frozen=True, slots=True)
class Cut:
    """Take a line away from versions."""

    line: int
    versions: Versions


@dataclass(frozen=True, slots=True)
class Splice:
    """Replace ``text[start:end]`` of a line, for versions."""

    line: int
    versions: Versions
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Grant:
    """Give a line to versions that lack it."""

    line: int
    versions: Versions


@dataclass(frozen=True, slots=True)
class Insert:
    """Put a new line before a line, for versions; ``line`` may be the number of lines."""

    line: int
    versions: Versions
    text: str


Change = Cut | Splice | Grant | Insert


@dataclass(frozen=True, slots=True)
class Edit:
    """Changes that are tried together; ``gain`` orders candidates, biggest first."""

    changes: tuple[Change, ...]
    gain: int = 0
    family: str = ""
    """The same for the rows of one long table: where many in a row are needed, the others are taken to be."""


class Taken:
    """Changes that are made already, by the characters that they touch: a line may hold thousands of them."""

    def __init__(self, changes: Iterable[Change] = ()) -> None:
        self._spans: defaultdict[tuple[int, VersionName], list[tuple[int, int]]] = defaultdict(list)
        self._others: defaultdict[int, list[Change]] = defaultdict(list)
        for change in changes:
            self.add(change)

    def add(self, change: Change) -> None:
        """Take a change; of two splices of the same characters the first stays."""
        if not isinstance(change, Splice):
            self._others[change.line].append(change)
            return
        for version in change.versions:
            spans = self._spans[change.line, version]
            if not _touches(spans, change):
                insort(spans, (change.start, change.end))

    def take(self, edit: Edit) -> None:
        """Take all changes of an edit."""
        for change in edit.changes:
            self.add(change)

    def meets(self, edit: Edit) -> bool:
        """Say whether some change of an edit cannot be made any more."""
        return any(map(self.clashes, edit.changes))

    def clashes(self, change: Change) -> bool:
        """Say whether a change touches the same characters as one that is taken, so that only one can be made."""
        if any(_clash(change, other) for other in self._others.get(change.line, ())):
            return True
        if isinstance(change, Insert):
            return False
        places = ((change.line, version) for version in change.versions)
        spans = [self._spans[place] for place in places if place in self._spans]
        if isinstance(change, Splice):
            return any(_touches(each, change) for each in spans)
        return any(spans)


def _touches(spans: Sequence[tuple[int, int]], splice: Splice) -> bool:
    """Say whether a splice meets one of some spans that are sorted and meet no other."""
    own = splice.start, splice.end
    at = bisect_left(spans, own)
    if at and spans[at - 1][1] > splice.start and spans[at - 1][0] < splice.end:
        return True
    for span in islice(spans, at, None):
        if span == own or (span[0] < splice.end and splice.start < span[1]):
            return True
        if span[0] >= splice.end:
            break
    return False


def _clash(a: Change, b: Change) -> bool:
    """Say whether two changes of a line, of which one at most is a splice, exclude each other."""
    if not a.versions & b.versions or isinstance(a, Insert) != isinstance(b, Insert):
        return False
    return not (isinstance(a, Cut) and isinstance(b, Cut)) and a != b


def applied(program: MergedProgram, edit: Edit) -> MergedProgram | None:
    """Return the edited program; None where a line of it is no Python."""
    try:
        candidate = apply_edits(program, [edit])
        candidate.nodes()
    except SyntaxError:
        return None
    return candidate


def apply_edits(program: MergedProgram, edits: Iterable[Edit]) -> MergedProgram:
    """Return the program after all edits; a block that became empty gets ``pass``, an empty ``else`` goes.

    Where edits overlap, a cut wins over a splice and the first splice of a span wins over later ones.
    """
    at: defaultdict[int, list[Change]] = defaultdict(list)
    for edit in edits:
        for change in edit.changes:
            at[change.line].append(change)
    lines: list[MergedLine] = []
    for number, line in enumerate(program.lines):
        changes = at.get(number)
        lines.extend(_edited(line, changes) if changes else (line,))
    lines.extend(
        MergedLine(c.text, c.versions) for c in at.get(len(program.lines), ()) if isinstance(c, Insert)
    )
    return _completed(MergedProgram(tuple(lines), program.versions))


def _edited(line: MergedLine, changes: Sequence[Change]) -> list[MergedLine]:
    out = [MergedLine(change.text, change.versions) for change in changes if isinstance(change, Insert)]
    texts: dict[str, set[VersionName]] = {}
    holders = set(line.versions)
    for change in changes:
        if isinstance(change, Grant):
            holders |= change.versions
    for version in ORDER:
        if version in holders and not any(isinstance(c, Cut) and version in c.versions for c in changes):
            spliced = _spliced(
                line.text, [c for c in changes if isinstance(c, Splice) and version in c.versions]
            )
            texts.setdefault(spliced, set()).add(version)
    return out + [MergedLine(text, frozenset(held)) for text, held in texts.items()]


def _spliced(text: str, splices: Sequence[Splice]) -> str:
    """Return a text after splices of one version; of two that meet the first is made."""
    spans: list[tuple[int, int]] = []
    kept: list[Splice] = []
    for splice in splices:
        if not _touches(spans, splice):
            insort(spans, (splice.start, splice.end))
            kept.append(splice)
    parts: list[str] = []
    end = 0
    for splice in sorted(kept, key=lambda one: (one.start, one.end)):
        parts += [text[end : splice.start], splice.text]
        end = splice.end
    return "".join([*parts, text[end:]])


def _completed(program: MergedProgram) -> MergedProgram:
    """Mend what deletion leaves: headers without a block, decorators without a definition."""
    while True:
        cuts: defaultdict[int, set[VersionName]] = defaultdict(set)
        passes: defaultdict[int, set[VersionName]] = defaultdict(set)
        for version in program.versions:
            _find_gaps(program, version, cuts, passes)
        if not cuts and not passes:
            return program
        lines: list[MergedLine] = []
        for number, line in enumerate(program.lines):
            versions = line.versions - cuts.get(number, set())
            if versions:
                lines.append(MergedLine(line.text, versions))
            if number in passes:
                lines.append(MergedLine(" " * (indent_of(line.text) + 4) + "pass", frozenset(passes[number])))
        program = MergedProgram(tuple(lines), program.versions)


def _find_gaps(
    program: MergedProgram,
    version: VersionName,
    cuts: defaultdict[int, set[VersionName]],
    passes: defaultdict[int, set[VersionName]],
) -> None:
    held = [number for number, line in enumerate(program.lines) if version in line.versions]
    for place, number in enumerate(held):
        text = program.lines[number].text
        kind = kind_of(text)
        following = program.lines[held[place + 1]].text if place + 1 < len(held) else None
        if kind == "decorator":
            if following is None or kind_of(following) not in ("decorator", "def", "class"):
                cuts[number].add(version)
        elif kind in HEADERS and (following is None or indent_of(following) <= indent_of(text)):
            (cuts if kind in ("else", "finally") else passes)[number].add(version)
