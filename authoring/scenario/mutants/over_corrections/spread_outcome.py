"""End as the fix does where another end stands: raise what it raises, give back the value that it gives back."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.mutants.fix import Fix
from authoring.scenario.mutants.mutants_of import telling_nodes
from authoring.scenario.mutants.operator import Instead, code_of
from authoring.scenario.mutants.over_correction import OverCorrection

__all__ = ["SPREAD_OUTCOME"]

_PLAIN = (cst.Name, cst.BaseNumber, cst.SimpleString, cst.List, cst.Tuple, cst.Dict)


def _propose(fix: Fix) -> Iterator[Instead]:
    own = set(map(id, fix.nodes))
    for function in fix.functions:
        ends = [node for node in telling_nodes(function) if isinstance(node, cst.Return | cst.Raise)]
        added = [node for node in ends if id(node) in own and _is_plain(node)]
        for outcome in list({code_of(node): node for node in added}.values()):
            for node in ends:
                if id(node) not in own and code_of(node) != code_of(outcome):
                    yield Instead(node, outcome)


def _is_plain(node: cst.Return | cst.Raise) -> bool:
    """Tell an exception, or a value that is the same wherever it stands."""
    return isinstance(node, cst.Raise) or node.value is None or isinstance(node.value, _PLAIN)


SPREAD_OUTCOME = OverCorrection(
    "spread-outcome",
    _propose,
    (
        (
            "def f(a):\n    return a\n",
            "def f(a):\n    if a < 0:\n        raise E\n    return a\n",
            "def f(a):\n    if a < 0:\n        raise E\n    raise E\n",
        ),
        (
            "def f(a):\n    if a:\n        return a\n",
            "def f(a):\n    if a:\n        return a\n    return []\n",
            "def f(a):\n    if a:\n        return []\n    return []\n",
        ),
    ),
)
