"""What a verification can find."""

from dataclasses import dataclass

__all__ = ["Finding"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it is stated to be."""

    place: str
    what: str
