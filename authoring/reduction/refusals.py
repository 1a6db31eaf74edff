"""Remember which edits were refused, so that few are tried again.

An edit is known by what it says; whether a second try has a chance depends on what is around it: the definition that it
stands in, and the definitions that the edited lines name.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from authoring.reduction.edits import Edit
from authoring.reduction.lines import defined_name, indent_of, kind_of, words
from authoring.reduction.merged import MergedLine
from authoring.reduction.view import View

__all__ = ["Known", "Refusals"]

Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """An edit with what it says and what is around it."""

    edit: Edit
    says: Key
    around: Key


class Refusals:
    """Refused edits by what they say and by the texts around them."""

    def __init__(self) -> None:
        self._said: set[Key] = set()
        self._held: set[tuple[Key, Key]] = set()
        self._texts: dict[tuple[MergedLine, ...], int] = {}

    def known(self, name: str, view: View, edits: Iterable[Edit]) -> list[Known]:
        """Return the edits of a pass; of edits that say the same at the same place only the first stays."""
        owners = _owners(view)
        lines = view.program.lines
        regions: dict[int, list[MergedLine]] = {}
        for owner, line in zip(owners, lines, strict=True):
            regions.setdefault(owner, []).append(line)
        around = {owner: self._number(held) for owner, held in regions.items()}
        named = self._definitions(view)
        places = _places(view, owners)
        out: dict[tuple[Key, Key], Known] = {}
        for edit in edits:
            says: list[object] = [name]
            context: list[object] = []
            for change in edit.changes:
                number = min(change.line, len(owners) - 1)
                says += [places[number], lines[number], replace(change, line=0)]
                mentioned = words(lines[number].text) & named.keys()
                context += [around[owners[number]], frozenset(named[word] for word in mentioned)]
            known = Known(edit, tuple(says), tuple(context))
            out.setdefault((known.says, known.around), known)
        return list(out.values())

    def is_fresh(self, known: Known) -> bool:
        """Say whether such an edit was never refused."""
        return known.says not in self._said

    def has_changed(self, known: Known) -> bool:
        """Say whether such an edit was never refused where the same was around it."""
        return (known.says, known.around) not in self._held

    def add(self, refused: Iterable[Known]) -> None:
        """Take refused edits."""
        for known in refused:
            self._said.add(known.says)
            self._held.add((known.says, known.around))

    def _number(self, lines: Iterable[MergedLine]) -> int:
        return self._texts.setdefault(tuple(lines), len(self._texts))

    def _definitions(self, view: View) -> dict[str, int]:
        """Return for each name that a definition has the number of the text of all definitions of that name."""
        lines = view.program.lines
        texts: dict[str, list[MergedLine]] = {}
        for number, line in enumerate(lines):
            if kind_of(line.text) in ("def", "class"):
                texts.setdefault(defined_name(line.text), []).extend(_extent(lines, number))
        return {name: self._number(held) for name, held in texts.items()}


def _places(view: View, owners: list[int]) -> list[tuple[str, int]]:
    """Return for each line the name of its definition, and which of the equal lines there it is."""
    counts: dict[tuple[str, str], int] = {}
    out: list[tuple[str, int]] = []
    for number, line in enumerate(view.program.lines):
        header = view.program.lines[owners[number]].text
        name = defined_name(header) if kind_of(header) in ("def", "class") else ""
        counts[name, line.text] = counts.get((name, line.text), 0) + 1
        out.append((name, counts[name, line.text]))
    return out


def _extent(lines: tuple[MergedLine, ...], header: int) -> tuple[MergedLine, ...]:
    stop = header + 1
    while stop < len(lines) and indent_of(lines[stop].text) > indent_of(lines[header].text):
        stop += 1
    return lines[header:stop]


def _owners(view: View) -> list[int]:
    """Return for each line the header of the innermost definition that it stands in."""
    owners: list[int] = []
    stack: list[tuple[int, int]] = []
    for number, line in enumerate(view.program.lines):
        indent = indent_of(line.text)
        while stack and stack[-1][1] >= indent:
            stack.pop()
        owners.append(stack[-1][0] if stack else number)
        if kind_of(line.text) in ("def", "class"):
            stack.append((number, indent))
            owners[-1] = number
    return owners
