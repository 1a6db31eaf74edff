"""Let the fix take in more than its class: kin of the type that it tests for, any exception, more of a text."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.mutants.fix import Fix
from authoring.scenario.mutants.operator import Instead, enclosed
from authoring.scenario.mutants.over_correction import OverCorrection

__all__ = ["WIDEN_CLASS"]

_KIN = {
    "bool": "int",
    "int": "(int, float)",
    "float": "(int, float)",
    "str": "(str, bytes)",
    "bytes": "(str, bytes)",
    "list": "(list, tuple)",
    "tuple": "(list, tuple)",
    "set": "(set, frozenset)",
    "frozenset": "(set, frozenset)",
}
_METHODS = {
    "lstrip": "strip",
    "rstrip": "strip",
    "removeprefix": "lstrip",
    "removesuffix": "rstrip",
    "isdecimal": "isdigit",
    "isdigit": "isalnum",
    "isalpha": "isalnum",
    "fullmatch": "match",
    "match": "search",
}
"""Methods, and those that do the same to more."""
_COUNTED = {"replace": 2, "split": 1, "rsplit": 1}
"""Methods that do something a number of times, and the place of the number among the arguments."""


def _propose(fix: Fix) -> Iterator[Instead]:
    for node in fix.nodes:
        if isinstance(node, cst.ExceptHandler):
            if node.type is not None:
                yield Instead(node.type, cst.Name("Exception"))
        elif isinstance(node, cst.Call):
            for by in _wider(node):
                yield Instead(node, by)


def _wider(call: cst.Call) -> Iterator[cst.BaseExpression]:
    func, args = call.func, call.args
    if isinstance(func, cst.Name) and func.value == "isinstance" and len(args) == 2:
        kind = args[1].value
        kin = _KIN.get(kind.value, "object") if isinstance(kind, cst.Name) else "object"
        yield call.with_changes(args=[args[0], args[1].with_changes(value=cst.parse_expression(kin))])
    elif isinstance(func, cst.Attribute):
        name = func.attr.value
        if name in ("startswith", "endswith") and len(args) == 1:
            yield cst.Comparison(
                enclosed(args[0].value), [cst.ComparisonTarget(cst.In(), enclosed(func.value))]
            )
        elif name in _METHODS:
            yield call.with_changes(func=func.with_changes(attr=cst.Name(_METHODS[name])))
        elif name in _COUNTED and len(args) == _COUNTED[name] + 1:
            kept = [*args[:-2], args[-2].with_changes(comma=cst.MaybeSentinel.DEFAULT)]
            yield call.with_changes(args=kept)


WIDEN_CLASS = OverCorrection(
    "widen-class",
    _propose,
    (
        ("x = a\n", "x = isinstance(a, int)\n", "x = isinstance(a, (int, float))\n"),
        ("x = a\n", "x = isinstance(a, B)\n", "x = isinstance(a, object)\n"),
        (
            "try:\n    a()\nexcept A:\n    b()\n",
            "try:\n    a()\nexcept B:\n    b()\n",
            "try:\n    a()\nexcept Exception:\n    b()\n",
        ),
        ("x = a\n", "x = a.startswith(b)\n", "x = b in a\n"),
        ("x = a\n", "x = a.rstrip('b')\n", "x = a.strip('b')\n"),
        ("x = a\n", "x = a.split('b', 1)\n", "x = a.split('b')\n"),
        ("x = a\n", "x = a.replace('b', 'c', 1)\n", "x = a.replace('b', 'c')\n"),
    ),
)
