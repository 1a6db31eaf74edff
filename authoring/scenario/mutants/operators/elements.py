"""Drop an element of a list, tuple, set or dict, or swap two that stand side by side."""

from collections.abc import Iterator, Sequence

import libcst as cst

from authoring.scenario.mutants.operator import Operator, Proposal

__all__ = ["ELEMENTS"]

_PLACES_CAP = 4


def _propose(node: cst.CSTNode) -> Iterator[Proposal]:
    if not isinstance(node, cst.List | cst.Tuple | cst.Set | cst.Dict):
        return
    elements: Sequence[cst.CSTNode] = node.elements
    least = 3 if isinstance(node, cst.Tuple) else 1 + isinstance(node, cst.Set)
    places = _places(len(elements))
    if len(elements) >= least:
        for at in places:
            rest = [*elements[:at], *elements[at + 1 :]]
            yield node.with_changes(elements=_closed(rest))
    if isinstance(node, cst.List | cst.Tuple):
        for at in places:
            if at + 1 < len(elements):
                one, other = elements[at : at + 2]
                swapped = [
                    *elements[:at],
                    other.with_changes(comma=cst.Comma(cst.SimpleWhitespace(""), cst.SimpleWhitespace(" "))),
                    one.with_changes(comma=cst.MaybeSentinel.DEFAULT),
                    *elements[at + 2 :],
                ]
                yield node.with_changes(elements=swapped)


def _places(length: int) -> list[int]:
    """Return at most four places, the first and the last among them: a long table is one thing, not many."""
    if length <= _PLACES_CAP:
        return list(range(length))
    return sorted({0, length // 3, 2 * length // 3, length - 1})


def _closed(elements: list[cst.CSTNode]) -> list[cst.CSTNode]:
    if elements:
        elements[-1] = elements[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return elements


ELEMENTS = Operator(
    "element",
    _propose,
    (
        ("x = [a, b]\n", "x = [b]\n"),
        ("x = [a, b]\n", "x = [a]\n"),
        ("x = [a, b]\n", "x = [b, a]\n"),
        ("x = (a, b, c)\n", "x = (a, b)\n"),
        ("x = {a: 1, b: 2}\n", "x = {b: 2}\n"),
    ),
)
