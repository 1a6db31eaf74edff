"""Leave out a statement."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.mutants.operator import Operator, Proposal

__all__ = ["STATEMENTS"]

_KEPT = (cst.Pass, cst.Import, cst.ImportFrom, cst.Global, cst.Nonlocal, cst.Break, cst.Continue)


def _propose(node: cst.CSTNode) -> Iterator[Proposal]:
    if isinstance(node, cst.BaseSmallStatement):
        if not isinstance(node, _KEPT):
            yield cst.Pass()
    elif isinstance(node, cst.If) and node.orelse is None:
        yield cst.SimpleStatementLine([cst.Pass()])
    elif isinstance(node, cst.If) and isinstance(node.orelse, cst.Else):
        yield node.with_changes(orelse=None)
    elif isinstance(node, cst.For | cst.While):
        yield cst.SimpleStatementLine([cst.Pass()])


STATEMENTS = Operator(
    "statement",
    _propose,
    (
        ("a = 1\nb()\n", "a = 1\npass\n"),
        ("if a:\n    b()\nc()\n", "pass\nc()\n"),
        ("if a:\n    b()\nelse:\n    c()\n", "if a:\n    b()\n"),
        ("for a in b:\n    c()\n", "pass\n"),
    ),
)
