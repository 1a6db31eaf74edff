"""Traits of texts by the kinds of characters that stand in them, and next to each other."""

import re
from collections.abc import Iterator, Sequence

from authoring.contract.telling.example import Example
from authoring.contract.telling.trait import Trait
from authoring.scenario.domain import place_words, places_in, values_at

__all__ = ["text_shapes"]

_PLACES_CAP = 6
_BITS = 5.0
_SHAPES = {
    r"[^\W\d_]": "holds a letter",
    r"[^\W\d_]{2}": "holds two letters in a row",
    r"\d\d": "holds two digits in a row",
    r"[^\w\s]{2}": "holds two marks in a row",
    r"\s\s": "holds two blanks in a row",
    r"(?s)(.)\1": "holds the same character twice in a row",
    r"[^\W\d_]\d": "holds a letter right before a digit",
    r"\d[^\W\d_]": "holds a digit right before a letter",
    r"\A\s": "begins with a blank",
    r"\s\Z": "ends with a blank",
    r"\A[^\W\d_]": "begins with a letter",
    r"[^\W\d_]\Z": "ends with a letter",
    r"\A\d": "begins with a digit",
    r"\d\Z": "ends with a digit",
    r"\A\d+\Z": "is digits only",
    r"\A[^\W\d_]+\Z": "is letters only",
    r"\A[^\w\s]+\Z": "is marks only",
}
_MATCHERS = [(re.compile(pattern), words) for pattern, words in _SHAPES.items()]


def text_shapes(examples: Sequence[Example]) -> Iterator[Trait]:
    """Yield a trait for each shape that a text at one of the first places may have."""
    places = {place for one in examples for place, value in places_in(one.params) if type(value) is str}
    for place in sorted(places, key=lambda each: (len(each), place_words(each)))[:_PLACES_CAP]:
        texts = [[value for value in values_at(one.params, *place) if type(value) is str] for one in examples]
        for matcher, words in _MATCHERS:
            members = sum(1 << at for at, seen in enumerate(texts) if any(map(matcher.search, seen)))
            yield Trait(f"{place_words(place)} {words}", _BITS, members)
