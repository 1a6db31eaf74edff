"""Leave a loop early, or go on where it ended; loop once or over the reverse."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.mutants.operator import Instead, Operator, Proposal

__all__ = ["LOOPS"]


def _propose(node: cst.CSTNode) -> Iterator[Proposal]:
    if isinstance(node, cst.Break):
        yield cst.Continue()
    elif isinstance(node, cst.Continue):
        yield cst.Break()
    elif isinstance(node, cst.For) and isinstance(node.body, cst.IndentedBlock):
        leave = cst.SimpleStatementLine([cst.Break()])
        yield node.with_changes(body=node.body.with_changes(body=[*node.body.body, leave]))
        yield Instead(node.iter, _call("reversed", _call("list", node.iter)))
    elif isinstance(node, cst.CompFor):
        yield Instead(node.iter, _call("reversed", _call("list", node.iter)))


def _call(name: str, argument: cst.BaseExpression) -> cst.Call:
    return cst.Call(cst.Name(name), [cst.Arg(argument)])


LOOPS = Operator(
    "loop",
    _propose,
    (
        ("for a in b:\n    break\n", "for a in b:\n    continue\n"),
        ("for a in b:\n    c()\n", "for a in b:\n    c()\n    break\n"),
        ("for a in b:\n    c()\n", "for a in reversed(list(b)):\n    c()\n"),
    ),
)
