"""Give a function's local variable another name."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.rewrites.rewrite import Rewrite, assigned_names, names_in

__all__ = ["RENAME_LOCAL"]

_DYNAMIC = {"locals", "vars", "eval", "exec", "globals", "dir"}


def _propose(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if not isinstance(node, cst.FunctionDef) or _DYNAMIC & names_in(node) or _holds_scope(node.body):
        return
    parameters = names_in(node.params)
    for name in sorted(assigned_names(node.body) - parameters):
        other = f"{name}_here"
        if other not in names_in(node):
            yield node.with_changes(body=node.body.visit(_Renaming(name, other)))


def _holds_scope(node: cst.CSTNode) -> bool:
    """Tell whether a node holds a scope of its own, or names that belong to another one."""
    kinds = (
        cst.FunctionDef | cst.ClassDef | cst.Lambda | cst.BaseComp | cst.Global | cst.Nonlocal | cst.Import
    )
    return isinstance(node, kinds | cst.ImportFrom | cst.Match) or any(map(_holds_scope, node.children))


class _Renaming(cst.CSTTransformer):
    """Renames variables, neither attributes nor keywords."""

    def __init__(self, name: str, other: str) -> None:
        super().__init__()
        self._name, self._other = name, other

    def on_leave(self, original_node: cst.CSTNodeT, updated_node: cst.CSTNodeT) -> cst.CSTNodeT:
        """Rename a variable, and put back what only looked like one."""
        if isinstance(updated_node, cst.Name) and updated_node.value == self._name:
            return updated_node.with_changes(value=self._other)
        if isinstance(updated_node, cst.Attribute) and isinstance(original_node, cst.Attribute):
            return updated_node.with_changes(attr=original_node.attr)
        if isinstance(updated_node, cst.Arg) and isinstance(original_node, cst.Arg):
            return updated_node.with_changes(keyword=original_node.keyword)
        return updated_node


RENAME_LOCAL = Rewrite(
    "rename-local",
    _propose,
    (
        (
            "def f(a):\n    b = a.b\n    return g(b, b=1)\n",
            "def f(a):\n    b_here = a.b\n    return g(b_here, b=1)\n",
        ),
    ),
)
