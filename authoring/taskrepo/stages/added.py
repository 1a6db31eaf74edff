"""Captured texts with what a later stage added to them, for as long as the captured text stays the same."""

from authoring.model.digest import sha256_hex
from authoring.system.journal import Journal

__all__ = ["keep_added", "with_added"]


def with_added(journal: Journal, space: str, key: str, captured: str) -> str:
    """Return a captured text as :func:`keep_added` left this very one, else as it was captured."""
    known = journal.get(space, key)
    is_its = known is not None and known["captured"] == sha256_hex(captured.encode())
    return str(known["text"]) if is_its else captured


def keep_added(journal: Journal, space: str, key: str, captured: str, text: str) -> None:
    """Remember what a stage made of a captured text."""
    journal.put(space, key, {"captured": sha256_hex(captured.encode()), "text": text})
