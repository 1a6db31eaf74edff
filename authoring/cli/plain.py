"""Write wire values as a person would, within a line."""

import json
from typing import Any

__all__ = ["plain"]

_WIDTH = 60


def plain(wire: Any, width: int = _WIDTH) -> str:
    """Return a wire value as Python writes it, cut to ``width`` characters."""
    from authoring.model.wire import WireError, decode

    try:
        text = repr(decode(wire))
    except WireError:
        text = json.dumps(wire)
    return text if len(text) <= width else f"{text[: width - 3]}..."
