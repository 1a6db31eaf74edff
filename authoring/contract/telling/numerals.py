"""Traits of numbers whatever they are written as: 7, 7.0 and "7"."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from authoring.contract.telling.example import Example
from authoring.contract.telling.trait import Trait
from authoring.scenario.domain import ChangedCode

__all__ = ["numerals"]

_NUMERAL = re.compile(r"\s*[+-]?\d{1,40}(\.\d{0,40})?\s*", re.ASCII)
_LEAST, _OF_CHANGE, _OF_CODE = 3.0, 5.0, 8.0


def numerals(examples: Sequence[Example], code: ChangedCode) -> Iterator[Trait]:
    """Yield traits of the number that a parameter is or writes out, for parameters that are texts in some example."""
    for name in sorted({name for example in examples for name in example.params}):
        values = [example.params.get(name) for example in examples]
        numbers = [number_of(value) for value in values]
        if not any(
            type(value) is str and number is not None for value, number in zip(values, numbers, strict=True)
        ):
            continue
        what = f"`{name}`, as a number,"
        written = sum(1 << at for at, number in enumerate(numbers) if number is not None)
        yield Trait(f"`{name}` is or writes out a number", _LEAST + 1, written)
        known = dict.fromkeys([0, *code.changed.numbers, *code.all.numbers])
        for than in known:
            bits = _LEAST if than == 0 else _OF_CHANGE if than in code.changed.numbers else _OF_CODE
            for test, words in (("below", "is below {}"), ("least", "is {} or above")):
                members = sum(1 << at for at, number in enumerate(numbers) if _is_met(number, test, than))
                yield Trait(f"{what} {words.format(than)}", bits, members)


def number_of(value: Any) -> float | None:
    """Return the number that a value is or writes out; None where it is neither."""
    if type(value) in (int, float):
        return float(value) if abs(value) < 1e300 else None
    return float(value) if type(value) is str and _NUMERAL.fullmatch(value) else None


def _is_met(number: float | None, test: str, than: float) -> bool:
    return number is not None and (number < than if test == "below" else number >= than)
