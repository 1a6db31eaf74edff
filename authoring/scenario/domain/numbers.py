"""The numbers at which a program may decide: those that its code names, and their powers."""

from collections.abc import Iterable, Sequence

from authoring.scenario.domain.changed import ChangedCode

__all__ = ["bounds_of", "numbers_of"]

_NUMBERS_CAP = 48
_POWERS = range(2, 13)
_BASE_CAP = 1 << 20
_SPREAD = 1100
_SMALL = 4096
_SIZE = 1 << 16
"""A number beyond this is taken for no size or count, so that its powers may be drawn too."""
_HIGHEST = 1 << 100


def bounds_of(seen: Sequence[int]) -> tuple[int, int]:
    """Return the range to draw a parameter's whole numbers from: over a thousandfold of those seen.

    Numbers below -1 are drawn only where one was seen, so that sizes and counts stay sizes and counts.
    """
    largest = max((abs(number) for number in seen), default=0)
    high = max(_SMALL, largest * _SPREAD)
    if largest >= _SIZE:
        high = max(high, min(largest**4, _HIGHEST))
    return (-high if any(number < 0 for number in seen) else -1), high


def numbers_of(code: ChangedCode, high: int) -> list[int]:
    """Return numbers of the changed code, their powers, and numbers of all code, up to ``high`` and 48."""
    found: dict[int, None] = {}
    for number in code.changed.numbers:
        found.setdefault(number)
    for base in code.changed.numbers or code.all.numbers:
        for power in _powers(base, high):
            found.setdefault(power)
    for number in code.all.numbers:
        found.setdefault(number)
    for fraction in (*code.changed.floats, *code.all.floats):
        if abs(fraction) <= high:
            found.setdefault(int(fraction))
    return sorted([number for number in found if abs(number) <= high][:_NUMBERS_CAP])


def _powers(base: int, high: int) -> Iterable[int]:
    if 2 <= base <= _BASE_CAP:
        for exponent in _POWERS:
            if base**exponent > high:
                return
            yield base**exponent
