"""Negate a condition and swap its branches."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.mutants.operator import negated
from authoring.scenario.rewrites.rewrite import Rewrite

__all__ = ["INVERT_BRANCHES"]


def _propose(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(node, cst.If) and isinstance(node.orelse, cst.Else):
        yield node.with_changes(
            test=negated(node.test), body=node.orelse.body, orelse=node.orelse.with_changes(body=node.body)
        )
    elif isinstance(node, cst.IfExp):
        yield node.with_changes(test=negated(node.test), body=node.orelse, orelse=node.body)


INVERT_BRANCHES = Rewrite(
    "invert-branches",
    _propose,
    (
        ("if a:\n    b()\nelse:\n    c()\n", "if (not a):\n    c()\nelse:\n    b()\n"),
        ("if not a:\n    b()\nelse:\n    c()\n", "if a:\n    c()\nelse:\n    b()\n"),
        ("x = b if a < 1 else c\n", "x = c if (not (a < 1)) else b\n"),
    ),
)
