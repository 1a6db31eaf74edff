"""Return an expression that only got a name to be returned."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.rewrites.rewrite import Rewrite, body_of, line_of, statement_of

__all__ = ["INLINE_RESULT"]


def _propose(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    body = body_of(node)
    if body is None or isinstance(node, cst.Module) or len(body) < 2:
        return
    assigned, returned = statement_of(body[-2]), statement_of(body[-1])
    if not isinstance(assigned, cst.Assign) or not isinstance(returned, cst.Return):
        return
    target, value = assigned.targets[0].target, returned.value
    if not isinstance(target, cst.Name) or not isinstance(value, cst.Name):
        return
    if len(assigned.targets) == 1 and target.value == value.value:
        yield node.with_changes(body=[*body[:-2], line_of(cst.Return(assigned.value))])


INLINE_RESULT = Rewrite(
    "inline-result",
    _propose,
    (("def f(a):\n    b = a + 1\n    return b\n", "def f(a):\n    return a + 1\n"),),
)
