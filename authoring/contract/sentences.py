"""Rules as sentences: cut out of the incident's own words, or written from what tells the versions apart."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

__all__ = [
    "Sentence",
    "kept_sentence",
    "relation_rule",
    "sentences_of",
    "slug_of",
    "unique_slug",
    "whole_slug",
]

_END = re.compile(r"(?<=[^\s.][.;!?])\s+(?=[\"'(A-Za-z0-9])")
_ABBREVIATIONS = ("e.g.", "i.e.", "cf.", "vs.", "etc.", "resp.")
_REFUSAL = re.compile(
    r"\b(rais\w*|refus\w*|reject\w*|errors?|exceptions?|invalid|malformed|illegal|forbidden)\b", re.I
)
_NO_REFUSAL = re.compile(
    r"\b(no|not|never|nothing|without|cannot|instead of)\b(\W+\w+){0,3}\W+"
    r"(rais\w*|refus\w*|reject\w*|errors?|exceptions?)\b|\brais\w*\W+(nothing|no)\b",
    re.I,
)
_KEEPING = re.compile(
    r"\b(unchanged|unaffected|untouched|stays?|kee?ps?|kept|still|remains?|as before|only|others?|same|"
    r"preserved|continue[sd]?|equal)\b",
    re.I,
)
_STOP = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "in",
        "on",
        "at",
        "to",
        "for",
        "with",
        "and",
        "or",
        "but",
        "nor",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "it",
        "its",
        "this",
        "that",
        "these",
        "those",
        "as",
        "by",
        "from",
        "into",
        "not",
        "no",
        "than",
        "then",
        "when",
        "where",
        "which",
        "who",
        "whose",
        "what",
        "also",
        "must",
        "may",
        "can",
        "should",
        "will",
        "would",
        "do",
        "does",
        "has",
        "have",
        "had",
        "if",
        "so",
        "such",
        "there",
        "their",
        "they",
        "he",
        "she",
        "we",
        "you",
        "i",
        "any",
        "all",
        "each",
        "every",
        "one",
        "ones",
        "only",
    ]
)
_SLUG_WORDS = 4


@dataclass(frozen=True, slots=True)
class Sentence:
    """One rule in words."""

    text: str
    is_about_refusal: bool
    is_about_keeping: bool
    faults: frozenset[str] = frozenset()
    """Keys of the inputs on which broken is wrong that the sentence was drafted from; none where it was written."""

    def told_of(self, faults: frozenset[str]) -> "Sentence":
        """Return the sentence as one about these inputs and no others."""
        return replace(self, is_about_refusal=False, is_about_keeping=False, faults=faults)


def sentences_of(rule: str) -> list[Sentence]:
    """Cut a rule's text at full stops and semicolons; abbreviations and dots inside words do not count."""
    pieces: list[str] = []
    for piece in _END.split(" ".join(rule.split())):
        if pieces and pieces[-1].endswith(_ABBREVIATIONS):
            pieces[-1] += " " + piece
        else:
            pieces.append(piece)
    return [sentence(piece) for piece in pieces if len(piece) > 1]


def sentence(text: str) -> Sentence:
    """Return the sentence with a capital and a full stop, and what it is about."""
    text = text.strip().rstrip(";").strip()
    if not text.endswith((".", "!", "?")):
        text += "."
    text = text[0].upper() + text[1:] if text[:2].islower() or text[:1] == "a" else text
    return Sentence(text, bool(_REFUSAL.search(_NO_REFUSAL.sub(" ", text))), bool(_KEEPING.search(text)))


def kept_sentence() -> Sentence:
    """Return the rule that what was right stays."""
    return sentence("Every other input keeps the result that program.py gives for it now.")


def slug_of(text: str, fallback: str = "rule") -> str:
    """Return an id made of the first telling words of a text."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    telling = [word for word in words if word not in _STOP][:_SLUG_WORDS]
    slug = "-".join(telling)[:40].strip("-")
    return slug or fallback


def whole_slug(text: str) -> str:
    """Return an id made of all words of a short text, ``boundary/off-by-one`` as ``boundary-off-by-one``."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))[:60].strip("-")


def relation_rule(scenario: str) -> str:
    """Return the id of the rule that stands for a relation's scenario, if it has one of its own."""
    return whole_slug(scenario)


def unique_slug(slug: str, taken: Sequence[str]) -> str:
    """Return the slug, with a number where it is taken."""
    if slug not in taken:
        return slug
    return next(f"{slug}-{n}" for n in range(2, len(taken) + 3) if f"{slug}-{n}" not in taken)
