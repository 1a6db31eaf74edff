"""Drop names that are bound and never read: targets, ``as`` names, and one of several names on each side."""

from collections.abc import Iterator

import libcst as cst

from authoring.reduction.edits import Edit, Splice
from authoring.reduction.expressions import LineTree, Span
from authoring.reduction.merged import MergedLine
from authoring.reduction.passes.arguments import removed
from authoring.reduction.passes.base import Example, Pass, lines
from authoring.reduction.scopes import owners, region, uses_in
from authoring.reduction.view import View

__all__ = ["EXAMPLES", "PASS"]

EXAMPLES: tuple[Example, ...] = (
    ("def f():\n    a = g()\n    return 1\n", "def f():\n    g()\n    return 1\n"),
    ("try:\n    f()\nexcept E as e:\n    g()\n", "try:\n    f()\nexcept E:\n    g()\n"),
    ("with f() as a:\n    g()\n", "with f():\n    g()\n"),
    ("def f():\n    a, b = 1, g()\n    return b\n", "def f():\n    b = g()\n    return b\n"),
    ("(a, b) = (1, g())\n", "a = 1\n"),
    ("a, b, c = 1, 2, 3\n", "a, c = 1, 3\n"),
)


def candidates(view: View) -> Iterator[Edit]:
    """Yield an edit for each name that is bound in vain."""
    owner = owners(view)
    for number, line, tree in lines(view):
        reach = region(view, owner[number])
        for span in tree.spans:
            place = _dropped(tree, span)
            if place is not None and _is_unread(view, reach, line, span):
                yield Edit((Splice(number, line.versions, *place, ""),), 3)
            if isinstance(span.node, cst.Tuple) and span.within(cst.AssignTarget):
                yield from _pairs(number, line, tree, span)


def _dropped(tree: LineTree, span: Span) -> tuple[int, int] | None:
    """Return the characters that bind a name and nothing else."""
    if (
        isinstance(span.node, cst.AsName)
        and isinstance(span.node.name, cst.Name)
        and tree.kind in ("except", "with")
    ):
        start = tree.text.rindex(" as ", 0, span.end)
        return start, span.end
    if isinstance(span.node, cst.AssignTarget) and isinstance(span.node.target, cst.Name):
        return span.start, tree.text.index("=", span.start) + 2
    return None


def _is_unread(view: View, reach: range, line: MergedLine, span: Span) -> bool:
    node = span.node
    name = (
        node.name
        if isinstance(node, cst.AsName)
        else node.target
        if isinstance(node, cst.AssignTarget)
        else None
    )
    if not isinstance(name, cst.Name) or (
        name.value in view.exports and len(reach) == len(view.program.lines)
    ):
        return False
    uses = uses_in(view, reach, name.value, line.versions)
    return uses.clear and not uses.reads


def _pairs(number: int, line: MergedLine, tree: LineTree, span: Span) -> Iterator[Edit]:
    """Yield edits that drop one target and its value."""
    value = next((o for o in tree.spans if o.field == "value" and o.within(cst.Assign)), None)
    if value is None or not isinstance(value.node, cst.Tuple):
        return
    left = [other for other in tree.children(span) if isinstance(other.node, cst.Element)]
    right = [other for other in tree.children(value) if isinstance(other.node, cst.Element)]
    if len(left) != len(right) or len(left) < 2:
        return
    for index in range(len(left)):
        splices = []
        for whole, items in ((span, left), (value, right)):
            if len(items) == 2:
                kept = tree.source(items[1 - index])
                splices.append(Splice(number, line.versions, whole.start, whole.end, kept))
            else:
                start, end = removed(tree.text, [(i.start, i.end) for i in items], index)
                splices.append(Splice(number, line.versions, start, end, ""))
        yield Edit(tuple(splices), 3)


PASS = Pass("drop targets", candidates, hope=0.7)
