"""Where names are read and bound in a merged program, line by line."""

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from authoring.model.variants import VersionName
from authoring.reduction.expressions import Span, in_literal, is_target, line_tree
from authoring.reduction.lines import defined_name, indent_of, kind_of, words
from authoring.reduction.view import View

__all__ = ["Call", "Uses", "calls_of", "owners", "region", "uses_in"]


@dataclass(frozen=True, slots=True)
class Uses:
    """What some lines do with a name."""

    reads: tuple[tuple[int, Span], ...]
    """Line and place of each read that a splice can replace."""
    bound: tuple[int, ...]
    """Lines that bind, delete or declare it."""
    clear: bool
    """Whether every mention is one of these; False where one lies inside a text."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a named function."""

    line: int
    span: Span
    arguments: tuple[Span, ...]
    bare: bool
    """Called by its own name, not as an attribute."""


def owners(view: View) -> list[int]:
    """Return for each line the header of the innermost ``def`` around it, -1 outside; a header belongs outside."""
    out: list[int] = []
    stack: list[tuple[int, int]] = []
    for number, line in enumerate(view.program.lines):
        indent = indent_of(line.text)
        while stack and stack[-1][1] >= indent:
            stack.pop()
        out.append(stack[-1][0] if stack and stack[-1][1] < indent else -1)
        if kind_of(line.text) == "def":
            stack.append((number, indent))
    return out


def region(view: View, header: int) -> range:
    """Return the lines that belong to the definition of a header, in merged order; the whole program for -1."""
    lines = view.program.lines
    if header < 0:
        return range(len(lines))
    stop = header + 1
    while stop < len(lines) and (
        indent_of(lines[stop].text) > indent_of(lines[header].text)
        or not lines[stop].versions & lines[header].versions
    ):
        stop += 1
    return range(header + 1, stop)


def uses_in(view: View, lines: range, name: str, versions: frozenset[VersionName]) -> Uses:
    """Return what lines of some versions do with a name."""
    reads: list[tuple[int, Span]] = []
    bound: list[int] = []
    clear = True
    for number in lines:
        line = view.program.lines[number]
        if name not in words(line.text) or not line.versions & versions:
            continue
        for span in line_tree(line.text).spans:
            if isinstance(span.node, cst.Name) and span.node.value == name:
                if span.field in ("attr", "keyword"):
                    continue
                if in_literal(span):
                    clear = False
                elif is_target(span):
                    bound.append(number)
                else:
                    reads.append((number, span))
        if kind_of(line.text) in ("def", "class") and defined_name(line.text) == name:
            bound.append(number)
    return Uses(tuple(reads), tuple(bound), clear)


def calls_of(view: View, name: str) -> Iterator[Call]:
    """Yield every call of a function or method of a name."""
    for number, line in enumerate(view.program.lines):
        if name not in words(line.text):
            continue
        tree = line_tree(line.text)
        for span in tree.spans:
            if not isinstance(span.node, cst.Call):
                continue
            function = span.node.func
            bare = isinstance(function, cst.Name) and function.value == name
            if bare or (isinstance(function, cst.Attribute) and function.attr.value == name):
                arguments = tuple(other for other in tree.children(span) if isinstance(other.node, cst.Arg))
                yield Call(number, span, arguments, bare)
