"""Rank classes of inputs by what a reduced program carries for them alone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from authoring.reduction.cuts.blocked import Blocked
from authoring.reduction.edits import Cut, Taken
from authoring.scenario.domain import InputClass, phrase

__all__ = ["Saving", "savings"]


@dataclass(frozen=True, slots=True)
class Saving:
    """What goes once a class of inputs is cut off."""

    inputs: InputClass
    members: frozenset[int]
    """Positions of its requests."""
    blocked: tuple[Blocked, ...]
    """Edits that only its requests refuse and that can be made together, the one that takes most first."""

    @property
    def gain(self) -> int:
        """The nodes that these edits take away."""
        return sum(one.gain for one in self.blocked)


def savings(
    blocked: Sequence[Blocked],
    classes: Mapping[InputClass, frozenset[int]],
    *,
    most: int,
    is_fit: Callable[[InputClass], bool] = lambda _: True,
) -> list[Saving]:
    """Return at most ``most`` fit classes that free different edits, those that free most first.

    Of classes that free the same edits the one with the fewest requests stays, then the one that is said in the
    fewest words.
    """
    best: dict[tuple[int, ...], Saving] = {}
    for one in sorted(classes, key=lambda each: (len(classes[each]), len(phrase(each)), phrase(each))):
        freed = tuple(at for at, each in enumerate(blocked) if each.refusing <= classes[one])
        if freed and freed not in best and is_fit(one):
            best[freed] = Saving(one, classes[one], _together([blocked[at] for at in freed]))
    ranked = sorted(
        best.values(), key=lambda saving: (-saving.gain, len(saving.members), phrase(saving.inputs))
    )
    return ranked[:most]


def _together(blocked: Sequence[Blocked]) -> tuple[Blocked, ...]:
    """Return edits that touch different places, the greatest first."""
    taken = Taken()
    cut: set[int] = set()
    chosen: list[Blocked] = []
    for one in sorted(blocked, key=lambda each: -each.gain):
        is_counted = any(change.line in cut for change in one.edit.changes)
        if not is_counted and not taken.meets(one.edit):
            chosen.append(one)
            taken.take(one.edit)
            cut |= {change.line for change in one.edit.changes if isinstance(change, Cut)}
    return tuple(chosen)
