"""Go the repaired way always, whatever the condition says that leads there."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.mutants.fix import Fix
from authoring.scenario.mutants.mutants_of import telling_nodes
from authoring.scenario.mutants.operator import Instead
from authoring.scenario.mutants.over_correction import OverCorrection

__all__ = ["TAKE_ALWAYS"]


def _propose(fix: Fix) -> Iterator[Instead]:
    own = set(map(id, fix.nodes))
    for node in telling_nodes(fix.module):
        if isinstance(node, cst.If | cst.IfExp):
            if _holds(node.test, own) or _holds(node.body, own):
                yield Instead(node.test, cst.Name("True"))
            if node.orelse is not None and (_holds(node.test, own) or _holds(node.orelse, own)):
                yield Instead(node.test, cst.Name("False"))
        elif isinstance(node, cst.CompIf) and _holds(node.test, own):
            yield Instead(node.test, cst.Name("True"))


def _holds(node: cst.CSTNode, own: set[int]) -> bool:
    return any(id(one) in own for one in telling_nodes(node))


TAKE_ALWAYS = OverCorrection(
    "take-always",
    _propose,
    (
        ("if a:\n    b()\n", "if a:\n    c()\n", "if True:\n    c()\n"),
        (
            "if a:\n    b()\nelse:\n    c()\n",
            "if a:\n    b()\nelse:\n    d()\n",
            "if False:\n    b()\nelse:\n    d()\n",
        ),
        ("x = a\n", "x = b if c else a\n", "x = b if True else a\n"),
        ("x = [y for y in z]\n", "x = [w for y in z if y]\n", "x = [w for y in z if True]\n"),
    ),
)
