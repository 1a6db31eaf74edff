"""Say a chained comparison as two, where the middle is a name or literal."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.rewrites.rewrite import Rewrite

__all__ = ["SPLIT_CHAIN"]


def _propose(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(node, cst.Comparison) and len(node.comparisons) == 2:
        first, second = node.comparisons
        middle = first.comparator
        if isinstance(middle, cst.Name | cst.BaseNumber):
            yield cst.BooleanOperation(
                cst.Comparison(node.left, [first]),
                cst.And(),
                cst.Comparison(middle, [second]),
                lpar=node.lpar or [cst.LeftParen()],
                rpar=node.rpar or [cst.RightParen()],
            )


SPLIT_CHAIN = Rewrite("split-chain", _propose, (("x = 0 <= a < b\n", "x = (0 <= a and a < b)\n"),))
