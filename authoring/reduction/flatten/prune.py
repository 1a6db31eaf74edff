"""Choose the statements that go: those that never ran and name something that is not kept."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

import libcst as cst

from authoring.reduction.flatten.needs import has_living_body
from authoring.reduction.sources.tree import children

__all__ = ["Pruned", "prune"]


@dataclass(frozen=True, slots=True)
class Pruned:
    """What goes from a statement."""

    removed: frozenset[cst.CSTNode]
    """Statements, handlers and cases that go."""
    stubs: frozenset[cst.CSTNode]
    """Functions that never ran and whose bodies cannot stay."""


def prune(
    nodes: Collection[cst.CSTNode],
    alive: frozenset[cst.CSTNode],
    is_satisfied: Callable[[cst.CSTNode], bool],
) -> Pruned:
    """Return what goes from some statements; ``is_satisfied`` tells whether all that a node names is there."""
    work = _Work(alive, is_satisfied, set(), set())
    for node in nodes:
        work.visit(node)
    return Pruned(frozenset(work.removed), frozenset(work.stubs))


@dataclass(slots=True)
class _Work:
    alive: frozenset[cst.CSTNode]
    is_satisfied: Callable[[cst.CSTNode], bool]
    removed: set[cst.CSTNode]
    stubs: set[cst.CSTNode]

    def visit(self, node: cst.CSTNode) -> None:
        if isinstance(node, cst.FunctionDef) and not has_living_body(node, self.alive):
            if not self.is_satisfied(node.body):
                self.stubs.add(node)
            return
        for part in _parts(node):
            if isinstance(part, cst.ExceptHandler | cst.ExceptStarHandler | cst.MatchCase):
                self.clause(part)
            elif isinstance(part, cst.BaseSuite):
                self.block(part)

    def clause(self, node: cst.ExceptHandler | cst.ExceptStarHandler | cst.MatchCase) -> None:
        is_dead = node not in self.alive or not self.is_alive_block(node.body)
        if is_dead and not self.is_satisfied(node):
            self.removed.add(node)
        else:
            self.block(node.body)

    def block(self, block: cst.BaseSuite) -> None:
        if not isinstance(block, cst.IndentedBlock):
            return
        is_alive = self.is_alive_block(block)
        if not is_alive and not all(self.is_satisfied(item) for item in block.body):
            self.removed.update(block.body)
            return
        for item in block.body:
            if is_alive and item not in self.alive and not _is_silent(item) and not self.is_satisfied(item):
                self.removed.add(item)
            elif is_alive:
                self.visit(item)

    def is_alive_block(self, block: cst.BaseSuite) -> bool:
        items = block.body if isinstance(block, cst.IndentedBlock) else [block]
        return any(item in self.alive for item in items) or all(_is_silent(item) for item in items)


def _parts(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield the blocks and clauses that belong to a statement, nested chains of ``elif`` included."""
    for child in children(node):
        if isinstance(child, cst.BaseSuite | cst.ExceptHandler | cst.ExceptStarHandler | cst.MatchCase):
            yield child
        elif isinstance(child, cst.If | cst.Else | cst.Finally):
            yield from _parts(child)


def _is_silent(node: cst.CSTNode) -> bool:
    """Tell whether a statement gives no line event of its own."""
    if not isinstance(node, cst.SimpleStatementLine):
        return False
    quiet = (cst.Global, cst.Nonlocal, cst.Pass)
    return all(isinstance(item, quiet) or _is_text(item) for item in node.body)


def _is_text(node: cst.CSTNode) -> bool:
    texts = (cst.SimpleString, cst.ConcatenatedString, cst.Ellipsis)
    return isinstance(node, cst.Expr) and isinstance(node.value, texts)
