"""Use a call's argument instead of the call, or the object instead of its method's result."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.mutants.operator import Operator, Proposal, enclosed

__all__ = ["CALLS"]

_TWINS = {
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
    "lower": "upper",
    "upper": "lower",
    "startswith": "endswith",
    "endswith": "startswith",
    "lstrip": "rstrip",
    "rstrip": "lstrip",
    "strip": "lstrip",
    "split": "rsplit",
    "rsplit": "split",
    "partition": "rpartition",
    "rpartition": "partition",
    "find": "rfind",
    "rfind": "find",
    "index": "rindex",
    "ceil": "floor",
    "floor": "ceil",
    "append": "extend",
    "extend": "append",
    "match": "search",
    "fullmatch": "match",
    "search": "match",
    "union": "intersection",
    "intersection": "union",
    "isdigit": "isalnum",
    "isinstance": "issubclass",
    "add": "discard",
}


def _propose(node: cst.CSTNode) -> Iterator[Proposal]:
    if not isinstance(node, cst.Call):
        return
    name = node.func.attr if isinstance(node.func, cst.Attribute) else node.func
    if isinstance(name, cst.Name) and name.value in _TWINS:
        other = cst.Name(_TWINS[name.value])
        yield node.with_changes(
            func=node.func.with_changes(attr=other) if isinstance(node.func, cst.Attribute) else other
        )
    if len(node.args) == 1 and not node.args[0].star and node.args[0].keyword is None:
        yield enclosed(node.args[0].value)
    if isinstance(node.func, cst.Attribute):
        yield enclosed(node.func.value)


CALLS = Operator(
    "call",
    _propose,
    (
        ("x = min(a, b)\n", "x = max(a, b)\n"),
        ("x = abs(a)\n", "x = a\n"),
        ("x = a.strip()\n", "x = a.lstrip()\n"),
        ("x = a.copy()\n", "x = a\n"),
    ),
)
