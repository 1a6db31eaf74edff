"""Drop whole elements of list, tuple, set and dict displays; a text is never edited inside."""

from collections.abc import Iterator

import libcst as cst

from authoring.reduction.edits import Edit, Splice
from authoring.reduction.passes.arguments import removed
from authoring.reduction.passes.base import Example, Pass, lines
from authoring.reduction.rows import elements_of
from authoring.reduction.view import View

__all__ = ["EXAMPLES", "PASS"]

EXAMPLES: tuple[Example, ...] = (
    ("x = [1, 2, 3]\n", "x = [1, 2]\n"),
    ("x = {'a': 1, 'b': 2}\n", "x = {'b': 2}\n"),
    ("x = (1, 2)\n", "x = (2,)\n"),
    ("x = [1]\n", "x = []\n"),
)

_LONG = 64
"""Elements from which on a display is a long table."""


def candidates(view: View) -> Iterator[Edit]:
    """Yield an edit for each element: those of outer displays before those inside them, last ones first."""
    for number, line, tree in lines(view):
        for span in sorted(tree.expressions, key=lambda one: (one.start - one.end, -one.start)):
            items = elements_of(tree, span)
            places = [(item.start, item.end) for item in items]
            for index in reversed(range(len(items))):
                if isinstance(span.node, cst.Set | cst.Tuple) and len(items) < 2:
                    continue
                start, end = removed(tree.text, places, index)
                text = ""
                if isinstance(span.node, cst.Tuple) and len(items) == 2:
                    start, end, text = items[0].start, items[1].end, tree.source(items[1 - index]) + ","
                family = f"{number}:{span.start}" if len(items) > _LONG else ""
                yield Edit((Splice(number, line.versions, start, end, text),), end - start, family)


PASS = Pass("elements", candidates, hope=0.5)
