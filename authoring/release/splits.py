"""Splits that keep evaluation groups together and stay as the catalogue grows."""

from authoring.model.digest import keyed_digest

__all__ = ["SPLITS", "split_of"]

SPLITS = (("validation", 20), ("test", 80))
"""Names and shares in percent."""


def split_of(key: bytes, group: str) -> str:
    """Return the split of an evaluation group: decided by its name under the workspace key alone."""
    place = int(keyed_digest(key, "split", group)[:16], 16) % 100
    for name, share in SPLITS:
        if place < share:
            return name
        place -= share
    return SPLITS[-1][0]
