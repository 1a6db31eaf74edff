"""The functions of a version's files, as far as a scenario could call them."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

__all__ = [
    "Definition",
    "Function",
    "definitions_of",
    "is_same_text",
    "module_of",
    "parsed",
    "plain_dump",
]

_TREES = 1024
"""Syntax trees that are kept: every file is looked at more than once, and versions share most of them."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
Kind = Literal["function", "method", "static", "class", "property"]


@dataclass(frozen=True, slots=True)
class Definition:
    """A function of a module, or of a class of a module."""

    file: str
    """Relative to the tree."""
    qualname: str
    line: int
    """Its first line, decorators included: as a code object tells it."""
    kind: Kind
    node: Function

    @property
    def name(self) -> str:
        """The last part of the qualified name."""
        return self.qualname.rpartition(".")[2]

    @property
    def owner(self) -> str:
        """The class that holds it, or nothing."""
        return self.qualname.rpartition(".")[0]

    @property
    def is_generator(self) -> bool:
        """Whether a call gives an iterator over what it yields."""
        return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in _own_nodes(self.node))


def is_same_text(trees: Sequence[Path], file: str) -> bool:
    """Tell whether all trees hold the same bytes under that name."""
    return len({_text(tree, file) for tree in trees}) == 1


def parsed(tree: Path, file: str) -> ast.Module:
    """Return a file's syntax tree, which is shared; an empty one where our grammar cannot read it."""
    return _parsed(_text(tree, file))


def _text(tree: Path, file: str) -> bytes:
    try:
        return (tree / file).read_bytes()
    except OSError:
        return b""


@lru_cache(maxsize=_TREES)
def _parsed(text: bytes) -> ast.Module:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return ast.Module([], [])


def definitions_of(module: ast.Module, file: str) -> dict[str, Definition]:
    """Return the functions of a module and of its classes, by qualified name; the last one of a name counts."""
    found = {}
    for owner, node in _functions(module, ""):
        first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
        kind = _kind(owner, node)
        if kind is not None:
            qualname = f"{owner}.{node.name}" if owner else node.name
            found[qualname] = Definition(file, qualname, first, kind, node)
    return found


def module_of(file: str) -> str:
    """Return the dotted name of a file's module."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def plain_dump(node: ast.AST) -> str:
    """Return what two versions of a definition are compared by: its structure without docstrings."""
    copy = ast.parse(ast.unparse(node))
    for one in ast.walk(copy):
        if (
            isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            and ast.get_docstring(one) is not None
        ):
            one.body = one.body[1:]
    return ast.dump(copy)


def _functions(node: ast.AST, owner: str) -> Iterator[tuple[str, Function]]:
    """Yield functions with the class that holds them; blocks such as ``if`` and ``try`` are looked into."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function):
            yield owner, child
        elif isinstance(child, ast.ClassDef):
            if not owner:
                yield from _functions(child, child.name)
        elif isinstance(child, ast.If | ast.Try | ast.With | ast.ExceptHandler):
            yield from _functions(child, owner)


def _kind(owner: str, node: Function) -> Kind | None:
    """Return how a scenario would call it; None where it cannot know."""
    names = [ast.unparse(one).rpartition(".")[2] for one in node.decorator_list]
    if not owner:
        return "function"
    if "staticmethod" in names or node.name == "__new__":
        return "static" if "staticmethod" in names else None
    if "classmethod" in names:
        return "class"
    if "property" in names or "cached_property" in names:
        return "property"
    return None if any(name in ("setter", "deleter") for name in names) else "method"


def _own_nodes(function: Function) -> Iterator[ast.AST]:
    """Yield the nodes of a function's body, those of functions nested in it left out."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, Function | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))
