"""The pieces that texts are made of: what seen texts split into, and what the changed code looks for."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from authoring.scenario.domain.changed import ChangedCode, Constants

__all__ = ["marks_of", "numerals_of", "options_of", "separators_of", "tokens_of"]

_PIECES = re.compile(r"[^\W\d_]+|\d+|.", re.DOTALL)
_TOKENS_CAP = 36
_MARKS_CAP = 40
_NUMBER_LENGTH_CAP = 12
_NUMERALS_CAP = 8


def tokens_of(texts: Iterable[str]) -> list[str]:
    """Return the distinct words, numbers (with neighbours) and separators (also doubled) of the texts.

    The most frequent come first, up to 36; every text gives the same tokens whatever the order of the texts.
    """
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(_PIECES.findall(text))
    ranked = sorted(counts, key=lambda piece: (-counts[piece], len(piece), piece))[: _TOKENS_CAP // 2]
    found: dict[str, None] = {}
    for piece in ranked:
        found.setdefault(piece)
    for piece in ranked:
        for relative in _relatives(piece):
            found.setdefault(relative)
    return list(found)[:_TOKENS_CAP]


def _relatives(piece: str) -> list[str]:
    if piece.isascii() and piece.isdigit() and len(piece) <= _NUMBER_LENGTH_CAP:
        number = int(piece)
        return [str(number + 1), str(max(number - 1, 0)), "0" + piece, piece + "0"]
    if len(piece) == 1 and not piece.isalnum():
        return [piece * 2]
    if piece.isalpha():
        return [piece.swapcase(), piece[:1]]
    return []


def marks_of(code: ChangedCode) -> list[str]:
    """Return the characters and short texts that the changed code (then all code) decides by, up to 40."""
    found: dict[str, None] = {}
    for constants in (code.changed, code.all):
        for mark in _marks(constants):
            found.setdefault(mark)
    return [mark for mark in found if mark][:_MARKS_CAP]


def _marks(constants: Constants) -> list[str]:
    pieces = [
        piece for text in constants.texts if len(text) <= 24 for piece in (text, *_PIECES.findall(text))
    ]
    return [*constants.characters, *dict.fromkeys(pieces)]


def numerals_of(texts: Sequence[str], code: ChangedCode) -> list[str]:
    """Return the code's numbers of two digits and more, with their neighbours, where texts hold digits."""
    if not any(character.isdigit() for text in texts for character in text):
        return []
    numbers = dict.fromkeys([*code.changed.numbers, *code.all.numbers])
    telling = [number for number in numbers if 9 < number < 10**_NUMBER_LENGTH_CAP][:_NUMERALS_CAP]
    return [str(near) for number in telling for near in (number, number + 1, number - 1)]


def options_of(texts: Sequence[str], code: ChangedCode) -> list[str]:
    """Return the option words that the texts are among: all like them that the program names; else nothing.

    Texts are options when each is a word that stands in the program as a whole text.
    """
    known = set(code.all.texts)
    if not texts or not all(text in known and _is_word(text) for text in texts):
        return []
    return sorted({*texts, *(text for text in known if _is_word(text))})


def _is_word(text: str) -> bool:
    return len(text) > 1 and text.replace("-", "_").isidentifier()


def separators_of(texts: Iterable[str]) -> list[str]:
    """Return the one or two separators by which the texts split most often, a line feed first."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(character for character in text if not character.isalnum())
    ranked = sorted(counts, key=lambda character: (character != "\n", -counts[character], character))
    return ranked[:2]
