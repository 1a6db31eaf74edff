"""Compare from the other side: ``a < b`` as ``b > a``, between names and literals only."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.rewrites.rewrite import Rewrite

__all__ = ["SWAP_COMPARISON"]

_TURNED: dict[type[cst.BaseCompOp], type[cst.BaseCompOp]] = {
    cst.LessThan: cst.GreaterThan,
    cst.LessThanEqual: cst.GreaterThanEqual,
    cst.GreaterThan: cst.LessThan,
    cst.GreaterThanEqual: cst.LessThanEqual,
    cst.Equal: cst.Equal,
    cst.NotEqual: cst.NotEqual,
}
_PLAIN = (cst.Name, cst.BaseNumber, cst.SimpleString)


def _propose(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if not isinstance(node, cst.Comparison) or len(node.comparisons) != 1:
        return
    target = node.comparisons[0]
    turned = _TURNED.get(type(target.operator))
    if turned is None or not isinstance(node.left, _PLAIN) or not isinstance(target.comparator, _PLAIN):
        return
    if (
        isinstance(node.left, cst.Name)
        and isinstance(target.comparator, cst.Name)
        and turned in (cst.Equal, cst.NotEqual)
    ):
        return
    comparisons = [cst.ComparisonTarget(turned(), node.left)]
    yield node.with_changes(left=target.comparator, comparisons=comparisons)


SWAP_COMPARISON = Rewrite(
    "swap-comparison",
    _propose,
    (("x = a < b\n", "x = b > a\n"), ("x = a == 1\n", "x = 1 == a\n"), ("x = 0 <= a\n", "x = a >= 0\n")),
)
