"""Give a parameter another default."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.mutants.operator import Instead, Operator, Proposal

__all__ = ["DEFAULTS"]

_OTHERS = {"None": "0", "True": "False", "False": "True"}


def _propose(node: cst.CSTNode) -> Iterator[Proposal]:
    if isinstance(node, cst.Param) and isinstance(node.default, cst.Name):
        other = _OTHERS.get(node.default.value, "None")
        yield Instead(node.default, cst.parse_expression(other))


DEFAULTS = Operator(
    "default",
    _propose,
    (
        ("def f(a=True):\n    pass\n", "def f(a=False):\n    pass\n"),
        ("def f(a=None):\n    pass\n", "def f(a=0):\n    pass\n"),
        ("def f(*, a=B):\n    pass\n", "def f(*, a=None):\n    pass\n"),
    ),
)
