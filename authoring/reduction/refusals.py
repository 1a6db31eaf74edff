"""Remember which edits were refused, so that none is tried twice.

An edit is known by what it says, and by which of the equal lines of its definition it says it of.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from hashlib import sha256

from authoring.reduction.edits import Change, Edit, Versions
from authoring.reduction.lines import defined_name, indent_of, kind_of
from authoring.reduction.merged import ORDER, MergedLine
from authoring.reduction.view import View

__all__ = ["Known", "Refusals"]

_DIGITS = 24


@dataclass(frozen=True, slots=True)
class Known:
    """An edit with what it says, as a digest."""

    edit: Edit
    says: str


class Refusals:
    """Refused edits by what they say."""

    def __init__(self, told: Iterable[str] = ()) -> None:
        self._told = set(told)

    @property
    def told(self) -> frozenset[str]:
        """All that was refused, for a later reduction that asks of more."""
        return frozenset(self._told)

    def fresh(self, name: str, view: View, edits: Iterable[Edit]) -> list[Known]:
        """Return the edits of a pass that were never refused; of those that say the same only the first."""
        lines = view.program.lines
        places = _places(view, _owners(view))
        out: dict[str, Known] = {}
        for edit in edits:
            says: list[str] = [name]
            for change in edit.changes:
                number = min(change.line, len(lines) - 1)
                says += [places[number], _line(lines[number]), _change(change)]
            known = Known(edit, _digest(says))
            if known.says not in self._told:
                out.setdefault(known.says, known)
        return list(out.values())

    def add(self, refused: Iterable[Known]) -> None:
        """Take refused edits."""
        self._told.update(known.says for known in refused)

    def drop(self, kept: Iterable[str]) -> None:
        """Forget that edits were refused, by what they say."""
        self._told.difference_update(kept)


def _places(view: View, owners: list[int]) -> list[str]:
    """Return for each line the name of its definition, and which of the equal lines there it is."""
    counts: dict[tuple[str, str], int] = {}
    out: list[str] = []
    for number, line in enumerate(view.program.lines):
        header = view.program.lines[owners[number]].text
        name = defined_name(header) if kind_of(header) in ("def", "class") else ""
        counts[name, line.text] = counts.get((name, line.text), 0) + 1
        out.append(f"{name} {counts[name, line.text]}")
    return out


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


def _line(line: MergedLine) -> str:
    return f"{_held(line.versions)} {line.text}"


def _change(change: Change) -> str:
    rest = [
        str(getattr(change, each.name)) for each in fields(change) if each.name not in ("line", "versions")
    ]
    return "\0".join([type(change).__name__, _held(change.versions), *rest])


def _held(versions: Versions) -> str:
    return "+".join(version for version in ORDER if version in versions)


def _digest(parts: Iterable[str]) -> str:
    return sha256("\1".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
