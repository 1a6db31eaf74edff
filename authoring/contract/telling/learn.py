"""Find the shortest description that tells some examples from others: one trait or two, for each class of them.

A description is worth having where saying it, and then which examples it gets wrong, takes fewer bits than listing the
examples: so few examples justify a plain trait only, and chance finds none.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from authoring.contract.telling.trait import Trait, cheapest

__all__ = ["Described", "describe"]

_PAIRED = 100
_LEAST_SHARE = 0.3
"""Of the examples that a description holds, at least so many must be those to be told."""
_GAIN = 1.0


@dataclass(frozen=True, slots=True)
class Described:
    """A class of the examples to be told, in one or two traits."""

    traits: tuple[Trait, ...]
    members: int
    """All examples that have the traits."""
    told: int
    """Those of them that were to be told, and that no class before holds."""
    others: int
    """Those of them that were not."""
    hint: "Described | None" = None
    """Where it takes what the broken program does to tell them: what the inputs are like, as far as that tells."""

    @property
    def words(self) -> str:
        """The traits as one clause."""
        return " and ".join(one.words for one in self.traits)

    @property
    def share(self) -> float:
        """Which share of the members was to be told."""
        told = self.told.bit_count()
        return told / (told + self.others.bit_count())


def describe(wanted: int, others: int, traits: Sequence[Trait], most: int = 4) -> list[Described]:
    """Return at most ``most`` classes that hold the examples ``wanted`` and few of ``others``, the widest first.

    Both are sets of examples as bits. What no class holds is left; none is returned where no description is worth it.
    What the broken program does comes in only where what inputs are like does not tell them all.
    """
    plain = _classes(wanted, others, [one for one in traits if not one.is_of_outcome], most)
    if _is_exact(plain, wanted):
        return plain
    found = _classes(wanted, others, traits, most)
    return [replace(one, hint=_hint(one, plain, others)) if _is_of_outcome(one) else one for one in found]


def _is_of_outcome(one: Described) -> bool:
    return all(trait.is_of_outcome for trait in one.traits)


def _hint(one: Described, plain: Sequence[Described], others: int) -> Described | None:
    """Return the plain class that holds most of what a class tells."""
    best = max(plain, key=lambda each: (each.told & one.told).bit_count(), default=None)
    if best is None or not best.told & one.told:
        return None
    return replace(best, told=best.members & one.told, others=best.members & others)


def _is_exact(found: Sequence[Described], wanted: int) -> bool:
    for one in found:
        wanted &= ~one.told
    return not wanted and not any(one.others for one in found)


def _classes(wanted: int, others: int, traits: Sequence[Trait], most: int) -> list[Described]:
    found: list[Described] = []
    while wanted and len(found) < most:
        best = _best(wanted, others, _shared(traits, wanted | others))
        if best is None:
            break
        found.append(best)
        wanted &= ~best.members
        others &= ~best.members
    return found


def _shared(traits: Sequence[Trait], asked: int) -> list[Trait]:
    """Return the traits that tell some of the examples asked about from others, each set once."""
    kept = {one.members & asked: one for one in reversed(cheapest_of(traits, asked))}
    return [one for members, one in reversed(kept.items()) if members not in (0, asked)]


def cheapest_of(traits: Sequence[Trait], asked: int) -> list[Trait]:
    """Return the cheapest trait of each set of the examples asked about."""
    same = [Trait(one.words, one.bits, one.members & asked, one.is_of_outcome) for one in traits]
    by_words = {one.words: one for one in traits}
    return [by_words[one.words] for one in cheapest(same)]


def _best(wanted: int, others: int, traits: Sequence[Trait]) -> Described | None:
    limit = _listing(wanted.bit_count() + others.bit_count(), wanted.bit_count()) - _GAIN
    ranked = sorted(
        (one for one in _singles(wanted, others, traits)), key=lambda made: _rank(made, wanted, others)
    )
    firsts = [one.traits[0] for one in ranked[:_PAIRED]]
    tried = [*ranked, *_pairs(wanted, others, firsts)]
    fit = [one for one in tried if one.share >= _LEAST_SHARE and _cost(one, wanted, others) < limit]
    return min(fit, key=lambda made: _rank(made, wanted, others), default=None)


def _singles(wanted: int, others: int, traits: Sequence[Trait]) -> Iterator[Described]:
    for one in traits:
        if one.members & wanted:
            yield Described((one,), one.members, one.members & wanted, one.members & others)


def _pairs(wanted: int, others: int, traits: Sequence[Trait]) -> Iterator[Described]:
    for one, other in combinations(traits, 2):
        members = one.members & other.members
        if members & wanted:
            yield Described((one, other), members, members & wanted, members & others)


def _rank(made: Described, wanted: int, others: int) -> tuple[float, int, int, str]:
    return round(_cost(made, wanted, others), 6), len(made.traits), len(made.words), made.words


def _cost(made: Described, wanted: int, others: int) -> float:
    """Return the bits that it takes to say the class, and which of its members, and of the rest, are wanted."""
    total, all_wanted = wanted.bit_count() + others.bit_count(), wanted.bit_count()
    told, size = made.told.bit_count(), made.told.bit_count() + made.others.bit_count()
    said = sum(one.bits for one in made.traits) + len(made.traits) - 1
    return said + _listing(size, told) + _listing(total - size, all_wanted - told)


def _listing(size: int, chosen: int) -> float:
    """Return the bits that it takes to say which of ``size`` examples are the chosen ones, and how many there are."""
    ways = math.lgamma(size + 1) - math.lgamma(chosen + 1) - math.lgamma(size - chosen + 1)
    return ways / math.log(2) + (math.log2(size + 1) if 0 < chosen < size else 1)
