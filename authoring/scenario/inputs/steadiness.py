"""Tell which inputs have one answer under every hash seed, time zone, locale and order."""

from collections.abc import Callable, Iterable, Sequence

from authoring.model.execution import Perturbation
from authoring.model.perturbations import repeats

__all__ = ["unsteady"]

_TRIED = tuple(perturbation for _, perturbation in repeats(41, ("any",))[1:])
"""Forty: what validation repeats under by default, and as many again."""
_GLANCE = 8
"""An order of two items that hangs on the hash seed passes eight of them once in 256."""

Ask = Callable[[Perturbation, Sequence[int]], Iterable[bool]]
"""Tells of the inputs at some places whether their answers under a perturbation are the usual ones."""


def unsteady(n: int, is_usual: Ask) -> set[int]:
    """Return the places, below ``n``, of inputs whose answers change.

    Eight perturbations are tried with all inputs. Where one of them changed an answer, the program's answers may hang
    on the order of a set, and an order of several items can be the usual one under most seeds: 32 more are tried.
    """
    found: set[int] = set()
    for number, perturbation in enumerate(_TRIED):
        if not n or (number == _GLANCE and not found):
            break
        asked = [place for place in range(n) if place not in found]
        answers = zip(asked, is_usual(perturbation, asked), strict=True)
        found |= {place for place, usual in answers if not usual}
    return found
