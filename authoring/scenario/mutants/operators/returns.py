"""Give back something else: nothing, or the opposite truth."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.mutants.operator import Operator, Proposal, negated

__all__ = ["RETURNS"]

_TRUTH = {"True": "False", "False": "True"}


def _propose(node: cst.CSTNode) -> Iterator[Proposal]:
    if isinstance(node, cst.Return) and node.value is not None:
        yield from _others(node, node.value)
    elif isinstance(node, cst.Yield) and node.value is not None and not isinstance(node.value, cst.From):
        yield node.with_changes(value=cst.Name("None"))
    elif isinstance(node, cst.Lambda):
        yield node.with_changes(body=cst.Name("None"))


def _others(node: cst.Return, value: cst.BaseExpression) -> Iterator[cst.CSTNode]:
    if isinstance(value, cst.Name) and value.value in _TRUTH:
        yield node.with_changes(value=cst.Name(_TRUTH[value.value]))
        return
    if isinstance(value, cst.Name) and value.value == "None":
        return
    yield node.with_changes(value=cst.Name("None"))
    if isinstance(value, cst.Comparison | cst.BooleanOperation):
        yield node.with_changes(value=negated(value))


RETURNS = Operator(
    "return",
    _propose,
    (
        ("def f():\n    return x\n", "def f():\n    return None\n"),
        ("def f():\n    return True\n", "def f():\n    return False\n"),
        ("def f():\n    return a < b\n", "def f():\n    return (not (a < b))\n"),
        ("def f():\n    yield x\n", "def f():\n    yield None\n"),
    ),
)
