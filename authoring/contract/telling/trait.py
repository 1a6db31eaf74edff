"""What some inputs have in common and a person can say in a few words."""

from dataclasses import dataclass

__all__ = ["Trait", "cheapest"]


@dataclass(frozen=True, slots=True)
class Trait:
    """A clause that is true of some examples: ```text` is empty``."""

    words: str
    bits: float
    """What it costs to say it: the less likely a person is to think of it, the more."""
    members: int
    """Bit n is set where it is true of example n."""
    is_of_outcome: bool = False
    """Whether it tells what the broken program does, and not what the input is like."""


def cheapest(traits: list[Trait]) -> list[Trait]:
    """Return of all traits of the same examples the one that costs least; of equals the one of fewest letters."""
    best: dict[int, Trait] = {}
    for one in sorted(traits, key=lambda each: (round(each.bits, 6), len(each.words), each.words)):
        best.setdefault(one.members, one)
    return list(best.values())
