"""Write a constant as the Python literal that stands for it, one way only."""

import ast
import math
from typing import Any

from authoring.model.errors import UsageError

__all__ = ["write_literal"]


def write_literal(value: Any) -> str:
    """Return the Python literal of a value made of built-in types; text stands in double quotes as formatters
    put it.

    Sets are sorted by their items' literals. Raise ``UsageError`` (VAR004) for a value that has no literal.
    """
    text = _write(value)
    if text is None or not _reads_back(text, value):
        raise UsageError(
            "VAR004",
            f"a value of type {type(value).__name__} has no literal",
            "Give constants as None, booleans, numbers, text, bytes, or lists, tuples, sets and dicts of "
            "these.",
            stage="vary",
        )
    return text


def _reads_back(text: str, value: Any) -> bool:
    try:
        return repr(ast.literal_eval(text)) == repr(value) or ast.literal_eval(text) == value
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False


def _write(value: Any) -> str | None:
    if value is None or type(value) in (bool, int, bytes):
        return repr(value)
    if type(value) is float:
        return repr(value) if math.isfinite(value) else None
    if type(value) is str:
        return _text(value)
    if type(value) in (list, tuple, set, frozenset):
        return _items(value)
    if type(value) is dict:
        pairs = [(_write(key), _write(item)) for key, item in value.items()]
        return (
            None
            if any(None in pair for pair in pairs)
            else "{" + ", ".join(f"{k}: {v}" for k, v in pairs) + "}"
        )
    return None


def _text(value: str) -> str:
    text = repr(value)
    return text if text[0] == '"' or '"' in value else '"' + text[1:-1] + '"'


def _items(value: Any) -> str | None:
    texts = [_write(item) for item in value]
    if any(text is None for text in texts):
        return None
    known = [text for text in texts if text is not None]
    if type(value) is list:
        return "[" + ", ".join(known) + "]"
    if type(value) is tuple:
        return "(" + ", ".join(known) + (",)" if len(known) == 1 else ")")
    return "{" + ", ".join(sorted(known)) + "}" if known and type(value) is set else None
