"""Remember which edits were refused, so that none is tried again before something around it has changed.

What counts as around an edit: the definition that it stands in, and the definitions that the edited lines name.
"""

from collections.abc import Iterable
from dataclasses import replace

from authoring.reduction.edits import Edit
from authoring.reduction.lines import indent_of, kind_of, words
from authoring.reduction.merged import MergedLine
from authoring.reduction.view import View

__all__ = ["Refusals"]

Key = tuple[object, ...]


class Refusals:
    """Refused edits by what they say and by the texts around them."""

    def __init__(self) -> None:
        self._held: set[Key] = set()
        self._texts: dict[tuple[MergedLine, ...], int] = {}

    def keys(self, name: str, view: View, edits: Iterable[Edit]) -> list[tuple[Edit, Key]]:
        """Return each edit with its key; of edits with one key only the first stays."""
        owners = _owners(view)
        regions: dict[int, list[MergedLine]] = {}
        for owner, line in zip(owners, view.program.lines, strict=True):
            regions.setdefault(owner, []).append(line)
        around = {owner: self._number(held) for owner, held in regions.items()}
        named = self._definitions(view)
        out: dict[Key, Edit] = {}
        for edit in edits:
            parts: list[object] = [name]
            for change in edit.changes:
                number = min(change.line, len(owners) - 1)
                owner = owners[number]
                parts += [around[owner], replace(change, line=change.line - owner)]
                mentioned = words(view.program.lines[number].text) & named.keys()
                parts.append(frozenset(named[word] for word in mentioned))
            out.setdefault(tuple(parts), edit)
        return [(edit, key) for key, edit in out.items()]

    def holds(self, key: Key) -> bool:
        """Say whether an edit was refused."""
        return key in self._held

    def add(self, keys: Iterable[Key]) -> None:
        """Take refused edits."""
        self._held.update(keys)

    def _number(self, lines: Iterable[MergedLine]) -> int:
        return self._texts.setdefault(tuple(lines), len(self._texts))

    def _definitions(self, view: View) -> dict[str, int]:
        """Return for each name that a definition has the number of the text of all definitions of that name."""
        lines = view.program.lines
        texts: dict[str, list[MergedLine]] = {}
        for number, line in enumerate(lines):
            kind = kind_of(line.text)
            if kind in ("def", "class"):
                found = line.text.replace("(", " ").replace(":", " ").split()
                texts.setdefault(found[found.index(kind) + 1], []).extend(_extent(lines, number))
        return {name: self._number(held) for name, held in texts.items()}


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
