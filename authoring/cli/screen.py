"""How results look to a person: lines, tables, code and differences, safe to show and plain when piped."""

from collections.abc import Iterable, Sequence
from io import StringIO
from typing import TextIO

__all__ = ["Screen", "clean"]

_WIDTH_WHEN_PIPED = 100


def clean(text: str) -> str:
    """Return text with control characters (all but newline and tab) spelt out: it cannot steer a terminal."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in "\n\t" else char.encode("unicode_escape").decode()
        for char in text
    )


class Screen:
    """Collects what is drawn as text for one stream; the stream decides on colour and width."""

    def __init__(self, stream: TextIO | None) -> None:
        from rich.console import Console

        self._text = StringIO()
        probe = Console(file=stream or StringIO())
        self._console = Console(
            file=self._text,
            force_terminal=probe.is_terminal,
            no_color=probe.no_color,
            width=probe.width if probe.is_terminal else _WIDTH_WHEN_PIPED,
            markup=False,
            highlight=False,
            emoji=False,
        )

    def text(self) -> str:
        """Return all that was drawn."""
        return self._text.getvalue()

    def line(self, text: str = "", style: str = "") -> None:
        """Draw one line, never wrapped."""
        self._console.print(clean(text), style=style or None, soft_wrap=True)

    def heading(self, text: str) -> None:
        """Draw a heading with a blank line before it, unless it is the first thing drawn."""
        if self._text.tell():
            self.line()
        self.line(text, style="bold")

    def facts(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Draw names and values in two aligned columns."""
        rows = list(pairs)
        width = max((len(name) for name, _ in rows), default=0)
        for name, value in rows:
            self.line(f"{name.ljust(width)}  {value}".rstrip())

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Draw a table without rules: a bold head and aligned columns."""
        cells = [[clean(cell) for cell in row] for row in rows]
        widths = [max(len(row[i]) for row in [list(columns), *cells]) for i in range(len(columns))]
        for style, row in [("bold", list(columns)), *(("", row) for row in cells)]:
            self.line(
                "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip(), style
            )

    def code(self, text: str, indent: str = "    ") -> None:
        """Draw source text, indented, as it is."""
        for row in text.splitlines():
            self.line(indent + row if row else "")

    def diff(self, before: str, after: str, names: tuple[str, str]) -> None:
        """Draw the unified difference of two texts."""
        from difflib import unified_diff

        styles = {"+": "green", "-": "red", "@": "cyan"}
        rows = unified_diff(before.splitlines(), after.splitlines(), *names, lineterm="")
        for number, row in enumerate(rows):
            self.line(row, style="bold" if number < 2 else styles.get(row[:1], ""))
