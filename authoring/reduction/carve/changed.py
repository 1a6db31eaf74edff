"""Which functions differ between versions, or read something at module or class level that differs."""

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path

from authoring.reduction.carve.definitions import definitions_of, is_same_text, parsed, plain_dump

__all__ = ["changed_functions"]

Key = tuple[str, str]


def changed_functions(trees: Sequence[Path], files: Sequence[str]) -> set[Key]:
    """Return files and qualified names of the functions that are not the same in all versions."""
    found: set[Key] = set()
    names: set[str] = set()
    for file in files:
        if is_same_text(trees, file):
            continue
        modules = [parsed(tree, file) for tree in trees]
        functions = [
            {name: plain_dump(one.node) for name, one in definitions_of(module, file).items()}
            for module in modules
        ]
        every = {name for version in functions for name in version}
        found |= {(file, name) for name in every if len({version.get(name) for version in functions}) > 1}
        names |= _differing([_assigned(module) for module in modules])
    if not names:
        return found
    for tree in trees:
        for file in files:
            for name, one in definitions_of(parsed(tree, file), file).items():
                if _reads(one.node) & names:
                    found.add((file, name))
    return found


def _assigned(module: ast.Module) -> dict[str, str]:
    """Return what is assigned at module and class level, by name."""
    found = {}
    classes = [node for node in module.body if isinstance(node, ast.ClassDef)]
    for statement in [*module.body, *(inner for node in classes for inner in node.body)]:
        targets: list[ast.expr] = []
        if isinstance(statement, ast.Assign):
            targets = statement.targets
        elif isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        for target in targets:
            if isinstance(target, ast.Name):
                found[target.id] = ast.dump(statement)
    return found


def _differing(versions: Sequence[Mapping[str, str]]) -> set[str]:
    every = {name for version in versions for name in version}
    return {name for name in every if len({version.get(name) for version in versions}) > 1}


def _reads(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)} | {
        one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)
    }
