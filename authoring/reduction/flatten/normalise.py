"""Give a flat program one physical line for each simple statement, texts in triple quotes excepted."""

import black

__all__ = ["normalise"]

_WIDTH = 1_000_000


def normalise(source: str) -> str:
    """Format a program so that equal statements are equal lines; raise ``black.InvalidInput`` where it is no Python."""
    mode = black.Mode(line_length=_WIDTH, magic_trailing_comma=False)
    return black.format_str(source, mode=mode)
