"""Let a condition of the fix hold where only a part of it holds."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.mutants.fix import Fix
from authoring.scenario.mutants.operator import Instead
from authoring.scenario.mutants.over_correction import OverCorrection

__all__ = ["DROP_CONJUNCT"]


def _propose(fix: Fix) -> Iterator[Instead]:
    for node in fix.nodes:
        if isinstance(node, cst.BooleanOperation) and isinstance(node.operator, cst.And):
            yield Instead(node, node.left)
            yield Instead(node, node.right)


DROP_CONJUNCT = OverCorrection(
    "drop-conjunct",
    _propose,
    (
        ("if a:\n    b()\n", "if a and c:\n    b()\n", "if c:\n    b()\n"),
        ("if a:\n    b()\n", "if a and (c or d):\n    b()\n", "if (c or d):\n    b()\n"),
        (
            "x = 1\n",
            "x = 1\nif a and b > 1 and c:\n    x = 2\n",
            "x = 1\nif b > 1 and c:\n    x = 2\n",
        ),
    ),
)
