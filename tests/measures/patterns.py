"""The patterns of an incident's sides as a sample states them: one digit for each function of the reproducer."""

from collections.abc import Mapping
from typing import Any

from authoring.model.capture import Capture

__all__ = ["grouped_patterns", "stated_patterns"]


def grouped_patterns(capture: Capture) -> dict[str, str]:
    """Return by side which functions pass: one does when all its checks do; a check at top level stands alone."""
    groups: dict[str, list[int]] = {}
    for at, check in enumerate(capture.checks):
        groups.setdefault(check.function or check.id, []).append(at)
    return {
        pattern.side: "".join("01"[all(pattern.bits[at] == "1" for at in group)] for group in groups.values())
        for pattern in capture.patterns
    }


def stated_patterns(facts: Mapping[str, Any]) -> dict[str, str]:
    """Return what an incident file states of the same, if anything."""
    stated = facts.get("patterns", {})
    return {str(side): str(bits) for side, bits in stated.items()} if isinstance(stated, Mapping) else {}
