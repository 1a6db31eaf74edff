"""Pick other values for constant slots, such that the behaviour changes with them and the fault stays."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from authoring.model.digest import keyed_digest
from authoring.variants.literal import write_literal
from authoring.variants.slots import Slot

__all__ = ["choose_constants", "other_values"]

_LARGE = 50


def choose_constants(
    slots: Sequence[Slot],
    *,
    key: bytes,
    variant: str,
    texts: str,
    words: Mapping[str, Sequence[str]],
    is_alive: Callable[[Mapping[str, Any]], bool],
    most: int = 2,
) -> dict[str, Any]:
    """Return new values for at most ``most`` slots, by name; empty where none can change.

    ``is_alive`` says whether, under these values, the reference behaves differently than before and every
    wrong version is still wrong. A constant that ``texts`` (prompt, scenarios, checks) speak of keeps its
    value. The order of trials depends on the key and the variant.
    """
    chosen: dict[str, Any] = {}
    free = [slot for slot in slots if not _is_mentioned(slot.value, texts)]
    for slot in sorted(free, key=lambda slot: keyed_digest(key, "constants", variant, slot.name)):
        if len(chosen) == most:
            break
        alive = (value for value in other_values(slot.value, words) if is_alive({**chosen, slot.name: value}))
        value = next(alive, None)
        if value is not None:
            chosen[slot.name] = value
    return dict(sorted(chosen.items()))


def _is_mentioned(value: Any, texts: str) -> bool:
    return (value if isinstance(value, str) else write_literal(value)) in texts


def other_values(value: Any, words: Mapping[str, Sequence[str]]) -> tuple[Any, ...]:
    """Return values that a constant might as well have had: other magnitudes, other words."""
    if isinstance(value, bool):
        return ()
    if isinstance(value, int):
        near = (value + max(1, abs(value) // 4), value - max(1, abs(value) // 4), value * 2)
        return (
            tuple(dict.fromkeys(near))
            if abs(value) < _LARGE
            else (value * 2, value + value // 4, value - value // 4)
        )
    if isinstance(value, float):
        return (value * 1.5, value * 0.5)
    if isinstance(value, str):
        return tuple(other.replace("_", " ") for other in words.get(value, ()))
    return ()
