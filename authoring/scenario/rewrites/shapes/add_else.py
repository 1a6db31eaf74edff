"""Put what follows a branch that leaves into its ``else``."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.rewrites.rewrite import Rewrite, body_of, statement_of

__all__ = ["ADD_ELSE"]


def _propose(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    body = body_of(node)
    if body is None or isinstance(node, cst.Module):
        return
    for at, line in enumerate(body[:-1]):
        inside = body_of(line.body) if isinstance(line, cst.If) and line.orelse is None else None
        if inside and isinstance(statement_of(inside[-1]), cst.Return | cst.Raise):
            other = cst.Else(cst.IndentedBlock(body[at + 1 :]))
            yield node.with_changes(body=[*body[:at], line.with_changes(orelse=other)])


ADD_ELSE = Rewrite(
    "add-else",
    _propose,
    (
        (
            "def f(a):\n    if a:\n        return 1\n    return 2\n",
            "def f(a):\n    if a:\n        return 1\n    else:\n        return 2\n",
        ),
    ),
)
