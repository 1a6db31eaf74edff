"""What a coded refusal says about itself."""

from dataclasses import dataclass

__all__ = ["Code"]


@dataclass(frozen=True, slots=True)
class Code:
    """One line of the table of codes: what `authoring explain` prints."""

    code: str
    """Three letters of the folder and three digits, for example ``RED012``."""

    title: str
    """What is wrong, in one sentence."""

    explanation: str
    """Why it is refused, and what usually leads to it."""

    next_step: str
    """What to do about it."""
