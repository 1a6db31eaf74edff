"""Replace the conditional statements of a module's top level by the branch that its import took."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from authoring.reduction.sources.chunks import Chunk
from authoring.reduction.sources.scan import ImportName, Scan, scan
from authoring.reduction.sources.tree import descendants

__all__ = ["Branches", "Piece", "specialise"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A statement of the top level after specialisation."""

    line: int
    text: str
    forced: bool
    """Whether it stands in a branch that was chosen without having run."""


@dataclass(frozen=True, slots=True)
class Branches:
    """What decides between branches."""

    ran: frozenset[int] | None
    """The file's lines that ran; None where nothing was recorded of it."""
    is_missing: Callable[[ImportName], bool]
    """Whether an import is of a module that the flat program cannot have: compiled, or not there."""


def specialise(chunk: Chunk, branches: Branches) -> list[Piece]:
    """Return the statements that stand for a top-level statement; ``if`` and ``try`` are resolved, others are kept."""
    if not chunk.text.startswith(("if", "try")):
        return [Piece(chunk.line, chunk.text, False)]
    found = scan(chunk.text)
    return [
        piece for node in found.module.body for piece in _resolve(node, _Place(found, chunk.line), branches)
    ]


@dataclass(frozen=True, slots=True)
class _Place:
    found: Scan
    line: int

    def span(self, node: cst.CSTNode) -> tuple[int, int]:
        first, last = self.found.spans.get(node, (0, -1))
        return self.line + first - 1, self.line + last - 1

    def imports(self, nodes: Sequence[cst.CSTNode], ran: frozenset[int] | None) -> Iterator[ImportName]:
        """Yield what the nodes import when they run."""
        inside = {item for node in nodes for item in descendants(node)}
        for item in self.found.imports:
            first, last = self.span(item.statement)
            has_run = ran is None or not ran.isdisjoint(range(first, last + 1))
            if item.statement in inside and not item.deferred and has_run:
                yield item


def _resolve(node: cst.CSTNode, place: _Place, branches: Branches) -> list[Piece]:
    if isinstance(node, cst.If):
        chosen = _if_branch(node, place, branches)
    elif isinstance(node, cst.Try):
        chosen = _try_branch(node, place, branches)
    else:
        chosen = None
    if chosen is None:
        return [_piece(node, place, branches)]
    return [piece for item, inner in chosen for piece in _resolve(item, place, inner)]


Chosen = list[tuple[cst.CSTNode, Branches]]


def _piece(node: cst.CSTNode, place: _Place, branches: Branches) -> Piece:
    if isinstance(node, cst.SimpleStatementSuite):
        line = cst.SimpleStatementLine(body=node.body)
        return Piece(place.span(node)[0], cst.Module([]).code_for_node(line), branches.ran is None)
    bare = node.with_changes(leading_lines=[]) if hasattr(node, "leading_lines") else node
    text = place.found.module.code_for_node(bare)
    return Piece(place.span(node)[0], text if text.endswith("\n") else text + "\n", branches.ran is None)


def _items(block: cst.BaseSuite) -> list[cst.CSTNode]:
    return list(block.body) if isinstance(block, cst.IndentedBlock) else [block]


def _with(block: cst.BaseSuite | None, branches: Branches) -> Chosen:
    return [] if block is None else [(item, branches) for item in _items(block)]


def _body(clause: cst.Else | cst.Finally | None) -> cst.BaseSuite | None:
    return None if clause is None else clause.body


def _has_run(block: cst.BaseSuite, place: _Place, ran: frozenset[int]) -> bool:
    return any(_statement_ran(item, place, ran) for item in _items(block))


def _statement_ran(node: cst.CSTNode, place: _Place, ran: frozenset[int]) -> bool:
    first, last = place.span(node)
    return any(line in ran for line in range(first, last + 1))


def _if_branch(node: cst.If, place: _Place, branches: Branches) -> Chosen | None:
    bodies: list[cst.BaseSuite] = []
    tests: list[cst.BaseExpression] = []
    rest: cst.If | cst.Else | None = node
    while isinstance(rest, cst.If):
        bodies.append(rest.body)
        tests.append(rest.test)
        rest = rest.orelse
    if rest is not None:
        bodies.append(rest.body)
    if branches.ran is None:
        return _static_branch(tests, bodies, branches)
    taken = [body for body in bodies if _has_run(body, place, branches.ran)]
    if len(taken) > 1:
        return None
    return _with(taken[0], branches) if taken else []


def _static_branch(
    tests: list[cst.BaseExpression], bodies: list[cst.BaseSuite], branches: Branches
) -> Chosen | None:
    for test, body in zip(tests, bodies, strict=False):
        known = _KNOWN.get(_TYPING.sub("", cst.Module([]).code_for_node(test)))
        if known is None:
            return None
        if known:
            return _with(body, branches)
    return _with(bodies[-1], branches) if len(bodies) > len(tests) else []


_TYPING = re.compile(r"\b\w+\.(?=TYPE_CHECKING)")
_KNOWN = {
    "TYPE_CHECKING": False,
    "not TYPE_CHECKING": True,
    "sys.version_info[0] == 2": False,
    "sys.version_info[0] < 3": False,
    "sys.version_info[0] == 3": True,
    "sys.version_info[0] >= 3": True,
    "sys.version_info < (3,)": False,
    "sys.version_info < (3, 0)": False,
    "sys.version_info >= (3,)": True,
    "sys.version_info >= (3, 0)": True,
}
"""Conditions that have one value on every supported Python; others stay where nothing was recorded."""


def _try_branch(node: cst.Try, place: _Place, branches: Branches) -> Chosen | None:
    body = _items(node.body)
    handlers = [handler for handler in node.handlers if _catches_import_error(handler)]
    if handlers and any(branches.is_missing(item) for item in place.imports(body, branches.ran)):
        static = Branches(None, branches.is_missing)
        return [*_with(handlers[0].body, static), *_with(_body(node.finalbody), branches)]
    final = _with(_body(node.finalbody), branches)
    whole = [*_with(node.body, branches), *_with(_body(node.orelse), branches), *final]
    if branches.ran is None:
        return whole if handlers else None
    ran = branches.ran
    entered = [handler for handler in node.handlers if _has_run(handler.body, place, ran)]
    if not entered:
        return whole
    if len(entered) > 1 or _needs_its_name(entered[0], place):
        return None
    done = [item for item in body if _statement_ran(item, place, ran)][:-1]
    return [*((item, branches) for item in done), *_with(entered[0].body, branches), *final]


def _needs_its_name(handler: cst.ExceptHandler, place: _Place) -> bool:
    if handler.name is None or not isinstance(handler.name.name, cst.Name):
        return False
    name = handler.name.name.value
    return any(use.name == name and use.role == "load" for use in place.found.uses)


def _catches_import_error(handler: cst.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    text = cst.Module([]).code_for_node(handler.type)
    return any(name in text for name in ("ImportError", "ModuleNotFoundError", "Exception"))
