"""Write the merged program as ``source.py.j2``: choices as line statements, constants as slots (DESIGN.md
5.6).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from authoring.model.errors import UsageError
from authoring.model.variants import VersionName
from authoring.variants.lines import Line, VersionedLine, versions_of
from authoring.variants.slots import Slot

__all__ = ["write_template"]

_ORDER: tuple[VersionName, ...] = ("broken", "hard_negative", "reference")
_STATEMENT_START = re.compile(r"^([ \t\v]*)#%")
_HELD_BLANK = "⟦##⟧"


@dataclass(frozen=True, slots=True)
class _Segment:
    """Lines that the same versions hold."""

    versions: frozenset[VersionName]
    lines: tuple[str, ...]


def write_template(lines: Sequence[VersionedLine], slots: Mapping[int, Sequence[Slot]] | None = None) -> str:
    """Return the template whose rendering for each version is that version's source, byte for byte.

    ``slots`` gives, by index into ``lines``, the constants that stand on that line. What Jinja would read as
    its own (``⟦``, a line that begins with ``#%``, a blank line after a statement) is written so that it
    renders as it was. Raise ``UsageError`` (VAR001) where the source holds a carriage return, which no
    template keeps.
    """
    if any("\r" in line.text or "\n" in line.text for line in lines):
        raise UsageError(
            "VAR001",
            "the program holds a carriage return outside an escape, which a template cannot keep",
            "Write it as \\r in the source.",
            stage="vary",
        )
    everyone = versions_of(lines)
    written = [
        Line(_with_slots(line.text, (slots or {}).get(i, ())), line.versions) for i, line in enumerate(lines)
    ]
    return "".join(
        f"{text}\n" for text in _hold_blanks(_statements(_segments(_slide(written, everyone)), everyone))
    )


def _with_slots(text: str, slots: Sequence[Slot]) -> str:
    parts, end = [], 0
    for slot in sorted(slots, key=lambda slot: slot.start):
        parts += [_escape(text[end : slot.start], at_start=end == 0), f"⟦ constants.{slot.name} ⟧"]
        end = slot.end
    return "".join([*parts, _escape(text[end:], at_start=end == 0)])


def _escape(text: str, at_start: bool) -> str:
    text = text.replace("⟦", "⟦% raw %⟧⟦⟦% endraw %⟧")
    return _STATEMENT_START.sub(r"\1⟦% raw %⟧#⟦% endraw %⟧%", text) if at_start else text


def _slide(lines: list[Line], everyone: frozenset[VersionName]) -> list[Line]:
    """Move a choice down over blank lines that open it and follow it, so that blanks stand before its
    statements.
    """
    lines, start = list(lines), 0
    while start < len(lines):
        end = start + 1
        while end < len(lines) and lines[end].versions == lines[start].versions:
            end += 1
        held = lines[start].versions
        alone = start == 0 or lines[start - 1].versions == everyone
        if held != everyone and alone and end < len(lines) and lines[end].versions == everyone:
            while (
                end < len(lines)
                and lines[start].text.strip() == ""
                and lines[end] == Line(lines[start].text, everyone)
            ):
                lines[start], lines[end] = Line(lines[start].text, everyone), Line(lines[end].text, held)
                start, end = start + 1, end + 1
        start = end
    return lines


def _segments(lines: Sequence[Line]) -> list[_Segment]:
    grouped = groupby(lines, key=lambda line: line.versions)
    return [_Segment(versions, tuple(line.text for line in held)) for versions, held in grouped]


def _statements(segments: Sequence[_Segment], everyone: frozenset[VersionName]) -> Iterator[tuple[str, bool]]:
    """Yield the template's lines, each with whether it is a line statement."""
    chain: frozenset[VersionName] = frozenset()
    for segment in segments:
        if chain and (segment.versions == everyone or segment.versions & chain):
            yield "#% endif", True
            chain = frozenset()
        if segment.versions != everyone:
            chain |= segment.versions
            first = chain == segment.versions
            is_last = chain == everyone and not first
            yield (
                "#% else" if is_last else f"#% {'if' if first else 'elif'} {_condition(segment.versions)}",
                True,
            )
        yield from ((text, False) for text in segment.lines)
    if chain:
        yield "#% endif", True


def _condition(versions: frozenset[VersionName]) -> str:
    names = [f'"{version}"' for version in _ORDER if version in versions]
    return f"version == {names[0]}" if len(names) == 1 else f"version in ({', '.join(names)})"


def _hold_blanks(lines: Iterator[tuple[str, bool]]) -> Iterator[str]:
    """Put an empty comment before a blank line that follows a statement, which would swallow it."""
    after_statement = False
    for text, is_statement in lines:
        yield _HELD_BLANK + text if after_statement and text.strip() == "" else text
        after_statement = is_statement
