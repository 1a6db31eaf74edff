"""What a fix is, as over-corrections are made of it: the code that it adds or changes, and what stood there before."""

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from authoring.scenario.mutants.mutants_of import telling_nodes
from authoring.scenario.mutants.operator import code_of

__all__ = ["Change", "Fix", "fix_of"]

_TRIVIA = (
    cst.BaseParenthesizableWhitespace,
    cst.TrailingWhitespace,
    cst.EmptyLine,
    cst.Comment,
    cst.Newline,
)


@dataclass(frozen=True, slots=True)
class Change:
    """The smallest code that differs between the broken program and the reference, at one place."""

    before: cst.CSTNode
    after: cst.CSTNode
    """A node of the reference."""


@dataclass(frozen=True, slots=True)
class Fix:
    """A fix, in the tree of the reference."""

    nodes: tuple[cst.CSTNode, ...]
    """What begins on a line that the fix adds or changes, in the order of the text; where it only takes away, on the
    lines next to that.
    """
    changes: tuple[Change, ...]
    functions: tuple[cst.FunctionDef, ...]
    """The smallest functions that hold some of the nodes."""
    module: cst.Module


def fix_of(broken: str, wrapper: MetadataWrapper) -> Fix:
    """Return the fix that made the wrapped reference of the broken source.

    Raises ``libcst.ParserSyntaxError`` where the broken source does not parse.
    """
    module = wrapper.module
    positions = wrapper.resolve(PositionProvider)
    lines = _lines(broken, module.code)

    def first_line(node: cst.CSTNode) -> int:
        span = positions.get(node)
        return span.start.line if isinstance(span, CodeRange) else 0

    everything = list(telling_nodes(module))
    nodes = tuple(node for node in everything if node is not module and first_line(node) in lines)
    own = set(map(id, nodes))
    holding = [node for node in everything if isinstance(node, cst.FunctionDef) and own & set(_below(node))]
    inner = [one for one in holding if not any(id(other) in _below(one) for other in holding)]
    changes = tuple(_changes(cst.parse_module(broken), module))
    return Fix(nodes, changes, tuple(inner), module)


def _lines(broken: str, reference: str) -> frozenset[int]:
    """Return the lines of the reference that are new or changed, and those beside lines that were taken away."""
    one, other = broken.splitlines(), reference.splitlines()
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    found: set[int] = set()
    for tag, _, _, low, high in matcher.get_opcodes():
        if tag == "delete":
            found |= {low, low + 1}
        elif tag != "equal":
            found |= set(range(low + 1, high + 1))
    return frozenset(found)


def _below(node: cst.CSTNode) -> frozenset[int]:
    """Return the identities of all nodes below a node."""
    return frozenset(id(child) for child in telling_nodes(node) if child is not node)


def _changes(before: cst.CSTNode, after: cst.CSTNode) -> Iterator[Change]:
    """Yield the smallest pairs of nodes that differ, those of one text in order."""
    if code_of(before) == code_of(after):
        return
    mine, theirs = _parts(before), _parts(after)
    if isinstance(after, cst.Module | cst.IndentedBlock):
        yield from _aligned(mine, theirs)
    elif type(before) is type(after) and mine and len(mine) == len(theirs) and not _is_renamed(before, after):
        for left, right in zip(mine, theirs, strict=True):
            yield from _changes(left, right)
    elif not isinstance(after, cst.BaseStatement):
        yield Change(before, after)


def _aligned(mine: Sequence[cst.CSTNode], theirs: Sequence[cst.CSTNode]) -> Iterator[Change]:
    """Yield the changes of statements that stand at the same place of two blocks."""
    one, other = list(map(code_of, mine)), list(map(code_of, theirs))
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    for tag, low, high, other_low, other_high in matcher.get_opcodes():
        if tag == "replace":
            for left, right in zip(mine[low:high], theirs[other_low:other_high], strict=False):
                yield from _changes(left, right)


def _parts(node: cst.CSTNode) -> list[cst.CSTNode]:
    """Return a node's children without white space and comments."""
    return [child for child in node.children if not isinstance(child, _TRIVIA)]


def _is_renamed(before: cst.CSTNode, after: cst.CSTNode) -> bool:
    """Tell whether two nodes differ in what they are themselves, not in their parts."""
    pairs = zip(_parts(before), _parts(after), strict=True)
    return all(code_of(left) == code_of(right) for left, right in pairs)
