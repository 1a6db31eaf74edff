"""Leave a ``while`` loop by a ``break`` at its head."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.mutants.operator import negated
from authoring.scenario.rewrites.rewrite import Rewrite, body_of, line_of

__all__ = ["ENDLESS_LOOP"]


def _propose(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if not isinstance(node, cst.While) or node.orelse is not None:
        return
    body = body_of(node.body)
    if body and not (isinstance(node.test, cst.Name) and node.test.value == "True"):
        leave = cst.If(negated(node.test), cst.IndentedBlock([line_of(cst.Break())]))
        yield node.with_changes(test=cst.Name("True"), body=cst.IndentedBlock([leave, *body]))


ENDLESS_LOOP = Rewrite(
    "endless-loop",
    _propose,
    (
        (
            "while a:\n    b()\n",
            "while True:\n    if (not a):\n        break\n    b()\n",
        ),
    ),
)
