"""Drop annotations, defaults, decorators, imported names, conditions of comprehensions, causes and bounds."""

from collections.abc import Iterator

import libcst as cst

from authoring.reduction.edits import Cut, Edit, Splice
from authoring.reduction.expressions import LineTree, Span
from authoring.reduction.passes.arguments import removed
from authoring.reduction.passes.base import Example, Pass, lines
from authoring.reduction.view import View

__all__ = ["EXAMPLES", "PASS"]

EXAMPLES: tuple[Example, ...] = (
    ("def f(a: int) -> str:\n    pass\n", "def f(a) -> str:\n    pass\n"),
    ("def f(a: int) -> str:\n    pass\n", "def f(a: int):\n    pass\n"),
    ("x: int = 1\n", "x = 1\n"),
    ("def f(a=1):\n    pass\n", "def f(a):\n    pass\n"),
    ("@g\ndef f(a):\n    pass\n", "def f(a):\n    pass\n"),
    ("import a, b\n", "import b\n"),
    ("from c import a, b\n", "from c import a\n"),
    ("x = [a for a in b if c]\n", "x = [a for a in b]\n"),
    ("raise a from b\n", "raise a\n"),
    ("x = a[1:2]\n", "x = a[1:]\n"),
    ("with a, b:\n    pass\n", "with b:\n    pass\n"),
    ("raise E('no')\n", "raise E\n"),
    ("assert a, b\n", "assert a\n"),
)


def candidates(view: View) -> Iterator[Edit]:
    """Yield an edit for each."""
    for number, line, tree in lines(view):
        if tree.kind == "decorator":
            yield Edit((Cut(number, line.versions),), view.weights[number])
            continue
        for span in tree.spans:
            for start, end, text in _places(tree, span):
                yield Edit((Splice(number, line.versions, start, end, text),), end - start)


def _places(tree: LineTree, span: Span) -> Iterator[tuple[int, int, str]]:
    node, text = span.node, tree.text
    if isinstance(node, cst.Annotation):
        mark = "->" if span.field == "returns" else ":"
        start = text.rindex(mark, 0, _first(tree, span)) if mark in text[: _first(tree, span)] else span.start
        yield len(text[:start].rstrip()), span.end, ""
    elif span.field == "default" and span.within(cst.Param) and span.parent is not None:
        yield len(text[: text.rindex("=", span.parent.start, span.start)].rstrip()), span.end, ""
    elif isinstance(node, cst.ImportAlias | cst.WithItem):
        siblings = [
            other for other in tree.spans if type(other.node) is type(node) and other.parent is span.parent
        ]
        if len(siblings) > 1:
            places = [(other.start, other.end) for other in siblings]
            yield *removed(text, places, siblings.index(span)), ""
    elif isinstance(node, cst.CompIf | cst.From) and span.parent is not None:
        yield len(text[: span.start].rstrip()), span.end, ""
    elif isinstance(node, cst.Raise) and isinstance(node.exc, cst.Call):
        call = next(other for other in tree.children(span) if other.field == "exc")
        function = next(other for other in tree.children(call) if other.field == "func")
        yield function.end, call.end, ""
    elif span.within(cst.Slice) and isinstance(node, cst.BaseExpression):
        yield span.start, span.end, ""
    elif span.field == "msg" and span.within(cst.Assert):
        yield text.rindex(",", 0, span.start), span.end, ""


def _first(tree: LineTree, span: Span) -> int:
    """Return where the annotation's expression begins."""
    return next(tree.parts(span)).start


PASS = Pass("drop trimmings", candidates, hope=0.5)
