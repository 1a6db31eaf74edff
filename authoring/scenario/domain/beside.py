"""Values that nobody has seen at a place, and that the annotations of what it goes to allow."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from authoring.scenario.domain.literal import literal

__all__ = ["Allowed", "Annotated", "beside_seen"]

_CAP = 12


@dataclass(frozen=True, slots=True)
class Allowed:
    """What an annotation allows."""

    spelled: tuple[Any, ...] = ()
    """Values that it spells out: None, those of ``Literal``, those of an enumeration of texts or numbers."""
    samples: tuple[Any, ...] = ()
    """A few values of each type that it names; they count where no value of their type was seen."""


Annotated = Mapping[str, Mapping[str, Allowed]]
"""What is allowed, by scenario and parameter."""


def beside_seen(seen: Sequence[Any], allowed: Allowed) -> list[Any]:
    """Return what is allowed for a parameter and adds something to the values that were seen."""
    known = {literal(value) for value in seen}
    kinds = set(map(type, seen))
    others = [*allowed.spelled, *(value for value in allowed.samples if type(value) not in kinds)]
    if any(type(value) is str for value in others) and str not in kinds:
        others += [str(value) for value in seen if type(value) in (int, float)][:1]
    added = {literal(value): value for value in others}
    return [value for text, value in added.items() if text not in known][:_CAP]
