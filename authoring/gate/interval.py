"""The interval of a pass rate whose tasks come in groups that stand or fall together."""

from collections.abc import Sequence

from authoring.model.manifest import Interval
from authoring.validation.flake import upper_bound

__all__ = ["clustered_interval"]


def clustered_interval(results: Sequence[tuple[str, bool]], level: float) -> Interval | None:
    """Return the rate of passes with an exact interval over groups, or None where nothing was judged.

    ``results`` are evaluation group and whether a task passed. Tasks of a group are not independent, so a
    group counts once: for the lower end as passed only if all of it passed, for the upper end if any of it
    did (Clopper and Pearson on groups).
    """
    if not results:
        return None
    groups: dict[str, list[bool]] = {}
    for group, passed in results:
        groups.setdefault(group, []).append(passed)
    whole = sum(all(each) for each in groups.values())
    some = sum(any(each) for each in groups.values())
    tail = 1 - (1 - level) / 2
    return Interval(
        rate=sum(passed for _, passed in results) / len(results),
        low=1 - upper_bound(len(groups) - whole, len(groups), tail),
        high=upper_bound(some, len(groups), tail),
        level=level,
        clusters=len(groups),
    )
