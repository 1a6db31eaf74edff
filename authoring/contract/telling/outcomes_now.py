"""Traits of what the broken program does on an input: whoever has the program can tell by running it."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from authoring.contract.telling.example import KINDS, UNKNOWN, Example, kind_of, value_of
from authoring.contract.telling.trait import Trait
from authoring.scenario.domain import literal

__all__ = ["outcomes_now"]

_BITS = 6.0
"""More than what the input itself is like, which tells more."""
_PIECE = re.compile(r"[^\W\d_]{2,24}|\d{2,24}|[^\w\s]{1,3}")
_PIECES_CAP = 40


def outcomes_now(examples: Sequence[Example]) -> Iterator[Trait]:
    """Yield a trait for each way in which the broken program ends."""
    members: dict[str, int] = {}
    for at, example in enumerate(examples):
        for words in _ways(example):
            members[words] = members.get(words, 0) | 1 << at
    for words, held in members.items():
        yield Trait(f"the broken one {words}", _BITS, held, is_of_outcome=True)
    yield from _pieces(examples)


def _pieces(examples: Sequence[Example]) -> Iterator[Trait]:
    """Yield what the texts hold that the broken program gives, those pieces that most of its wrong ones hold first."""
    texts = [value_of(one.now[-1]) if one.now else UNKNOWN for one in examples]
    counts = Counter(
        piece
        for text, one in zip(texts, examples, strict=True)
        if one.is_fault and type(text) is str
        for piece in sorted({*_PIECE.findall(text)})
    )
    frequent = sorted(
        (piece for piece in counts if counts[piece] > 1), key=lambda each: (-counts[each], each)
    )
    for piece in frequent[:_PIECES_CAP]:
        members = sum(1 << at for at, text in enumerate(texts) if type(text) is str and piece in text)
        words = f"the broken one gives text that holds {literal(piece)}"
        yield Trait(words, _BITS + math.log2(len(counts)), members, is_of_outcome=True)


def _ways(example: Example) -> Iterator[str]:
    kind = kind_of(example.now)
    if kind != "gives":
        yield kind
        return
    value = value_of(example.now[-1]) if example.now else UNKNOWN
    if type(value) in KINDS:
        yield f"gives {KINDS[type(value)]}"
    if value is None or type(value) is bool:
        yield f"gives {value}"
    elif hasattr(value, "__len__") and not len(value):
        yield f"gives {literal(value)}"
