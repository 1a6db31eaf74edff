"""Give a condition a name before the ``if``."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.rewrites.rewrite import Rewrite, body_of, line_of, names_in

__all__ = ["NAME_CONDITION"]

_NAMES = ("is_so", "holds", "is_met")


def _propose(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    body = body_of(node)
    if body is None or isinstance(node, cst.Module):
        return
    for at, line in enumerate(body):
        if isinstance(line, cst.If) and isinstance(line.test, cst.Comparison | cst.BooleanOperation):
            name = next((name for name in _NAMES if name not in names_in(node)), None)
            if name is not None and not _holds_walrus(line.test):
                named = line_of(cst.Assign([cst.AssignTarget(cst.Name(name))], line.test))
                yield node.with_changes(
                    body=[*body[:at], named, line.with_changes(test=cst.Name(name)), *body[at + 1 :]]
                )


def _holds_walrus(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.NamedExpr) or any(map(_holds_walrus, node.children))


NAME_CONDITION = Rewrite(
    "name-condition",
    _propose,
    (
        (
            "def f(a):\n    if a < 1:\n        b()\n",
            "def f(a):\n    is_so = a < 1\n    if is_so:\n        b()\n",
        ),
    ),
)
