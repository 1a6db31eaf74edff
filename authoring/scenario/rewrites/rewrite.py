"""What a behaviour-preserving rewrite is, and questions about nodes that keep it behaviour-preserving."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import libcst as cst

from authoring.scenario.mutants.operator import Proposal

__all__ = ["Rewrite", "assigned_names", "body_of", "line_of", "names_in", "parsed_lines", "statement_of"]


@dataclass(frozen=True, slots=True)
class Rewrite:
    """One way to say the same otherwise."""

    name: str
    propose: Callable[[cst.CSTNode], Iterable[Proposal]]
    """Yield what may stand in place of a node without changing what the program does."""
    examples: tuple[tuple[str, str], ...]
    """Texts before and after."""


def names_in(node: cst.CSTNode) -> set[str]:
    """Return every identifier in a node, attributes and keywords included."""
    found = {node.value} if isinstance(node, cst.Name) else set()
    return found.union(*(names_in(child) for child in node.children))


def assigned_names(node: cst.CSTNode) -> set[str]:
    """Return the names that a node binds by assignment, loop, import, handler, ``with`` or definition."""
    match node:
        case cst.AssignTarget() | cst.For() | cst.CompFor():
            found = _target_names(node.target)
        case cst.AugAssign() | cst.AnnAssign() | cst.NamedExpr():
            found = _target_names(node.target)
        case cst.AsName():
            found = _target_names(node.name)
        case cst.FunctionDef() | cst.ClassDef():
            return {node.name.value}
        case cst.ImportAlias():
            found = {node.evaluated_alias or node.evaluated_name.split(".")[0]}
        case _:
            found = set()
    return found.union(*(assigned_names(child) for child in node.children))


def _target_names(target: cst.CSTNode) -> set[str]:
    if isinstance(target, cst.Name):
        return {target.value}
    if isinstance(target, cst.Tuple | cst.List):
        return set[str]().union(*(_target_names(element.value) for element in target.elements))
    return _target_names(target.value) if isinstance(target, cst.StarredElement) else set()


def body_of(node: cst.CSTNode) -> Sequence[cst.BaseStatement] | None:
    """Return the statements of a block or module; None for any other node."""
    if isinstance(node, cst.IndentedBlock | cst.Module):
        return [
            line
            for line in node.body
            if isinstance(line, cst.BaseCompoundStatement | cst.SimpleStatementLine)
        ]
    return None


def line_of(statement: cst.BaseSmallStatement) -> cst.SimpleStatementLine:
    """Return a line that holds one small statement."""
    return cst.SimpleStatementLine([statement])


def statement_of(line: cst.CSTNode) -> cst.BaseSmallStatement | None:
    """Return the only small statement of a line; None for any other node."""
    if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1:
        return line.body[0]
    return None


def parsed_lines(text: str) -> list[cst.BaseStatement]:
    """Return the statements of a text."""
    return [
        line
        for line in cst.parse_module(text).body
        if isinstance(line, cst.BaseCompoundStatement | cst.SimpleStatementLine)
    ]
