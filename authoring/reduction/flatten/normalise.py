"""Give a flat program one physical line for each simple statement, texts in triple quotes excepted."""

from collections.abc import Iterable
from functools import lru_cache

import black

__all__ = ["joined", "normalise"]

_MODE = black.Mode(line_length=1_000_000, magic_trailing_comma=False)


@lru_cache(maxsize=16384)
def normalise(source: str) -> str:
    """Format statements so that equal ones are equal lines; raise ``black.InvalidInput`` where they are no Python."""
    return black.format_str(source, mode=_MODE)


def joined(texts: Iterable[str]) -> str:
    """Return a module of statements, each formatted by itself, with two blank lines around definitions."""
    lines: list[str] = []
    was_definition = False
    for text in texts:
        statement = normalise(text) if text.strip() else ""
        if not statement:
            continue
        is_definition = statement.startswith(("def ", "class ", "async def ", "@"))
        if lines and (is_definition or was_definition):
            lines.append("\n\n")
        lines.append(statement)
        was_definition = is_definition
    return "".join(lines)
