"""Choose few of many inputs that together take the ways that all of them take."""

from collections.abc import Collection, Hashable, Sequence

__all__ = ["covering"]


def covering(
    ways: Sequence[frozenset[Hashable]], taken: Collection[frozenset[Hashable]], cap: int
) -> list[int]:
    """Return the positions of at most ``cap`` inputs, in the order of choice.

    ``ways`` holds for each input what ran for it, ``taken`` the same of inputs that are in anyway. First come those
    that run what nothing else ran, the most of it first; then one of each way that is new as a whole.
    """
    chosen: list[int] = []
    left = dict(enumerate(ways))
    ran: set[Hashable] = set().union(*taken)
    while left and len(chosen) < cap:
        best = max(left, key=lambda at: (len(left[at] - ran), -at))
        if not left[best] - ran:
            break
        ran |= left.pop(best)
        chosen.append(best)
    whole = {*taken, *(ways[at] for at in chosen)}
    for at, way in left.items():
        if len(chosen) >= cap:
            break
        if way not in whole:
            whole.add(way)
            chosen.append(at)
    return chosen
