"""The rows of a table: elements of one display that are built alike, and must stay so while they are edited.

Few inputs reach each row. An edit of one row alone would pass for want of an input that reaches that row, and plant a
defect which no reader of the table would write.
"""

from collections.abc import Iterator

import libcst as cst

from authoring.reduction.expressions import LineTree, Span

__all__ = ["alike", "elements_of"]

_DISPLAYS = (cst.List, cst.Tuple, cst.Set, cst.Dict)
_ITEMS = (cst.Element, cst.StarredElement, cst.DictElement, cst.StarredDictElement)
_LEAST = 3
"""Elements of a display that make it a table."""

Place = tuple[tuple[int, ...], int]
"""Where the rows of a table begin in a line's nodes, and how far into its row a node stands."""


def elements_of(tree: LineTree, span: Span) -> list[Span]:
    """Return the elements of a list, tuple, set or dict display, in order; none of any other node."""
    if not isinstance(span.node, _DISPLAYS):
        return []
    return [one for one in tree.children(span) if isinstance(one.node, _ITEMS)]


def alike(tree: LineTree, span: Span) -> tuple[Span, ...]:
    """Return the nodes that stand where this one does in the rows of its table, in order; alone outside tables."""
    place = _places(tree).get(id(span))
    if place is None:
        return (span,)
    starts, offset = place
    return tuple(tree.spans[start + offset] for start in starts)


def _places(tree: LineTree) -> dict[int, Place]:
    if tree.places is None:
        tree.places = {}
        for starts, length in _tables(tree):
            for start in starts:
                for offset in range(length):
                    tree.places.setdefault(id(tree.spans[start + offset]), (starts, offset))
    return tree.places


def _tables(tree: LineTree) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield tables, outer ones first: where the rows begin in the nodes of the line, and how many nodes each has."""
    numbers = {id(span): number for number, span in enumerate(tree.spans)}
    for span in tree.spans:
        starts = [numbers[id(one)] for one in elements_of(tree, span)]
        shapes = [_shape(tree, start) for start in starts]
        if len(starts) >= _LEAST and len(set(shapes)) == 1:
            yield tuple(starts), len(shapes[0])


def _shape(tree: LineTree, start: int) -> tuple[tuple[str, str, int], ...]:
    """Return kinds and places of a node and all below it, which follow it; names and literals are left out."""
    first = tree.spans[start]
    below = {id(first): 0}
    found = [(type(first.node).__name__, "", 0)]
    for span in tree.spans[start + 1 :]:
        above = below.get(id(span.parent))
        if above is None:
            break
        below[id(span)] = len(found)
        found.append((type(span.node).__name__, span.field, above))
    return tuple(found)
