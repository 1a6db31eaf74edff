"""Replace an expression by a constant."""

from collections.abc import Iterator

import libcst as cst

from authoring.reduction.edits import Edit
from authoring.reduction.expressions import Span
from authoring.reduction.passes.base import Example, Pass, lines, replace_rows
from authoring.reduction.rows import alike
from authoring.reduction.view import View

__all__ = ["EXAMPLES", "PASS"]

EXAMPLES: tuple[Example, ...] = (
    ("x = f(a)\n", "x = None\n"),
    ("x = a == b\n", "x = True\n"),
    ("x = a == b\n", "x = False\n"),
    ("x = f('%s' % a)\n", "x = f('')\n"),
    ("x = len(a) + 1\n", "x = 0\n"),
)
_LEAVES = (cst.Name, cst.BaseString, cst.BaseNumber, cst.Ellipsis)
_NUMBERS = frozenset(("len", "int", "sum", "abs", "ord", "round", "hash", "id", "max", "min"))
_TEXTS = frozenset(("str", "repr", "join", "format", "strip", "lower", "upper", "replace", "chr", "group"))


def candidates(view: View) -> Iterator[Edit]:
    """Yield edits for each expression that is more than a name or a literal, in all rows of a table at once."""
    for number, line, tree in lines(view):
        for span in tree.expressions:
            if isinstance(span.node, _LEAVES) or span.field in ("func", "decorator", "annotation"):
                continue
            rows = alike(tree, span)
            for text in _constants(span) if rows[0] is span else ():
                if all(tree.source(one) != text for one in rows):
                    yield replace_rows(number, line, rows, [text] * len(rows))


def _constants(span: Span) -> tuple[str, ...]:
    node = span.node
    if isinstance(node, cst.Comparison | cst.BooleanOperation) or (
        isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not)
    ):
        return ("True", "False")
    if isinstance(node, cst.Call):
        name = _called(node)
        if name in _NUMBERS:
            return ("0",)
        return ("''",) if name in _TEXTS else ("None",)
    if isinstance(node, cst.BinaryOperation):
        text = isinstance(node.left, cst.BaseString) or isinstance(node.right, cst.BaseString)
        return ("''",) if text else ("0",)
    return ("None",)


def _called(node: cst.Call) -> str:
    if isinstance(node.func, cst.Name):
        return node.func.value
    return node.func.attr.value if isinstance(node.func, cst.Attribute) else ""


PASS = Pass("constants", candidates, hope=0.1)
