"""Fill a returned list in a loop instead of a comprehension."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.rewrites.rewrite import (
    Rewrite,
    body_of,
    line_of,
    names_in,
    parsed_lines,
    statement_of,
)

__all__ = ["COMPREHENSION_TO_LOOP"]

_NAMES = ("collected", "gathered", "found_items")


def _propose(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if not isinstance(node, cst.FunctionDef):
        return
    body = body_of(node.body)
    last = statement_of(body[-1]) if body else None
    if not body or not isinstance(last, cst.Return) or not isinstance(last.value, cst.ListComp):
        return
    loop = last.value.for_in
    name = next((name for name in _NAMES if name not in names_in(node)), None)
    if (
        name is None
        or loop.inner_for_in is not None
        or loop.asynchronous is not None
        or _holds_scope(last.value.elt)
    ):
        return
    if any(isinstance(c, cst.NamedExpr) for c in (last.value.elt, *(i.test for i in loop.ifs))):
        return
    code = cst.Module([]).code_for_node
    append = line_of(
        cst.Expr(cst.Call(cst.Attribute(cst.Name(name), cst.Name("append")), [cst.Arg(last.value.elt)]))
    )
    inner: cst.BaseStatement = append
    for condition in reversed(loop.ifs):
        inner = cst.If(condition.test, cst.IndentedBlock([inner]))
    lines = parsed_lines(
        f"{name} = []\nfor {code(loop.target)} in {code(loop.iter)}:\n    pass\nreturn {name}\n"
    )
    filled = lines[1].with_changes(body=cst.IndentedBlock([inner]))
    yield node.with_deep_changes(node.body, body=[*body[:-1], lines[0], filled, lines[2]])


def _holds_scope(node: cst.CSTNode) -> bool:
    """Tell whether a node holds a function, which would see the loop's last item instead of its own."""
    return isinstance(node, cst.Lambda | cst.BaseComp) or any(map(_holds_scope, node.children))


COMPREHENSION_TO_LOOP = Rewrite(
    "comprehension-to-loop",
    _propose,
    (
        (
            "def f(a):\n    return [b + 1 for b in a if b]\n",
            "def f(a):\n    collected = []\n    for b in a:\n        if b:\n"
            "            collected.append(b + 1)\n"
            "    return collected\n",
        ),
    ),
)
