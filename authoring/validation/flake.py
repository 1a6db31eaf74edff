"""Bound the rate of flakes from repeats that agreed, exactly (Clopper and Pearson, 1934)."""

import math

__all__ = ["flake_bound"]

_STEPS = 80


def flake_bound(runs: int, flakes: int = 0, confidence: float = 0.95) -> float:
    """Return the one-sided upper confidence bound on the rate of flakes; 1 where nothing ran.

    With no flake among ``runs`` this is 1 - (1 - confidence) ** (1 / runs), about 3 / runs at 95 percent.
    """
    if not 0 <= flakes <= runs:
        raise ValueError("flakes are counted among the runs")
    if flakes == runs:
        return 1.0
    if flakes == 0:
        return 1 - math.pow(1 - confidence, 1 / runs)
    low, high = flakes / runs, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(flakes, runs, middle) > 1 - confidence else (low, middle)
    return high


def _at_most(flakes: int, runs: int, rate: float) -> float:
    """Return the probability of at most so many flakes at a rate strictly between 0 and 1."""
    log, log_other = math.log(rate), math.log1p(-rate)
    terms = (
        math.lgamma(runs + 1)
        - math.lgamma(k + 1)
        - math.lgamma(runs - k + 1)
        + k * log
        + (runs - k) * log_other
        for k in range(flakes + 1)
    )
    return math.fsum(map(math.exp, terms))
