"""Put what stands in an ``else`` after a branch that leaves behind the statement."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.rewrites.rewrite import Rewrite, body_of, statement_of

__all__ = ["DROP_ELSE"]


def _propose(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    body = body_of(node)
    for at, line in enumerate(body or ()):
        if not isinstance(line, cst.If) or not isinstance(line.orelse, cst.Else):
            continue
        inside, other = body_of(line.body), body_of(line.orelse.body)
        if (
            inside
            and other
            and isinstance(statement_of(inside[-1]), cst.Return | cst.Raise | cst.Continue | cst.Break)
        ):
            assert body is not None
            yield node.with_changes(
                body=[*body[:at], line.with_changes(orelse=None), *other, *body[at + 1 :]]
            )


DROP_ELSE = Rewrite(
    "drop-else",
    _propose,
    (
        (
            "def f(a):\n    if a:\n        return 1\n    else:\n        return 2\n",
            "def f(a):\n    if a:\n        return 1\n    return 2\n",
        ),
    ),
)
