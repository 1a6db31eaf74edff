"""The lines of each statement, found by walking the tree beside the text's logical lines.

A tree and its text hold the same logical lines in the same order, so no position needs to be computed from the tree.
"""

from collections.abc import Iterable, Iterator

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from authoring.reduction.sources.chunks import statement_lines
from authoring.reduction.sources.tree import descendants

__all__ = ["Spans", "spans_by_positions", "statement_spans"]

Lines = tuple[int, int]
Spans = dict[cst.CSTNode, Lines]


def statement_spans(module: cst.Module, text: str) -> Spans:
    """Return first and last line, from 1, of the header of each statement, handler and case of a module."""
    walk = _Walk(iter(statement_lines(text)))
    try:
        walk.all(module.body)
    except StopIteration:
        return spans_by_positions(module)
    return walk.spans if next(walk.lines, None) is None else spans_by_positions(module)


class _Walk:
    def __init__(self, lines: Iterator[Lines]) -> None:
        self.lines = lines
        self.spans: Spans = {}

    def all(self, nodes: Iterable[cst.CSTNode]) -> None:
        for node in nodes:
            self.visit(node)

    def take(self, node: cst.CSTNode) -> Lines:
        """Give the next logical line to a node."""
        self.spans[node] = next(self.lines)
        return self.spans[node]

    def block(self, block: cst.BaseSuite, header: Lines) -> None:
        if isinstance(block, cst.IndentedBlock):
            self.all(block.body)
        else:
            self.spans[block] = header

    def visit(self, node: cst.CSTNode) -> None:
        first = [next(self.lines) for _ in getattr(node, "decorators", ())]
        header = self.take(node)
        if first:
            self.spans[node] = (first[0][0], header[1])
        if isinstance(node, cst.Match):
            for case in node.cases:
                self.block(case.body, self.take(case))
        elif isinstance(node, cst.BaseCompoundStatement):
            self.block(node.body, header)
            self.clauses(node)

    def clauses(self, node: cst.BaseCompoundStatement) -> None:
        for handler in getattr(node, "handlers", ()):
            self.block(handler.body, self.take(handler))
        for name in ("orelse", "finalbody"):
            clause = getattr(node, name, None)
            if isinstance(clause, cst.If):
                self.visit(clause)
            elif isinstance(clause, cst.Else | cst.Finally):
                self.block(clause.body, next(self.lines))


_KINDS = (
    cst.SimpleStatementLine,
    cst.SimpleStatementSuite,
    cst.BaseCompoundStatement,
    cst.ExceptHandler,
    cst.ExceptStarHandler,
    cst.MatchCase,
)


def spans_by_positions(module: cst.Module) -> Spans:
    """Compute the same from LibCST's positions, for texts whose strings the quick reading takes apart wrongly."""
    positions = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    spans: Spans = {}
    for node in descendants(module):
        if not isinstance(node, _KINDS):
            continue
        here = positions[node]
        first, last = here.start.line, here.end.line
        body = getattr(node, "body", None)
        if isinstance(body, cst.IndentedBlock) and body.body:
            last = max(first, positions[body.body[0]].start.line - 1)
        if isinstance(node, cst.FunctionDef | cst.ClassDef) and node.decorators:
            first = min(first, positions[node.decorators[0]].start.line)
        spans[node] = (first, last)
    return spans
