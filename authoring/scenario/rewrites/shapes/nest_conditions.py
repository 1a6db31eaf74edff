"""Say ``if a and b`` as one ``if`` within another, or the other way round, where there is no ``else``."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.mutants.operator import enclosed
from authoring.scenario.rewrites.rewrite import Rewrite, body_of

__all__ = ["NEST_CONDITIONS"]


def _propose(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if not isinstance(node, cst.If) or node.orelse is not None:
        return
    if isinstance(node.test, cst.BooleanOperation) and isinstance(node.test.operator, cst.And):
        inner = cst.If(node.test.right, node.body)
        yield node.with_changes(test=node.test.left, body=cst.IndentedBlock([inner]))
        return
    body = body_of(node.body)
    if body and len(body) == 1 and isinstance(body[0], cst.If) and body[0].orelse is None:
        both = cst.BooleanOperation(enclosed(node.test), cst.And(), enclosed(body[0].test))
        yield node.with_changes(test=both, body=body[0].body)


NEST_CONDITIONS = Rewrite(
    "nest-conditions",
    _propose,
    (
        ("if a and b:\n    c()\n", "if a:\n    if b:\n        c()\n"),
        ("if a:\n    if b:\n        c()\n", "if a and b:\n    c()\n"),
    ),
)
