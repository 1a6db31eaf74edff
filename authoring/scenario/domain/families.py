"""What kind of text the texts seen at one place are: dates, URLs, versions, paths, format strings."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from authoring.scenario.domain.literal import literal

__all__ = ["family_of"]

_TEXTS_CAP = 10
_PLACEHOLDERS_CAP = 18
_TAILS_CAP = 14

_DATE = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})?([T ]?[0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://\S+")
_VERSION = re.compile(
    r"v?(?:[0-9]+!)?(?P<release>[0-9]+(?:\.[0-9]+)*)"
    r"(?P<tail>(?:[-._]?(?:alpha|beta|preview|pre|rc|post|rev|dev|a|b|c|r)[-._]?[0-9]*)*"
    r"(?:-[0-9A-Za-z]+(?:[-.][0-9A-Za-z]+)*)?(?:\+[0-9A-Za-z]+(?:[-._][0-9A-Za-z]+)*)?)",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}")
_PATH = re.compile(r"(?:[A-Za-z]:)?[\w $%,@~.\-/\\]*")
_TELLING_PATH = re.compile(
    r"(?:.*[\\/])?\.\.(?:[\\/].*)?|[A-Za-z]:[^\s/\\].*|(?:~|\.\.?)?/(?=.*[A-Za-z]).*"
    r"|.*[A-Za-z].*/.*/.*|.*\w/(?:.*/)?\w+\.[A-Za-z]\w{0,4}|.*\w\w\\\w\w.*"
)
"""A parent or root folder, a drive, several segments, or a folder and a file with a suffix."""
_FIELD = (
    r"(?<![\])])\{(?P<name>\w*(?:\.\w+|\[\w+\])*)(?:![rsa])?"
    r"(?P<spec>:(?:.?[<>=^])?[-+ #0-9,._]*[A-Za-z%]?)?\}"
)
"""Not behind a bracket, where a number in braces says how often a part of a pattern stands."""
_BRACES = re.compile(r"\{\{|\}\}|" + _FIELD)
_PRINTF = re.compile(
    r"%(?P<key>\(\w+\))?[-#0+]*(?:[0-9]+|\*)?(?:\.(?:[0-9]+|\*))?(?P<letter>[diouxXeEfFgGcrsa])|%%"
)
_STRFTIME = re.compile(r"%[-]?[aAbBcdfGHIjmMpSuUVwWxXyYzZ%]")
_MOMENT = re.compile(r"%[-]?[BbHIMSYjmpyz]")


@dataclass(frozen=True, slots=True)
class _Family:
    """A kind of text: which texts may be of it, which of them tell it, and the strategy that knows its edges."""

    may_be: Callable[[str], object]
    tells: Callable[[str], object]
    strategy: Callable[[Sequence[str]], str]


def family_of(texts: Sequence[str]) -> str:
    """Return the text of a strategy for texts like these; nothing where they are of no kind that is known.

    They are of a kind when each that is not empty may be of it, and at least one can hardly be anything else.
    """
    given = [text for text in texts if text]
    for family in _FAMILIES:
        if all(map(family.may_be, given)) and any(map(family.tells, given)):
            return family.strategy(texts[:_TEXTS_CAP])
    return ""


def _versions(texts: Sequence[str]) -> str:
    found = [match["tail"] for match in map(_VERSION.fullmatch, texts) if match is not None]
    seen = list(dict.fromkeys(found))
    tails = [near for tail in seen for near in _moved(tail)]
    if any(tail.startswith("-") for tail in seen) or not any(seen):
        tails += ["", "-0", "-alpha", "-alpha.1", "-rc.10", "+build.7"]
    if any(tail and not tail.startswith(("-", "+")) for tail in seen) or not any(seen):
        tails += ["", "a1", "rc1", ".post1", ".dev0", "+local.1"]
    kept = list(dict.fromkeys(["", *seen, *tails]))[:_TAILS_CAP]
    return f"versions_around({literal(list(texts))}, {literal(kept)})"


def _moved(tail: str) -> list[str]:
    """Return the end of a version with its last number one more, zero, of two digits, or left out."""
    match = re.fullmatch(r"(.*?)([0-9]+)([^0-9]*)", tail, re.DOTALL)
    if match is None:
        return []
    before, number, after = match.groups()
    nears = [str(int(number) + 1), "0", "10", ""] if len(number) < 9 else ["0", ""]
    return [before + near + after for near in nears]


def _formats(placeholders: Callable[[Sequence[str]], list[str]]) -> Callable[[Sequence[str]], str]:
    def strategy(texts: Sequence[str]) -> str:
        found = list(dict.fromkeys(placeholders(texts)))[:_PLACEHOLDERS_CAP]
        return f"formats_around({literal(list(texts))}, {literal(found)})"

    return strategy


def _fields(texts: Sequence[str]) -> list[str]:
    """Return the fields of the texts, the same otherwise laid out, and fields that are escaped, broken or others."""
    seen = [match for text in texts for match in _BRACES.finditer(text) if match["name"] is not None]
    found = ["", *(match[0] for match in seen), "{}", "{0}", "{1}", "{{}}", "{", "}"]
    for match in seen:
        letter = (match["spec"] or "")[-1:] if (match["spec"] or "")[-1:].isalpha() else ""
        name = match["name"]
        found += [
            f"{{{name}}}",
            f"{{{name}!r}}",
            f"{{{name}:>9{letter}}}",
            f"{{{name}:05.0{letter or 'f'}}}",
            match[0] * 2,
        ]
    return found


def _directives(texts: Sequence[str]) -> list[str]:
    """Return the printf directives of the texts, the same with other widths and precisions, and others."""
    seen = [match for text in texts for match in _PRINTF.finditer(text) if match["letter"] is not None]
    found = ["", *(match[0] for match in seen), "%%", "%s", "%d", "%r", "%"]
    for match in seen:
        key, letter = match["key"] or "", match["letter"]
        found += [f"%{key}{flags}{letter}" for flags in ("", "+", "05", "-9", ".0", ".1")]
        found.append(match[0] * 2)
    return found


def _moments(texts: Sequence[str]) -> list[str]:
    """Return the strftime directives of the texts and others."""
    seen = [directive for text in texts for directive in _STRFTIME.findall(text)]
    return ["", *seen, "%%", *"%Y %y %m %d %H %I %M %S %f %j %p %z".split()]


def _is_version(text: str) -> bool:
    """Tell whether a text is a version rather than a number, a range or an address."""
    match = _VERSION.fullmatch(text)
    if match is None or _ADDRESS.fullmatch(text):
        return False
    return match["release"].count(".") > 1 or (
        "." in match["release"] and any(map(str.isalpha, match["tail"]))
    )


def _is_path(text: str) -> bool:
    return not re.search(r"\s", text) and _TELLING_PATH.fullmatch(text) is not None


def _has_fields(text: str) -> bool:
    """Tell whether a text has a field; an empty pair of braces is none where a value may stand."""
    return any(
        match["name"] is not None
        and not (match[0] == "{}" and re.search(r"(?:^|[=(:,\[>]\s*|return )$", text[: match.start()]))
        for match in _BRACES.finditer(text)
    )


def _keeps_braces(text: str) -> bool:
    """Tell whether every brace of a text is one of a field, or doubled."""
    return not re.search(r"[{}]", _BRACES.sub("", text))


def _around(name: str) -> Callable[[Sequence[str]], str]:
    return lambda texts: f"{name}({literal(list(texts))})"


_FAMILIES = (
    _Family(_DATE.fullmatch, len, _around("iso_dates_around")),
    _Family(lambda text: not re.search(r"\s", text), _URL.fullmatch, _around("urls_around")),
    _Family(_VERSION.fullmatch, _is_version, _versions),
    _Family(_keeps_braces, _has_fields, _formats(_fields)),
    _Family(lambda text: "%" not in _STRFTIME.sub("", text), _MOMENT.search, _formats(_moments)),
    _Family(lambda text: "%" not in _PRINTF.sub("", text), _PRINTF.search, _formats(_directives)),
    _Family(_PATH.fullmatch, _is_path, _around("paths_around")),
)
"""The first that fits is taken."""
