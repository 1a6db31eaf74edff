"""The elements of a series that is written out: a display, a name for one, a range, a comprehension over one."""

import itertools
from collections.abc import Iterable, Mapping

import libcst as cst

from authoring.scenario.lifting.literals import Constants
from authoring.scenario.lifting.syntax import callee, code, expression, replace_names
from authoring.scenario.lifting.unroll import bind, values_of

__all__ = ["EXAMPLES", "SERIES_CAP", "elements_of"]

SERIES_CAP = 150

EXAMPLES = [
    ("[1, f(2)]", ["1", "f(2)"]),
    ("CASES", ["1", "two"]),
    ("[0, *CASES]", ["0", "1", "two"]),
    ("[0] + CASES", ["0", "1", "two"]),
    ("range(2)", ["0", "1"]),
    ("list(zip('ab', (1, 2)))", ["('a', 1)", "('b', 2)"]),
    ("[(x, x + 1) for x in range(2)]", ["(0, 0 + 1)", "(1, 1 + 1)"]),
    ("[(a, b) for a, b in [(1, 'x')] for _ in range(2)]", ["(1, 'x')", "(1, 'x')"]),
    ("itertools.product([1, y], 'a')", ["(1, 'a',)", "(y, 'a',)"]),
    ("[x for x in CASES if x]", None),
    ("load()", None),
]
"""With ``CASES = [1, two]``."""

_SAME = ("list", "tuple", "iter")
Elements = list[cst.BaseExpression]


def elements_of(
    node: cst.BaseExpression, written: Mapping[str, cst.BaseExpression], constants: Constants, depth: int = 0
) -> Elements | None:
    """Return the expressions of a written series' elements, or None where it is not written out.

    ``written`` are the values of the names that are bound once.
    """
    found = None if depth > 8 else _elements(node, written, constants, depth + 1)
    return None if found is None or len(found) > SERIES_CAP else found


def _elements(
    node: cst.BaseExpression, written: Mapping[str, cst.BaseExpression], constants: Constants, depth: int
) -> Elements | None:
    def inner(part: cst.BaseExpression) -> Elements | None:
        return elements_of(part, written, constants, depth)

    match node:
        case cst.Tuple() | cst.List() | cst.Set():
            found = _joined(
                inner(each.value) if isinstance(each, cst.StarredElement) else [each.value]
                for each in node.elements
            )
        case cst.Name() if node.value in written:
            found = inner(written[node.value])
        case cst.BinaryOperation(operator=cst.Add()):
            found = _joined([inner(node.left), inner(node.right)])
        case cst.ListComp() | cst.SetComp() | cst.GeneratorExp():
            found = _comprehended(node.elt, node.for_in, written, constants, depth)
        case cst.Call() if callee(node) in _SAME and len(node.args) == 1:
            found = inner(node.args[0].value)
        case cst.Call() if callee(node).rpartition(".")[2] == "product" and node.args:
            is_plain = all(arg.keyword is None and not arg.star for arg in node.args)
            found = _product([inner(arg.value) for arg in node.args]) if is_plain else None
        case _:
            values = values_of(node, constants)
            found = (
                None
                if values is None
                else [cst.parse_expression(repr(value)) for value in values[: SERIES_CAP + 1]]
            )
    return found


def _joined(parts: Iterable[Elements | None]) -> Elements | None:
    found: Elements = []
    for part in parts:
        if part is None:
            return None
        found += part
    return found


def _comprehended(
    elt: cst.BaseExpression,
    loop: cst.CompFor,
    written: Mapping[str, cst.BaseExpression],
    constants: Constants,
    depth: int,
) -> Elements | None:
    """Return the elements of a comprehension without conditions, its variables put in."""
    rounds = elements_of(loop.iter, written, constants, depth)
    if rounds is None or loop.ifs or loop.asynchronous is not None:
        return None
    parts: list[Elements | None] = []
    for each in rounds:
        bound = bind(loop.target, each)
        if bound is None:
            return None
        names = {name: _closed(value) for name, value in bound}
        if loop.inner_for_in is None:
            parts.append([replace_names(elt, names)])
        else:
            within = replace_names(loop.inner_for_in, names)
            parts.append(_comprehended(replace_names(elt, names), within, written, constants, depth))
    return _joined(parts)


def _closed(value: cst.BaseExpression) -> cst.BaseExpression:
    """Return an expression in parentheses where what stands beside it could take part of it."""
    is_closed = isinstance(value, cst.Name | cst.BaseNumber | cst.SimpleString | cst.Attribute | cst.Call)
    return value if is_closed or value.lpar else expression(code(value))


def _product(parts: list[Elements | None]) -> Elements | None:
    sides = [part for part in parts if part is not None]
    size = 1
    for side in sides:
        size *= len(side)
    if len(sides) < len(parts) or size > SERIES_CAP:
        return None
    return [
        cst.parse_expression(f"({', '.join(code(each) for each in row)},)")
        for row in itertools.product(*sides)
    ]
