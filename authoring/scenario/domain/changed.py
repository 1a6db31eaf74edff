"""What versions of a program differ in, and what the changed code names: numbers, texts, types."""

import ast
import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from authoring.scenario.domain.mining import lines_of, mine

__all__ = ["ChangedCode", "Constants", "changed_code", "changed_lines", "constants_of", "lines_around"]


@dataclass(frozen=True, slots=True)
class Constants:
    """The constants of some code, sorted and distinct."""

    numbers: tuple[int, ...] = ()
    floats: tuple[float, ...] = ()
    texts: tuple[str, ...] = ()
    characters: str = ""
    """Characters at which the code decides: of character classes, their neighbours, and of text methods."""
    types: tuple[str, ...] = ()
    """Built-in types that are named, for example in ``isinstance``."""


@dataclass(frozen=True, slots=True)
class ChangedCode:
    """The constants of the lines that differ between versions, and of all lines."""

    changed: Constants = Constants()
    all: Constants = Constants()


TYPES = frozenset({"bool", "bytes", "complex", "dict", "float", "int", "list", "set", "str", "tuple", "None"})

_METHOD_CHARACTERS = {
    "splitlines": "\n\r\x0b\x0c\x85\u2028",
    "strip": " \t\n\u00a0",
    "lstrip": " \t\n\u00a0",
    "rstrip": " \t\n\u00a0",
    "split": " \t\n",
    "isspace": " \t\n\x1c\u00a0\u2003",
    "isdigit": "09\u00b2\u0663",
    "isdecimal": "09\u00b2\u0663",
    "isnumeric": "09\u00bd\u0663",
    "isalpha": "azAZ\u00e9_",
    "isalnum": "aZ09\u00e9_",
    "isidentifier": "a_9\u00e9-",
    "lower": "A\u00c9\u0130",
    "upper": "a\u00e9\u00df",
    "casefold": "A\u00df\u0130",
    "title": "a'",
    "isascii": "\x7f\u0080",
    "expandtabs": "\t\n",
    "format": "{}",
}
"""Characters for which a text method gives another answer than for its neighbours."""

_CLASS_CHARACTERS = {
    "s": " \t\n\r\x0b\x0c\x1c\u00a0\u2003",
    "d": "09\u0663",
    "w": "aZ_9\u00e9-",
    "b": "a ",
}
"""Characters on both sides of an escaped class of a regular expression."""

_MARKS = re.compile(r"\\[swdbSWDB]|\[[^\]]+\]")
_RANGE = re.compile(r"(?s)(.)-(.)")


def changed_lines(left: str, right: str) -> tuple[frozenset[int], frozenset[int]]:
    """Return the numbers (from 1) of the lines of each text that the other one lacks."""
    one, other = left.splitlines(), right.splitlines()
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    changes = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    return (
        frozenset(line + 1 for _, low, high, _, _ in changes for line in range(low, high)),
        frozenset(line + 1 for _, _, _, low, high in changes for line in range(low, high)),
    )


def lines_around(source: str, lines: frozenset[int]) -> frozenset[int]:
    """Return the lines of the smallest functions that hold some of the lines, and of the data that these read.

    Data are what the module assigns to names that stand in the functions; of lines in data the functions are those that
    read them. Nothing where the source does not parse.
    """
    try:
        module = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return frozenset()
    functions = [
        node for node in ast.walk(module) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    holding = [node for node in functions if not lines.isdisjoint(lines_of(node))]
    inner = [one for one in holding if not any(_is_inside(other, one) for other in holding)]
    tables = [(statement, _assigned(statement)) for statement in module.body]
    changed = {
        name for statement, names in tables if not lines.isdisjoint(lines_of(statement)) for name in names
    }
    inner += [one for one in functions if changed & _named(one) and one not in inner]
    read = frozenset().union(*map(_named, inner))
    kept = [statement for statement, names in tables if names & read]
    return frozenset(line for node in (*inner, *kept) for line in lines_of(node))


def _assigned(statement: ast.stmt) -> set[str]:
    """Return the names that a statement assigns."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    if isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _named(node: ast.AST) -> frozenset[str]:
    return frozenset(one.id for one in ast.walk(node) if isinstance(one, ast.Name))


def _is_inside(node: ast.stmt, other: ast.stmt) -> bool:
    return node is not other and node.lineno in lines_of(other)


def changed_code(versions: Mapping[Any, str]) -> ChangedCode:
    """Compare every version with ``reference`` (else with the last one) and collect what the code names.

    Texts that do not parse contribute nothing, since a version must compile before it gets here.
    """
    if not versions:
        return ChangedCode()
    anchor_name: str = "reference" if "reference" in versions else sorted(versions)[-1]
    anchor = versions[anchor_name]
    changed: list[Constants] = []
    everything = [constants_of(anchor)]
    for name in sorted(versions):
        if name == anchor_name:
            continue
        here, there = changed_lines(versions[name], anchor)
        changed += [constants_of(versions[name], here), constants_of(anchor, there)]
        everything.append(constants_of(versions[name]))
    return ChangedCode(_merged(changed), _merged(everything))


def constants_of(source: str, lines: frozenset[int] | None = None) -> Constants:
    """Collect the constants of a module, or of the statements that touch the given lines."""
    try:
        mined = mine(source, lines)
    except (SyntaxError, ValueError, RecursionError):
        return Constants()
    return Constants(
        numbers=tuple(sorted(mined.numbers)),
        floats=tuple(sorted(mined.floats)),
        texts=tuple(sorted(mined.texts)),
        characters="".join(sorted({*_characters(mined.texts), *_method_characters(mined.names)})),
        types=tuple(sorted(mined.names & TYPES)),
    )


def _method_characters(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield from _METHOD_CHARACTERS.get(name, "")


def _characters(texts: Iterable[str]) -> Iterator[str]:
    """Yield the characters of single-character texts and of anything that looks like a regular expression."""
    for text in texts:
        if len(text) == 1:
            yield text
        for mark in _MARKS.findall(text):
            yield from _class_characters(mark)


def _class_characters(mark: str) -> Iterator[str]:
    if mark.startswith("\\"):
        yield from _CLASS_CHARACTERS[mark[1].lower()]
        return
    body = mark[1:-1].removeprefix("^")
    for escape in re.findall(r"\\([swd])", body, re.IGNORECASE):
        yield from _CLASS_CHARACTERS[escape.lower()]
    body = re.sub(r"\\[a-zA-Z]", "", body)
    for low, high in _RANGE.findall(body):
        yield from _edges(low, high)
    yield from (character for character in body if character not in "\\-")


def _edges(low: str, high: str) -> Iterator[str]:
    yield from (low, high)
    if ord(low) > 0:
        yield chr(ord(low) - 1)
    if ord(high) < 0x2FFF:
        yield chr(ord(high) + 1)


def _merged(parts: Sequence[Constants]) -> Constants:
    return Constants(
        numbers=tuple(sorted({n for part in parts for n in part.numbers})),
        floats=tuple(sorted({n for part in parts for n in part.floats})),
        texts=tuple(sorted({t for part in parts for t in part.texts})),
        characters="".join(sorted({c for part in parts for c in part.characters})),
        types=tuple(sorted({t for part in parts for t in part.types})),
    )
