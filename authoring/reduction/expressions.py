"""The expressions of one line, with the characters that each takes up."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from authoring.reduction.lines import frame

__all__ = ["LineTree", "Span", "line_tree", "precedence", "strength"]

_MARK = cst.Module([])
_THROUGH = (cst.BaseParenthesizableWhitespace, cst.Comma, cst.Parameters)


@dataclass(frozen=True, slots=True)
class Span:
    """A node of a line: ``text[start:end]``, its own parentheses included."""

    node: cst.CSTNode
    start: int
    end: int
    parent: "Span | None"
    field: str
    """Name of the parent's field that holds it."""

    def within(self, *kinds: type[cst.CSTNode]) -> bool:
        """Say whether the parent is one of these kinds."""
        return self.parent is not None and isinstance(self.parent.node, kinds)


class LineTree:
    """All nodes of a line, outer ones first, in the order of the text."""

    def __init__(self, text: str) -> None:
        made = frame(text)
        self.kind = made.kind
        wrapper = MetadataWrapper(cst.parse_module(made.source), unsafe_skip_copy=True)
        positions = wrapper.resolve(PositionProvider)
        starts = _line_starts(made.source)
        shift, stop = made.indent - len(made.before), made.indent + len(made.body)
        self.spans: list[Span] = []
        self.text = text
        self._below: dict[int, list[Span]] = {}
        self.places: dict[int, tuple[tuple[int, ...], int]] | None = None
        """What is known of tables, once it was asked for."""

        def collect(node: cst.CSTNode, parent: Span | None, field: str) -> None:
            place = positions.get(node)
            span = parent
            if place is not None and not isinstance(node, _THROUGH):
                start = starts[place.start.line - 1] + place.start.column + shift
                end = starts[place.end.line - 1] + place.end.column + shift
                start, end = start - _width(node, "lpar"), end + _width(node, "rpar")
                if start >= made.indent and end <= stop and start < end:
                    span = Span(node, start, end, parent, field)
                    self.spans.append(span)
                    self._below.setdefault(id(parent), []).append(span)
            for name, child in _children(node):
                collect(child, span, name)

        collect(wrapper.module, None, "")

    def source(self, span: Span) -> str:
        """Return the text of a node."""
        return self.text[span.start : span.end]

    def children(self, span: Span | None) -> list[Span]:
        """Return the nodes directly inside a node; None stands for the line."""
        return self._below.get(id(span), [])

    def parts(self, span: Span) -> Iterator[Span]:
        """Yield the nearest expressions inside a node."""
        for child in self.children(span):
            if isinstance(child.node, cst.BaseExpression):
                yield child
            else:
                yield from self.parts(child)

    @cached_property
    def expressions(self) -> tuple[Span, ...]:
        """The expressions, outer ones first; nothing inside a literal text, no assignment target."""
        return tuple(
            span
            for span in self.spans
            if isinstance(span.node, cst.BaseExpression) and not in_literal(span) and not is_target(span)
        )


def _children(node: cst.CSTNode) -> Iterator[tuple[str, cst.CSTNode]]:
    for name in node.__dataclass_fields__:
        value = getattr(node, name)
        if isinstance(value, cst.CSTNode):
            yield name, value
        elif isinstance(value, tuple | list):
            for item in value:
                if isinstance(item, cst.CSTNode):
                    yield name, item


def _width(node: cst.CSTNode, side: str) -> int:
    parens = getattr(node, side, ())
    return sum(len(_MARK.code_for_node(paren)) for paren in parens) if isinstance(parens, tuple | list) else 0


def _line_starts(source: str) -> list[int]:
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


@lru_cache(maxsize=16384)
def line_tree(text: str) -> LineTree:
    """Return the nodes of a line; libcst.ParserSyntaxError where it does not parse."""
    return LineTree(text)


def in_literal(span: Span) -> bool:
    """Say whether a node lies inside a text literal (a part of an f-string, or of a concatenation)."""
    above = span.parent
    while above is not None:
        if isinstance(above.node, cst.BaseString):
            return True
        above = above.parent
    return False


def is_target(span: Span) -> bool:
    """Say whether a node is a name in a declaration, or is or lies in something that is assigned to."""
    if span.field in ("keyword", "attr", "name"):
        return True
    above: Span | None = span
    while above is not None:
        if isinstance(above.node, _BINDERS) or above.field == "target":
            return True
        if above.within(cst.Arg, cst.Index, cst.Slice):
            return False
        above = above.parent
    return False


_BINDERS = (
    cst.AssignTarget,
    cst.AsName,
    cst.Del,
    cst.Global,
    cst.Nonlocal,
    cst.MatchPattern,
    cst.Import,
    cst.ImportFrom,
)


def precedence(node: cst.CSTNode) -> int:
    """Return how tightly an expression binds: 20 for what never needs parentheses."""
    return 20 if getattr(node, "lpar", ()) else strength(node)


def strength(node: cst.CSTNode) -> int:
    """Return how tightly an expression binds if its own parentheses are not looked at."""
    operator = getattr(node, "operator", None)
    if operator is not None:
        return _OPERATORS.get(type(operator), 13)
    return next((level for kind, level in _LOOSE if isinstance(node, kind)), 20)


_LOOSE = (
    (cst.Tuple, 0),
    (cst.NamedExpr, 0),
    (cst.Yield, 0),
    (cst.Lambda, 1),
    (cst.IfExp, 2),
    (cst.Comparison, 6),
    (cst.ConcatenatedString, 14),
    (cst.Await, 15),
)
_OPERATORS: dict[type[cst.CSTNode], int] = {
    cst.Or: 3,
    cst.And: 4,
    cst.Not: 5,
    cst.BitOr: 7,
    cst.BitXor: 8,
    cst.BitAnd: 9,
    cst.LeftShift: 10,
    cst.RightShift: 10,
    cst.Add: 11,
    cst.Subtract: 11,
    cst.Multiply: 12,
    cst.Divide: 12,
    cst.FloorDivide: 12,
    cst.Modulo: 12,
    cst.MatrixMultiply: 12,
    cst.Plus: 13,
    cst.Minus: 13,
    cst.BitInvert: 13,
    cst.Power: 14,
}
