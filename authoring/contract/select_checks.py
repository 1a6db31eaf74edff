"""The choice of public and hidden checks among inputs of which it is known whom they reject."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from authoring.model.wire import sort_key
from authoring.scenario.inputs import Input

__all__ = ["Candidate", "choose_hidden", "choose_public"]

_PUBLIC_LEAST, _PUBLIC_USUAL, _PUBLIC_MOST = 4, 6, 8
_HIDDEN_LEAST, _HIDDEN_MOST = 10, 20
_SIZES = (60, 140, 400, 1 << 30)
"""Checks are looked for among inputs up to the first size, then up to the next: short ones read better."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An input that may become a check."""

    input: Input
    rule: int
    """Index of the rule that it stands for."""
    kills: frozenset[str]
    """Ids of the wrong programs that it rejects."""
    size: int
    """Length of the parameters' text."""
    path: str = ""
    """The way that it takes through the reference."""


def choose_public(
    lifted: Sequence[Candidate],
    others: Sequence[Candidate],
    rules: Sequence[int],
    classes: Sequence[frozenset[str]] = (),
) -> list[Candidate]:
    """Choose four to eight checks, one at least for every rule, then for every class of inputs that a rule speaks of
    (their keys), then for every scenario.

    Those that the reproducer itself holds come first. The boundary's check (rule 0) rejects broken by
    construction. Fewer than four only where there are no more.
    """
    chosen: list[Candidate] = []
    for rule in rules:
        ours = [one for one in lifted if one.rule == rule] or [one for one in others if one.rule == rule]
        _take(_best(ours, chosen), chosen)
    for keys in classes:
        if len(chosen) < _PUBLIC_MOST and not any(one.input.key in keys for one in chosen):
            ours = [one for one in lifted if one.input.key in keys]
            _take(_best(ours or [one for one in others if one.input.key in keys], chosen), chosen)
    for scenario in sorted({one.input.scenario for one in lifted}):
        if len(chosen) < _PUBLIC_MOST and not any(one.input.scenario == scenario for one in chosen):
            _take(_best([one for one in lifted if one.input.scenario == scenario], chosen), chosen)
    while len(chosen) < _PUBLIC_MOST:
        best = _best([one for one in lifted if one not in chosen], chosen)
        if best is None or (not _new_kills(best, chosen) and len(chosen) >= _PUBLIC_USUAL):
            break
        chosen.append(best)
    while len(chosen) < _PUBLIC_LEAST:
        best = _best([one for one in others if one not in chosen], chosen)
        if best is None:
            break
        chosen.append(best)
    order = {one.input.key: n for n, one in enumerate([*lifted, *others])}
    return sorted(chosen, key=lambda one: (one.rule, order[one.input.key]))


def choose_hidden(
    candidates: Sequence[Candidate],
    public: Sequence[Candidate],
    rules: Sequence[int],
    required: Iterable[Candidate] = (),
) -> list[Candidate]:
    """Choose ten to twenty checks that reject what public ones leave, then all else that can be rejected.

    After the cover, a check stays only if it is the only killer of something or stands for a rule or
    scenario; then rules get second and larger checks until there are ten. ``required`` are kept in any
    case.
    """
    known = {one.input.key for one in public}
    candidates = [one for one in candidates if one.input.key not in known]
    left_open = _all_kills(candidates) - _all_kills(public)
    chosen = list(required)
    for size in _SIZES:
        _cover([one for one in candidates if one.size <= size], chosen, left_open)
    for size in _SIZES:
        _cover([one for one in candidates if one.size <= size], chosen, _all_kills(candidates))
    for group in [*rules, *sorted({one.input.scenario for one in candidates})]:
        ours = [one for one in candidates if group in (one.rule, one.input.scenario)]
        if not any(one in chosen for one in ours) and len(chosen) < _HIDDEN_MOST:
            _take(_best(ours, chosen), chosen)
    chosen = _pruned(chosen, {one.input.key for one in required})
    _fill(candidates, chosen, rules)
    return sorted(chosen, key=lambda one: (one.rule, one.size, one.input.key))


def _all_kills(candidates: Iterable[Candidate]) -> frozenset[str]:
    return frozenset().union(*(one.kills for one in candidates))


def _new_kills(one: Candidate, chosen: Sequence[Candidate]) -> int:
    return len(one.kills - _all_kills(chosen))


def _best(candidates: Sequence[Candidate], chosen: Sequence[Candidate]) -> Candidate | None:
    """Return the candidate that rejects most of what is not rejected yet; of equals the smallest, then the
    first.
    """
    killed = _all_kills(chosen)
    return min(candidates, key=lambda one: (-len(one.kills - killed), one.size), default=None)


def _take(one: Candidate | None, chosen: list[Candidate]) -> None:
    if one is not None and one not in chosen:
        chosen.append(one)


def _cover(candidates: Sequence[Candidate], chosen: list[Candidate], targets: frozenset[str]) -> None:
    """Add the candidate that rejects most of the targets left, until none is left or the tier is full."""
    left = targets - _all_kills(chosen)
    while left and candidates and len(chosen) < _HIDDEN_MOST:
        best = min(candidates, key=lambda one: (-len(one.kills & left), one.size, one.input.key))
        if not best.kills & left:
            return
        chosen.append(best)
        left -= best.kills


def _pruned(chosen: Sequence[Candidate], kept: set[str]) -> list[Candidate]:
    """Drop, the largest first, each check all of whose kills are others' too, if its rule and scenario have
    others.
    """
    left = list(chosen)
    for one in sorted(chosen, key=lambda one: (-one.size, one.input.key)):
        rest = [other for other in left if other is not one]
        is_alone = not any(other.rule == one.rule for other in rest)
        is_alone |= not any(other.input.scenario == one.input.scenario for other in rest)
        if one.input.key not in kept and not is_alone and one.kills <= _all_kills(rest):
            left = rest
    return left


def _fill(candidates: Sequence[Candidate], chosen: list[Candidate], rules: Sequence[int]) -> None:
    """Add second killers, and for every second place a larger input, of the rule that has fewest checks."""
    sizes = sorted(one.size for one in candidates)
    usual = sizes[len(sizes) // 4] if sizes else 0
    while len(chosen) < _HIDDEN_LEAST:
        free = [one for one in candidates if one not in chosen]
        if not free:
            return
        counts = Counter(one.rule for one in chosen)
        rule = min(rules, key=lambda rule: (counts[rule], rule))
        of_rule = [one for one in free if one.rule == rule] or free
        killers = Counter(kill for one in chosen for kill in one.kills)
        is_large = len(chosen) % 2 == 1
        order = _fill_order(killers, usual, is_large=is_large)
        chosen.append(min(of_rule, key=lambda one: (_likeness(one, chosen), *order(one))))


def _likeness(one: Candidate, chosen: Sequence[Candidate]) -> int:
    """Return how many chosen checks take the same path, and how many share half of the parameters."""
    same_path = sum(other.path == one.path for other in chosen) if one.path else 0
    pairs = {sort_key(pair) for pair in one.input.params["dict"]}
    same = [other for other in chosen if other.input.scenario == one.input.scenario and len(pairs) > 1]
    return same_path + sum(
        2 * len(pairs & {sort_key(p) for p in other.input.params["dict"]}) >= len(pairs) for other in same
    )


def _fill_order(
    killers: Counter[str], usual: int, *, is_large: bool
) -> Callable[[Candidate], tuple[float, int, str]]:
    def order(one: Candidate) -> tuple[float, int, str]:
        gain = sum(1 / (1 + killers[kill]) ** 2 for kill in sorted(one.kills))
        return -round(gain, 6), abs(one.size - 2 * usual) if is_large else one.size, one.input.key

    return order
