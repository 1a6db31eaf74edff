"""The members of a class statement: the grain of what is kept inside a class."""

from dataclasses import dataclass
from functools import cache

import libcst as cst

from authoring.reduction.sources.scan import parse
from authoring.reduction.sources.tree import descendants

__all__ = ["Member", "class_of", "members"]


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """One statement of a class body."""

    index: int
    node: cst.CSTNode
    names: tuple[str, ...]
    kind: str
    """``function``, ``data``, ``docstring`` or ``other`` (a call, a conditional block)."""


def class_of(text: str) -> cst.ClassDef | None:
    """Return the class that a top-level statement defines, or None."""
    body = parse(text).body
    return body[0] if body and isinstance(body[0], cst.ClassDef) else None


@cache
def members(text: str) -> tuple[Member, ...]:
    """Return the members of the class that a top-level statement defines; empty for any other statement."""
    node = class_of(text)
    if node is None:
        return ()
    return tuple(_member(index, item) for index, item in enumerate(node.body.body))


def _member(index: int, node: cst.CSTNode) -> Member:
    if isinstance(node, cst.FunctionDef):
        return Member(index, node, (node.name.value,), "function")
    if isinstance(node, cst.ClassDef):
        return Member(index, node, (node.name.value,), "data")
    if isinstance(node, cst.SimpleStatementLine):
        first = node.body[0]
        if isinstance(first, cst.Expr) and isinstance(first.value, cst.SimpleString | cst.ConcatenatedString):
            return Member(index, node, (), "docstring")
        if isinstance(first, cst.Pass) or (
            isinstance(first, cst.Expr) and isinstance(first.value, cst.Ellipsis)
        ):
            return Member(index, node, (), "docstring")
    names = tuple(sorted(_bound(node)))
    return Member(
        index, node, names, "data" if isinstance(node, cst.SimpleStatementLine) and names else "other"
    )


def _bound(node: cst.CSTNode) -> set[str]:
    """Return the names that a statement of a class body binds in the class."""
    names: set[str] = set()
    if isinstance(node, cst.FunctionDef | cst.ClassDef):
        return {node.name.value}
    if isinstance(node, cst.AssignTarget | cst.AnnAssign | cst.AugAssign):
        names.update(item.value for item in descendants(node.target) if isinstance(item, cst.Name))
    elif isinstance(node, cst.ImportAlias):
        bound = node.asname.name if node.asname is not None else node.name
        names.update(item.value for item in descendants(bound) if isinstance(item, cst.Name))
    else:
        for child in node.children:
            names |= _bound(child)
    return names
