"""What is open around a check: written as one line until the check is sliced, then a with block around the rest."""

from collections.abc import Sequence

import libcst as cst

from authoring.scenario.lifting.syntax import Statement, callee, code, single, statement, uses

__all__ = ["EXAMPLES", "OPENED", "OPENED_ASYNC", "opened_with", "within_opened"]

OPENED = "__opened__"
"""``name = __opened__(EXPRESSION)`` stands for ``with EXPRESSION as name:`` around the lines after it."""
OPENED_ASYNC = "__opened_async__"

EXAMPLES = [
    (
        "a = __opened__(f())\nb = 1\nc = __opened__(g(a))\nh(b)\n",
        "with f() as a:\n    b = 1\n    with g(a):\n        h(b)\n",
    ),
    ("a = __opened_async__(f())\nh(a)\n", "async with f() as a:\n    h(a)\n"),
    ("a = f()\n", "a = f()\n"),
]


def opened_with(line: cst.CSTNode) -> cst.Call | None:
    """Return the call that marks what a line opens, or None where it opens nothing."""
    small = single(line)
    value = small.value if isinstance(small, cst.Assign) else None
    return value if isinstance(value, cst.Call) and callee(value) in (OPENED, OPENED_ASYNC) else None


def within_opened(lines: Sequence[Statement]) -> list[Statement]:
    """Return lines with each mark made a with block around all that comes after it."""
    for position, line in enumerate(lines):
        mark = opened_with(line)
        small = single(line)
        if mark is None or not isinstance(small, cst.Assign):
            continue
        rest = within_opened(lines[position + 1 :]) or [statement("pass")]
        name = code(small.targets[0].target)
        bound = f" as {name}" if name in uses(rest).reads else ""
        whole = statement(f"with {code(mark.args[0].value)}{bound}:\n    pass\n")
        if callee(mark) == OPENED_ASYNC:
            whole = whole.with_changes(asynchronous=cst.Asynchronous())
        return [*lines[:position], whole.with_changes(body=cst.IndentedBlock(body=rest))]
    return list(lines)
