"""Cut a module's text into its top-level statements without parsing it.

Most of a large package is never reached, and most of what is reached is equal in all versions: a statement's own text
is therefore the unit that is parsed, analysed and cached.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Chunk", "split", "statement_lines"]

_TOKEN = re.compile(
    r'"""(?:[^\\]|\\.)*?"""'
    r"|'''(?:[^\\]|\\.)*?'''"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'(?:[^'\\\n]|\\.)*'"
    r"|#[^\n]*|\\\n|[()\[\]{}]|\n",
    re.DOTALL,
)
_CONTINUES = re.compile(r"(?:else|elif|except|finally)\b")
_BLANK = re.compile(r"[ \t\f]*(?:#[^\n]*)?\n?")


@dataclass(frozen=True, slots=True)
class Chunk:
    """One top-level statement: its first line in the file (from 1) and its text, decorators included."""

    line: int
    text: str


def split(text: str) -> tuple[Chunk, ...]:
    """Return the top-level statements of a module in order; joined, their texts are the module but for comments."""
    chunks: list[Chunk] = []
    first, decorated = 1, False
    pending: list[str] = []
    for number, line in _logical_lines(text):
        if _BLANK.fullmatch(line):
            if pending:
                pending.append(line)
            continue
        if pending and not (line[0] in " \t\f" or decorated or _CONTINUES.match(line)):
            chunks.append(Chunk(first, _closed(pending)))
            pending = []
        if not pending:
            first = number
        pending.append(line)
        decorated = line[0] == "@" or (decorated and line[0] in " \t\f")
    if pending:
        chunks.append(Chunk(first, _closed(pending)))
    return tuple(chunks)


def statement_lines(text: str) -> list[tuple[int, int]]:
    """Return first and last physical line of each logical line that is neither blank nor a comment alone."""
    return [
        (number, number + line.rstrip("\n").count("\n"))
        for number, line in _logical_lines(text)
        if not _BLANK.fullmatch(line)
    ]


def _closed(lines: list[str]) -> str:
    """Return the text without the blank and comment lines at its end, closed by a line break."""
    while _BLANK.fullmatch(lines[-1]):
        lines.pop()
    text = "".join(lines)
    return text if text.endswith("\n") else text + "\n"


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield each logical line with the number of its first physical line."""
    depth = start = 0
    number = 1
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth = max(0, depth - 1)
        elif token == "\n" and depth == 0:
            yield number, text[start : match.end()]
            number += text.count("\n", start, match.end())
            start = match.end()
    if start < len(text):
        yield number, text[start:]
