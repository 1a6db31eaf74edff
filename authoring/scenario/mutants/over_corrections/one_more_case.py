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
    roles = {id(child): _role(node, child) for node in places for child in node.children}
    for change in fix.changes:
        role, inside = roles.get(id(change.after)), list(telling_nodes(change.after))
        alike = [node for node in places if _is_like(node, change)]
        own = set(map(id, inside))
        for node in [one for one in alike if id(one) not in own and roles.get(id(one)) == role != "target"]:
            yield Instead(node, change.after)
        for node in [one for one in alike if id(one) in own and one is not change.after]:
            yield Instead(node, change.after)


def _is_like(node: cst.CSTNode, change: Change) -> bool:
    """Tell whether a node says what stood where the fix is."""
    return type(node) is type(change.before) and code_of(node) == code_of(change.before)


def _role(parent: cst.CSTNode, child: cst.CSTNode) -> str:
    """Say what a name is where it stands: an attribute, what is bound or named there, or what is read."""
    if isinstance(parent, cst.Attribute):
        return "attribute" if child is parent.attr else "read"
    bound = (getattr(parent, part, None) for part in ("target", "name", "keyword"))
    return "target" if any(child is one for one in bound) else "read"


ONE_MORE_CASE = OverCorrection(
    "one-more-case",
    _propose,
    (
        ("x = a > 1\ny = b > 2\n", "x = a >= 1\ny = b > 2\n", "x = a >= 1\ny = b >= 2\n"),
        ("x = a\ny = a\n", "x = a.strip()\ny = a\n", "x = a.strip()\ny = a.strip()\n"),
        ("x = a\n", "x = a + 1\n", "x = a + 1 + 1\n"),
        ("x += a\ny += b\n", "x -= a\ny += b\n", "x -= a\ny -= b\n"),
        ("x = a.b\nb = c.b\n", "x = a.d\nb = c.b\n", "x = a.d\nb = c.d\n"),
    ),
)
