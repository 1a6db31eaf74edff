"""The logical line: the unit that reduction deletes, edits and aligns.

A flat program holds one simple statement or one header a line. What a line says does not depend on the lines around
it, so it is parsed alone, once per text, and never again with the file: this is why a candidate costs no parse.
"""

import ast
import io
import re
import tokenize
from dataclasses import dataclass
from functools import lru_cache

__all__ = [
    "HEADERS",
    "Frame",
    "count_nodes",
    "defined_name",
    "frame",
    "indent_of",
    "is_header",
    "kind_of",
    "logical_lines",
    "node_count",
]

HEADERS = frozenset(
    (
        "def",
        "class",
        "if",
        "elif",
        "else",
        "for",
        "while",
        "try",
        "except",
        "finally",
        "with",
        "match",
        "case",
    )
)
"""Kinds of lines that own the deeper lines after them."""

_NAME = re.compile(r"[^\W\d]\w*")
_WORD = re.compile(r"(?:async\s+)?(@|[A-Za-z_]+)")
_DEFINED = re.compile(r"\s*(?:async\s+)?(?:def|class)\s+(\w+)")
_SILENT = (tokenize.INDENT, tokenize.DEDENT, tokenize.NL, tokenize.COMMENT, tokenize.ENDMARKER)
_WRAPPED = {
    "decorator": ("", "\ndef _(): pass"),
    "def": ("", " pass"),
    "class": ("", " pass"),
    "if": ("", " pass"),
    "elif": ("if _: pass\n", " pass"),
    "else": ("if _: pass\n", " pass"),
    "for": ("", " pass"),
    "while": ("", " pass"),
    "try": ("", " pass\nfinally: pass"),
    "except": ("try: pass\n", " pass"),
    "finally": ("try: pass\n", " pass"),
    "with": ("", " pass"),
    "match": ("", "\n case _: pass"),
    "case": ("match _:\n ", " pass"),
}


@dataclass(frozen=True, slots=True)
class Frame:
    """A logical line made parseable: ``before + text without its indent + after``."""

    kind: str
    indent: int
    before: str
    after: str
    body: str

    @property
    def source(self) -> str:
        """The text that parses as a module."""
        return f"{self.before}{self.body}{self.after}\n"


def logical_lines(source: str) -> list[str]:
    """Split a source into logical lines; blank ones and comments are dropped.

    A line break stays only inside brackets or a string. Raises SyntaxError or tokenize.TokenError where the text is
    not Python.
    """
    physical = source.splitlines(keepends=True)
    found: list[tuple[int, int]] = []
    start = -1
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            physical[row - 1] = physical[row - 1][:column].rstrip() + "\n"
        if token.type in _SILENT:
            continue
        if start < 0:
            start = token.start[0] - 1
        if token.type == tokenize.NEWLINE:
            found.append((start, token.end[0]))
            start = -1
    return ["".join(physical[first:stop]).rstrip("\n") for first, stop in found]


def indent_of(text: str) -> int:
    """Return how many blanks a line begins with."""
    return len(text) - len(text.lstrip(" \t"))


@lru_cache(maxsize=65536)
def kind_of(text: str) -> str:
    """Return the keyword of a header, ``decorator``, or ``simple``."""
    body = text.lstrip()
    if body.startswith("@"):
        return "decorator"
    if not body.endswith(":"):
        return "simple"
    word = _WORD.match(body)
    return word[1] if word and word[1] in HEADERS else "simple"


def defined_name(header: str) -> str:
    """Return the name that the header of a function or class defines."""
    found = _DEFINED.match(header)
    if found is None:
        raise ValueError(f"no header of a definition: {header!a}")
    return found[1]


def is_header(text: str) -> bool:
    """Say whether deeper lines belong to this line."""
    return kind_of(text) in HEADERS


@lru_cache(maxsize=65536)
def frame(text: str) -> Frame:
    """Return the line in a frame that makes it parse alone."""
    kind, indent = kind_of(text), indent_of(text)
    before, after = _WRAPPED.get(kind, ("", ""))
    return Frame(kind, indent, before, after, text[indent:])


def count_nodes(tree: ast.AST) -> int:
    """Return the number of AST nodes of a tree, itself included."""
    return sum(1 for _ in ast.walk(tree))


@lru_cache(maxsize=65536)
def node_count(text: str) -> int:
    """Return how many AST nodes a line adds to its program, its block left out; SyntaxError where it does not parse."""
    made = frame(text)
    if made.kind in ("else", "finally") or not made.body:
        return 0
    body = ast.parse(made.source).body
    if made.kind == "simple":
        return sum(map(count_nodes, body))
    return _header_nodes(made.kind, body[0])


def _header_nodes(kind: str, node: ast.AST) -> int:
    if kind == "decorator" and isinstance(node, ast.FunctionDef):
        return count_nodes(node.decorator_list[0])
    if kind == "elif" and isinstance(node, ast.If):
        return count_nodes(node.orelse[0]) - 1
    if kind == "except" and isinstance(node, ast.Try | ast.TryStar):
        return count_nodes(node.handlers[0]) - 1
    if kind == "case" and isinstance(node, ast.Match):
        return count_nodes(node.cases[0]) - 1
    return count_nodes(node) - {"try": 2, "match": 3}.get(kind, 1)


@lru_cache(maxsize=65536)
def words(text: str) -> frozenset[str]:
    """Return the identifiers that a text holds, those in texts included."""
    return frozenset(_NAME.findall(text))
