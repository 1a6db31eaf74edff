"""Do what the fix does in one more place where the same stands as stood before it, or a second time at its own."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.mutants.fix import Change, Fix
from authoring.scenario.mutants.mutants_of import telling_nodes
from authoring.scenario.mutants.operator import Instead, code_of
from authoring.scenario.mutants.over_correction import OverCorrection

__all__ = ["ONE_MORE_CASE"]


def _propose(fix: Fix) -> Iterator[Instead]:
    near = [node for function in fix.functions for node in telling_nodes(function)]
    places = list({id(node): node for node in (*near, *telling_nodes(fix.module))}.values())
    for change in fix.changes:
        inside = list(telling_nodes(change.after))
        own = set(map(id, inside))
        for node in places:
            if id(node) not in own and _is_like(node, change):
                yield Instead(node, change.after)
        for node in inside:
            if node is not change.after and _is_like(node, change):
                yield Instead(node, change.after)


def _is_like(node: cst.CSTNode, change: Change) -> bool:
    """Tell whether a node says what stood where the fix is; a sign of it may stand anywhere, a number too."""
    return type(node) is type(change.before) and code_of(node) == code_of(change.before)


ONE_MORE_CASE = OverCorrection(
    "one-more-case",
    _propose,
    (
        ("x = a > 1\ny = b > 2\n", "x = a >= 1\ny = b > 2\n", "x = a >= 1\ny = b >= 2\n"),
        ("x = a\ny = a\n", "x = a.strip()\ny = a\n", "x = a.strip()\ny = a.strip()\n"),
        ("x = a\n", "x = a + 1\n", "x = a + 1 + 1\n"),
    ),
)
