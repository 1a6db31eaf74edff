"""Find the constants of a program that a variant may change: literals on common lines, each with a name of
its own.
"""

import ast
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from authoring.model.variants import VersionName
from authoring.variants.lines import VersionedLine, project, versions_of
from authoring.variants.literal import write_literal

__all__ = ["Slot", "find_slots", "slots_by_line"]

_STRUCTURAL = frozenset({-1, 0, 1, 2})
_LABEL = re.compile(r"[A-Za-z][a-z]*(?:[ -][a-z]+)*")


@dataclass(frozen=True, slots=True)
class Slot:
    """A literal that becomes ``constants.<name>`` in the template."""

    name: str
    line: int
    """Index into the merged program's lines."""
    start: int
    """First column of the literal, in characters."""
    end: int
    value: Any


@dataclass(frozen=True, slots=True)
class _Found:
    node: ast.Constant
    owner: str
    """The name that the literal is given, as far as one can be read."""
    named: bool
    """Whether a module-level name holds it."""


def find_slots(lines: Sequence[VersionedLine], version: VersionName = "reference") -> tuple[Slot, ...]:
    """Return the literals that may become constants, in the order of the text.

    A literal qualifies when it stands on a line that every version holds, its value occurs nowhere else in
    the merged program, it is written as our literal writer writes it, and it is no index, pattern, docstring,
    part of an f-string or small structural number (unless a module-level name holds it).
    """
    everyone = versions_of(lines)
    where = [index for index, line in enumerate(lines) if version in line.versions]
    occurrences = Counter(
        _key(node.value) for name in sorted(everyone) for node in _constants(project(lines, name))
    )
    names: Counter[str] = Counter()
    slots = []
    for found in _candidates(ast.parse(project(lines, version))):
        place = _place(found.node, where, lines) if _is_changeable(found) else None
        if place is None or lines[place[0]].versions != everyone:
            continue
        if occurrences[_key(found.node.value)] != len(everyone):
            continue
        names[found.owner] += 1
        name = found.owner if names[found.owner] == 1 else f"{found.owner}_{names[found.owner]}"
        slots.append(Slot(name, *place, found.node.value))
    return tuple(slots)


def slots_by_line(slots: Sequence[Slot]) -> Mapping[int, tuple[Slot, ...]]:
    """Return the slots by the line that they stand on."""
    return {
        line: tuple(slot for slot in slots if slot.line == line) for line in {slot.line for slot in slots}
    }


def _key(value: Any) -> tuple[str, Any]:
    return type(value).__name__, value


def _constants(source: str) -> Iterator[ast.Constant]:
    return (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))


def _is_changeable(found: _Found) -> bool:
    value = found.node.value
    if type(value) is int:
        return found.named or value not in _STRUCTURAL
    if type(value) is float:
        return math.isfinite(value) and (found.named or value not in (0.0, 0.5, 1.0, 2.0))
    return type(value) is str and len(value) > 1 and _LABEL.fullmatch(value) is not None


def _place(
    node: ast.Constant, where: Sequence[int], lines: Sequence[VersionedLine]
) -> tuple[int, int, int] | None:
    """Return the merged line and columns of a literal that is written our way on one line."""
    if node.end_lineno != node.lineno or node.end_col_offset is None:
        return None
    index = where[node.lineno - 1]
    encoded = lines[index].text.encode()
    start, end = (len(encoded[:offset].decode()) for offset in (node.col_offset, node.end_col_offset))
    return (index, start, end) if lines[index].text[start:end] == write_literal(node.value) else None


def _candidates(tree: ast.Module) -> list[_Found]:
    found: list[_Found] = []
    _visit_body(tree.body, "module", True, found)
    return sorted(found, key=lambda item: (item.node.lineno, item.node.col_offset))


def _visit_body(body: Sequence[ast.stmt], owner: str, top: bool, found: list[_Found]) -> None:
    for statement in body:
        _visit_statement(statement, owner, top, found)


def _visit_statement(statement: ast.stmt, owner: str, top: bool, found: list[_Found]) -> None:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        _visit_defaults(statement.args, found)
        _visit_body(statement.body, statement.name, False, found)
    elif isinstance(statement, ast.ClassDef):
        _visit_body(statement.body, statement.name, False, found)
    elif isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        name = target.id if isinstance(target, ast.Name) else owner
        _visit_value(statement.value, name, top and isinstance(statement.value, ast.Constant), found)
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return
    elif isinstance(statement, ast.Match):
        _visit_value(statement.subject, owner, False, found)
        for case in statement.cases:
            _visit_body(case.body, owner, False, found)
    else:
        for child in ast.iter_child_nodes(statement):
            _visit_child(child, owner, top, found)


def _visit_child(child: ast.AST, owner: str, top: bool, found: list[_Found]) -> None:
    if isinstance(child, ast.stmt):
        _visit_statement(child, owner, top, found)
    elif isinstance(child, ast.ExceptHandler):
        _visit_body(child.body, owner, False, found)
    elif isinstance(child, ast.withitem):
        _visit_value(child.context_expr, owner, False, found)
    elif isinstance(child, ast.expr):
        _visit_value(child, owner, False, found)


def _visit_defaults(arguments: ast.arguments, found: list[_Found]) -> None:
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = list(
        zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True)
    )
    defaults += [
        (a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d is not None
    ]
    for argument, default in defaults:
        _visit_value(default, argument.arg, False, found)


def _visit_value(value: ast.expr, owner: str, named: bool, found: list[_Found]) -> None:
    if isinstance(value, ast.Constant):
        found.append(_Found(value, _slot_name(owner), named))
    elif isinstance(value, ast.Subscript):
        _visit_value(value.value, owner, False, found)
    elif not isinstance(value, ast.JoinedStr | ast.Lambda):
        for child in ast.iter_child_nodes(value):
            if isinstance(child, ast.keyword):
                _visit_value(child.value, child.arg or owner, False, found)
            elif isinstance(child, ast.comprehension):
                for part in (child.iter, *child.ifs):
                    _visit_value(part, owner, False, found)
            elif isinstance(child, ast.expr):
                _visit_value(child, owner, False, found)


def _slot_name(owner: str) -> str:
    return owner.strip("_").lower() or "value"
