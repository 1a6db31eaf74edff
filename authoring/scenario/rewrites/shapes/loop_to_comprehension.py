"""Build a list by a comprehension that was filled in a loop of one line."""

from collections.abc import Iterator, Sequence

import libcst as cst

from authoring.scenario.rewrites.rewrite import Rewrite, body_of, names_in, statement_of

__all__ = ["LOOP_TO_COMPREHENSION"]


def _propose(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    body = body_of(node)
    if body is None or isinstance(node, cst.Module):
        return
    for at in range(len(body) - 1):
        made = _comprehension(body[at], body[at + 1], body[at + 2 :])
        if made is not None:
            yield node.with_changes(body=[*body[:at], made, *body[at + 2 :]])


def _comprehension(
    line: cst.BaseStatement, loop: cst.BaseStatement, rest: Sequence[cst.BaseStatement]
) -> cst.BaseStatement | None:
    """Return the assignment that does what an empty list and the loop after it do, or None."""
    start = statement_of(line)
    if not isinstance(start, cst.Assign) or not isinstance(loop, cst.For) or loop.orelse is not None:
        return None
    target = start.targets[0].target
    is_empty = isinstance(start.value, cst.List) and not start.value.elements
    inner = body_of(loop.body)
    if not isinstance(target, cst.Name) or not is_empty or not inner or len(inner) != 1 or loop.asynchronous:
        return None
    item = _appended(statement_of(inner[0]), target.value)
    loop_names = names_in(loop.target)
    if item is None or target.value in names_in(item) | names_in(loop.iter):
        return None
    if any(loop_names & names_in(later) for later in rest):
        return None
    listed = cst.ListComp(item, cst.CompFor(loop.target, loop.iter))
    return line.with_changes(body=[start.with_changes(value=listed)])


def _appended(statement: cst.BaseSmallStatement | None, name: str) -> cst.BaseExpression | None:
    if not isinstance(statement, cst.Expr) or not isinstance(statement.value, cst.Call):
        return None
    call = statement.value
    function = call.func
    if not isinstance(function, cst.Attribute) or function.attr.value != "append" or len(call.args) != 1:
        return None
    is_ours = isinstance(function.value, cst.Name) and function.value.value == name
    return call.args[0].value if is_ours and not _holds_yield(call) else None


def _holds_yield(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Yield | cst.Await | cst.NamedExpr) or any(map(_holds_yield, node.children))


LOOP_TO_COMPREHENSION = Rewrite(
    "loop-to-comprehension",
    _propose,
    (
        (
            "def f(a):\n    b = []\n    for c in a:\n        b.append(c + 1)\n    return b\n",
            "def f(a):\n    b = [c + 1 for c in a]\n    return b\n",
        ),
    ),
)
