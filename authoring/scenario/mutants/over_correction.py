"""What a way to over-correct is: a name, examples, and what it puts in place of parts of the reference."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from authoring.scenario.mutants.fix import Fix
from authoring.scenario.mutants.operator import Instead

__all__ = ["OverCorrection"]


@dataclass(frozen=True, slots=True)
class OverCorrection:
    """One way to repair more than was broken."""

    name: str
    propose: Callable[[Fix], Iterable[Instead]]
    """Yield what may stand in place of parts of the reference; nothing where the way does not apply to the fix."""
    examples: tuple[tuple[str, str, str], ...]
    """The broken text, the repaired one, and one of the texts that are made of them."""
