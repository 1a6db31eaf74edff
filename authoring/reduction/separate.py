"""Find the independent faults of two versions: parts of their difference that each repair checks of their own."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

__all__ = ["Fault", "Wrong", "independent_faults"]

Pieces = frozenset[int]
Wrong = Callable[[Pieces], frozenset[str]]
"""The checks that fail once these pieces of the difference, counted from 0, have the right version's text."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One independent fault."""

    pieces: Pieces
    """The pieces of the difference that make it up."""
    failing: frozenset[str]
    """The checks that fail for it and for no other one."""


def independent_faults(count: int, wrong: Wrong) -> tuple[Fault, ...]:
    """Return the faults that ``count`` pieces fall into, finest, by their first pieces; one where they hang together.

    Of every fault holds: repairing it alone makes exactly its checks pass, undoing it alone makes exactly them fail.
    The faults' checks are disjoint and are all that failed. A program is asked about only where the answer counts.
    """
    everything = frozenset(range(count))
    failing = wrong(frozenset())
    whole = Fault(everything, failing)
    if len(failing) < 2 or count < 2 or wrong(everything):
        return (whole,)
    found: list[Fault] = []
    waiting = [whole]
    while waiting:
        fault = waiting.pop()
        halves = next(_halves(fault, everything, failing, wrong), None)
        if halves is None:
            found.append(fault)
        else:
            waiting += halves
    return tuple(sorted(found, key=lambda fault: min(fault.pieces)))


def _halves(fault: Fault, everything: Pieces, failing: frozenset[str], wrong: Wrong) -> Iterator[list[Fault]]:
    """Yield the ways to split a fault in two that are faults themselves, the smallest with the first piece first."""
    first, *others = sorted(fault.pieces)
    for size in range(len(others)):
        for chosen in combinations(others, size):
            one = frozenset((first, *chosen))
            other = fault.pieces - one
            own = wrong(everything - one)
            if not own or not own < fault.failing or wrong(one) != failing - own:
                continue
            rest = wrong(everything - other)
            if rest == fault.failing - own and wrong(other) == failing - rest:
                yield [Fault(one, own), Fault(other, rest)]
