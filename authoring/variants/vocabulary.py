"""Make a vocabulary: other words for the parts of identifiers, chosen under the workspace key so that they
stay.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from authoring.model.digest import keyed_digest
from authoring.model.errors import UsageError
from authoring.variants.rename import OwnNames, is_free
from authoring.variants.templates import template_folders

__all__ = ["make_vocabulary", "read_words"]

Words = Mapping[str, Sequence[str]]

_PARTS = re.compile(r"_+|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|\W+|.")
_WORD = re.compile(r"[a-z]+(?:_[a-z]+)*")
_SIZE_CAP = 1 << 20


def make_vocabulary(names: OwnNames, words: Words, key: bytes, variant: str) -> dict[str, str]:
    """Return a new name for every eligible name that has a known word in it, by old name.

    ``variant`` is the task id: each variant speaks its own way, and always the same.
    """
    taken: set[str] = set()
    vocabulary: dict[str, str] = {}
    for name in sorted(names.eligible):
        for turn in range(4):
            new = _translate(name, words, key, variant, turn)
            if new != name and new not in taken and is_free(new, names):
                vocabulary[name] = new
                taken.add(new)
                break
    return vocabulary


def _translate(name: str, words: Words, key: bytes, variant: str, turn: int) -> str:
    is_camel = any(part.isupper() for part in name) and not name.isupper()
    parts = _PARTS.findall(name)
    return "".join(_part(part, words, key, variant, turn=turn, single=is_camel) for part in parts)


def _part(part: str, words: Words, key: bytes, variant: str, *, turn: int, single: bool) -> str:
    choices = [word for word in words.get(part.lower(), ()) if not single or "_" not in word]
    if not choices:
        return part
    contract, _, own = variant.partition("/")
    first = int(keyed_digest(key, "vocabulary", contract, part.lower())[:8], 16)
    return _cased(choices[(first + _place(own) + turn) % len(choices)], part)


def _place(variant: str) -> int:
    """Return a variant's place in the order in which words are handed out, so that siblings get different
    ones.
    """
    number = int(re.sub(r"\D", "", variant) or 0)
    return number - 2 if variant.startswith("p") else number


def _cased(word: str, like: str) -> str:
    if like.isupper() and len(like) > 1:
        return word.upper()
    return word.capitalize() if like[0].isupper() else word


def read_words(workspace: Path | None = None) -> dict[str, tuple[str, ...]]:
    """Return the words of every vocabulary file, those of the workspace over the built-in ones."""
    merged: dict[str, tuple[str, ...]] = {}
    for folder in reversed(template_folders(workspace)):
        for path in sorted((folder / "vocabularies").glob("*.toml")):
            merged.update(_read(path))
    return merged


@lru_cache(maxsize=64)
def _read(path: Path) -> Mapping[str, tuple[str, ...]]:
    try:
        data = path.read_bytes()
        words = tomllib.loads(data[:_SIZE_CAP].decode())["words"]
        entries = {word: tuple(others) for word, others in words.items()}
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
        raise _refusal(path, "it has no table [words] of lists of words") from error
    for word, others in entries.items():
        if not others or any(
            not isinstance(other, str) or not _WORD.fullmatch(other) for other in (word, *others)
        ):
            raise _refusal(path, f"the entry of {word!a} is not a list of lower-case words")
    return entries


def _refusal(path: Path, reason: str) -> UsageError:
    return UsageError(
        "VAR005",
        f"the vocabulary {path.name} cannot be used: {reason}",
        'Write lines such as value = ["amount"] under [words].',
        stage="vary",
    )
