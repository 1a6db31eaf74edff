"""Give what is returned a name first."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.rewrites.rewrite import Rewrite, body_of, line_of, names_in, statement_of

__all__ = ["NAME_RESULT"]

_NAMES = ("result", "answer", "outcome", "value_now")


def _propose(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if not isinstance(node, cst.FunctionDef) or node.asynchronous is not None:
        return
    name = next((name for name in _NAMES if name not in names_in(node)), None)
    body = body_of(node.body)
    if name is None or not body:
        return
    last = statement_of(body[-1])
    if isinstance(last, cst.Return) and last.value is not None and not isinstance(last.value, cst.Name):
        named = line_of(cst.Assign([cst.AssignTarget(cst.Name(name))], last.value))
        back = line_of(cst.Return(cst.Name(name)))
        yield node.with_deep_changes(node.body, body=[*body[:-1], named, back])


NAME_RESULT = Rewrite(
    "name-result",
    _propose,
    (("def f(a):\n    return a + 1\n", "def f(a):\n    result = a + 1\n    return result\n"),),
)
