"""How much of the original ran: the size that a reduced program is measured against (DESIGN.md section 6)."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from authoring.reduction.sources.evidence import Executed

__all__ = ["ExecutedSize", "executed_size"]

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True, slots=True)
class ExecutedSize:
    """AST nodes, docstrings dropped, of what ran."""

    in_functions: int
    """Of every function that was entered; a function nested in another one counts once."""
    all: int
    """These, and the module- and class-level statements that ran."""


def executed_size(tree: Path, ran: Executed) -> ExecutedSize:
    """Count the nodes of a version's tree that ran; files that our grammar cannot read count nothing."""
    inside = outside = 0
    for file in sorted({*ran.at_import, *ran.in_calls}):
        path = tree / file
        lines = ran.at_import.get(file, frozenset()) | ran.in_calls.get(file, frozenset())
        try:
            module = ast.parse(path.read_bytes())
        except (OSError, SyntaxError, ValueError):
            continue
        entered, level = _count(_without_docstrings(module), lines)
        inside += entered
        outside += level
    return ExecutedSize(inside, inside + outside)


def _count(module: ast.Module, lines: frozenset[int]) -> tuple[int, int]:
    inside = sum(_size(function) for function in _entered(module, lines))
    outside = sum(_size_without_functions(node) for node in _level_statements(module) if _ran(node, lines))
    return inside, outside


def _entered(node: ast.AST, lines: frozenset[int]) -> Iterator[_Function]:
    """Yield the outermost functions of which a line of the body ran."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _Function) and _was_entered(child, lines):
            yield child
        else:
            yield from _entered(child, lines)


def _was_entered(function: _Function, lines: frozenset[int]) -> bool:
    if isinstance(function, ast.Lambda):
        return function.body.lineno > function.lineno and _ran(function.body, lines)
    return any(_ran(statement, lines) for statement in function.body)


def _level_statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements at module and class level, blocks opened."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
            if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from _level_statements(child)


def _size_without_functions(statement: ast.stmt) -> int:
    """Count a statement's own nodes: of a definition its head, of a block its head, else all of it."""
    skipped = {
        id(part)
        for name in ("body", "orelse", "finalbody", "handlers")
        for part in _parts(getattr(statement, name, []))
    }
    return 1 + sum(_size(child) for child in ast.iter_child_nodes(statement) if id(child) not in skipped)


def _parts(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _ran(node: ast.stmt | ast.expr, lines: frozenset[int]) -> bool:
    return any(line in lines for line in range(node.lineno, (node.end_lineno or node.lineno) + 1))


def _size(node: ast.AST) -> int:
    return sum(1 for _ in ast.walk(node))


def _without_docstrings(module: ast.Module) -> ast.Module:
    for node in ast.walk(module):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                node.body[:1] = (
                    []
                    if len(node.body) > 1
                    else [ast.Pass(lineno=first.lineno, end_lineno=first.lineno, col_offset=0)]
                )
    return module
