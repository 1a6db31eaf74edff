"""Bound the rate of flakes from repeats that agreed, exactly (Clopper and Pearson, 1934)."""

import math

__all__ = ["flake_bound", "upper_bound"]

_STEPS = 80


def flake_bound(runs: int, flakes: int = 0, confidence: float = 0.95) -> float:
    """Return the one-sided upper confidence bound on the rate of flakes; 1 where nothing ran.

    With no flake among ``runs`` this is 1 - (1 - confidence) ** (1 / runs), about 3 / runs at 95 percent.
    """
    return upper_bound(flakes, runs, confidence)


def upper_bound(events: int, runs: int, confidence: float) -> float:
    """Return the upper bound on a rate of which ``events`` were seen among ``runs``; 1 where nothing ran."""
    if not 0 <= events <= runs:
        raise ValueError("events are counted among the runs")
    if events == runs:
        return 1.0
    if events == 0:
        return 1 - math.pow(1 - confidence, 1 / runs)
    low, high = events / runs, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(events, runs, middle) > 1 - confidence else (low, middle)
    return high


def _at_most(events: int, runs: int, rate: float) -> float:
    """Return the probability of at most so many events at a rate strictly between 0 and 1."""
    log, log_other = math.log(rate), math.log1p(-rate)
    terms = (
        math.lgamma(runs + 1)
        - math.lgamma(k + 1)
        - math.lgamma(runs - k + 1)
        + k * log
        + (runs - k) * log_other
        for k in range(events + 1)
    )
    return math.fsum(map(math.exp, terms))
