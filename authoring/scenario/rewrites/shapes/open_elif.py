"""Say ``elif`` as an ``if`` within ``else``."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.rewrites.rewrite import Rewrite

__all__ = ["OPEN_ELIF"]


def _propose(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(node, cst.If) and isinstance(node.orelse, cst.If):
        inner = node.orelse.with_changes(leading_lines=[])
        yield node.with_changes(orelse=cst.Else(cst.IndentedBlock([inner])))


OPEN_ELIF = Rewrite(
    "open-elif",
    _propose,
    (
        (
            "if a:\n    b()\nelif c:\n    d()\n",
            "if a:\n    b()\nelse:\n    if c:\n        d()\n",
        ),
    ),
)
