"""Drop one argument of a call."""

from collections.abc import Iterator

import libcst as cst

from authoring.reduction.edits import Edit, Splice
from authoring.reduction.expressions import LineTree, Span
from authoring.reduction.passes.base import Example, Pass, lines
from authoring.reduction.rows import alike
from authoring.reduction.view import View

__all__ = ["EXAMPLES", "PASS"]

EXAMPLES: tuple[Example, ...] = (
    ("x = f(a, b=1)\n", "x = f(a)\n"),
    ("x = f(a, b=1)\n", "x = f(b=1)\n"),
    ("x = f(a)\n", "x = f()\n"),
    ("x = f(*a, **b)\n", "x = f(*a)\n"),
    ("class C(A, B):\n    pass\n", "class C(B):\n    pass\n"),
    ("class C(A):\n    pass\n", "class C:\n    pass\n"),
)


def candidates(view: View) -> Iterator[Edit]:
    """Yield an edit for each argument, keyword and base class, in all rows of a table at once.

    The last base goes with its parentheses.
    """
    for number, line, tree in lines(view):
        for span in tree.spans:
            rows = alike(tree, span)
            if isinstance(span.node, cst.Arg) and rows[0] is span:
                places = [_place(tree, one) for one in rows]
                changes = tuple(Splice(number, line.versions, start, end, "") for start, end in places)
                yield Edit(changes, sum(one.end - one.start for one in rows))


def _place(tree: LineTree, span: Span) -> tuple[int, int]:
    """Return the characters that go with an argument."""
    siblings = [other for other in tree.children(span.parent) if isinstance(other.node, cst.Arg)]
    start, end = removed(tree.text, [(s.start, s.end) for s in siblings], siblings.index(span))
    if tree.kind == "class" and span.parent is None and len(siblings) == 1:
        return tree.text.rindex("(", 0, start), tree.text.index(")", end) + 1
    return start, end


def removed(text: str, places: list[tuple[int, int]], index: int) -> tuple[int, int]:
    """Return the characters that go with one item of a list: the item and one comma beside it."""
    if index + 1 < len(places):
        return places[index][0], places[index + 1][0]
    start, end = places[index]
    if index:
        start = places[index - 1][1]
    rest = len(text[end:]) - len(text[end:].lstrip(" \n,"))
    return start, end + (rest if "," in text[end : end + rest] else 0)


PASS = Pass("arguments", candidates, hope=0.15)
