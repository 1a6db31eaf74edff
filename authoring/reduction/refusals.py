"""Remember which edits were refused, so that few are tried again.

An edit is known by what it says; whether a second try has a chance depends on what is around it: the definition that it
stands in, and the definitions that the edited lines name.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from hashlib import sha256

from authoring.reduction.edits import Change, Edit, Versions
from authoring.reduction.lines import defined_name, indent_of, kind_of, words
from authoring.reduction.merged import ORDER, MergedLine
from authoring.reduction.view import View

__all__ = ["Known", "Refusals"]

_DIGITS = 24


@dataclass(frozen=True, slots=True)
class Known:
    """An edit with what it says and what is around it."""

    edit: Edit
    says: str
    around: str


class Refusals:
    """Refused edits by what they say and by the texts around them, each as a digest."""

    def __init__(self, told: Iterable[str] = ()) -> None:
        self._told = set(told)
        self._texts: dict[tuple[MergedLine, ...], str] = {}

    @property
    def told(self) -> frozenset[str]:
        """All that was refused, for a later reduction that asks of more."""
        return frozenset(self._told)

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
        out: dict[tuple[str, str], Known] = {}
        for edit in edits:
            says: list[str] = [name]
            context: list[str] = []
            for change in edit.changes:
                number = min(change.line, len(owners) - 1)
                says += [places[number], _line(lines[number]), _change(change)]
                mentioned = words(lines[number].text) & named.keys()
                context += [around[owners[number]], *sorted(named[word] for word in mentioned)]
            known = Known(edit, _digest(says), _digest([*says, *context]))
            out.setdefault((known.says, known.around), known)
        return list(out.values())

    def is_fresh(self, known: Known) -> bool:
        """Say whether such an edit was never refused."""
        return known.says not in self._told

    def has_changed(self, known: Known) -> bool:
        """Say whether such an edit was never refused where the same was around it."""
        return known.around not in self._told

    def add(self, refused: Iterable[Known]) -> None:
        """Take refused edits."""
        for known in refused:
            self._told |= {known.says, known.around}

    def _number(self, lines: Iterable[MergedLine]) -> str:
        held = tuple(lines)
        if held not in self._texts:
            self._texts[held] = _digest(map(_line, held))
        return self._texts[held]

    def _definitions(self, view: View) -> dict[str, str]:
        """Return for each name that a definition has the digest of the text of all definitions of that name."""
        lines = view.program.lines
        texts: dict[str, list[MergedLine]] = {}
        for number, line in enumerate(lines):
            if kind_of(line.text) in ("def", "class"):
                texts.setdefault(defined_name(line.text), []).extend(_extent(lines, number))
        return {name: self._number(held) for name, held in texts.items()}


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
