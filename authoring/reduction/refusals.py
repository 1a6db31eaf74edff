"""Remember which edits were refused, so that none is tried again before something around it has changed."""

from collections.abc import Iterable
from dataclasses import replace

from authoring.reduction.edits import Edit
from authoring.reduction.lines import indent_of, kind_of
from authoring.reduction.merged import MergedLine
from authoring.reduction.view import View

__all__ = ["Refusals"]

Key = tuple[object, ...]


class Refusals:
    """Refused edits by what they say and by the text of the definitions that they touch."""

    def __init__(self) -> None:
        self._held: set[Key] = set()
        self._regions: dict[tuple[MergedLine, ...], int] = {}

    def keys(self, name: str, view: View, edits: Iterable[Edit]) -> list[tuple[Edit, Key]]:
        """Return each edit with its key; of edits with one key only the first stays."""
        owners = _owners(view)
        regions: dict[int, list[MergedLine]] = {}
        for owner, line in zip(owners, view.program.lines, strict=True):
            regions.setdefault(owner, []).append(line)
        names = {
            owner: self._regions.setdefault(tuple(held), len(self._regions))
            for owner, held in regions.items()
        }
        out: dict[Key, Edit] = {}
        for edit in edits:
            parts: list[object] = [name]
            for change in edit.changes:
                owner = owners[min(change.line, len(owners) - 1)] if owners else 0
                parts += [names.get(owner), replace(change, line=change.line - owner)]
            out.setdefault(tuple(parts), edit)
        return [(edit, key) for key, edit in out.items()]

    def holds(self, key: Key) -> bool:
        """Say whether an edit was refused."""
        return key in self._held

    def add(self, keys: Iterable[Key]) -> None:
        """Take refused edits."""
        self._held.update(keys)


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
