"""Drop an operand of ``and``/``or``, a link of a comparison chain, or a whole test."""

from collections.abc import Iterator

import libcst as cst

from authoring.reduction.edits import Edit
from authoring.reduction.expressions import LineTree, Span
from authoring.reduction.passes.base import Example, Pass, lines, parenthesised, replace_rows
from authoring.reduction.rows import alike
from authoring.reduction.view import View

__all__ = ["EXAMPLES", "PASS"]

EXAMPLES: tuple[Example, ...] = (
    ("if a and b.c:\n    f()\n", "if a:\n    f()\n"),
    ("if a and b.c:\n    f()\n", "if b.c:\n    f()\n"),
    ("x = a or b and c\n", "x = b and c\n"),
    ("x = 0 < a < b\n", "x = 0 < a\n"),
    ("x = 0 < a < b\n", "x = a < b\n"),
    ("x = a if b else c\n", "x = a\n"),
    ("x = a if b else c\n", "x = c\n"),
)


def candidates(view: View) -> Iterator[Edit]:
    """Yield an edit for each side of each operation, in all rows of a table at once."""
    for number, line, tree in lines(view):
        for span in tree.expressions:
            rows = alike(tree, span)
            if rows[0] is span:
                for texts in zip(*(_shorter(tree, one) for one in rows), strict=True):
                    yield replace_rows(number, line, rows, texts)


def _shorter(tree: LineTree, span: Span) -> Iterator[str]:
    below = {other.field: other for other in tree.parts(span)}
    if isinstance(span.node, cst.BooleanOperation):
        yield parenthesised(tree, span, below["left"])
        yield parenthesised(tree, span, below["right"])
    elif isinstance(span.node, cst.IfExp):
        yield parenthesised(tree, span, below["body"])
        yield parenthesised(tree, span, below["orelse"])
    elif isinstance(span.node, cst.Comparison) and len(span.node.comparisons) > 1:
        links = [other for other in tree.children(span) if isinstance(other.node, cst.ComparisonTarget)]
        yield tree.text[span.start : links[-2].end] + ")" * len(span.node.rpar)
        opening = "(" * len(span.node.lpar)
        first = next(tree.parts(links[0]))
        yield opening + tree.text[first.start : span.end]


PASS = Pass("operands", candidates, hope=0.3)
