"""What a subject asks for, read from its text without running it: names of the program, library modules."""

import ast
import re
import sys
from functools import lru_cache
from itertools import islice
from pathlib import Path

__all__ = ["library_modules", "library_modules_of_tree", "required_names"]

_NOT_PRELOADED = frozenset(
    "antigravity ensurepip idlelib lib2to3 pip pydoc site test this tkinter turtle turtledemo venv __main__".split()
)
"""Modules of the library that do something when they are imported, or that are no library."""
_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+([A-Za-z_][\w.]*)|import[ \t]+([A-Za-z_][\w. \t,]*))", re.MULTILINE
)
_NAMES_CAP = 200
_FILES = 3000


def library_modules(source: str) -> set[str]:
    """Return the modules of the standard library that a text imports, at most 200."""
    return _modules(source.encode("utf-8", "surrogatepass"))


def _modules(data: bytes) -> set[str]:
    listed = (name for found in _IMPORT.findall(data) for name in (found[0] or found[1]).decode().split(","))
    named = {words[0] for words in (name.split() for name in listed) if words}
    return set(sorted(name for name in named if _is_preloadable(name))[:_NAMES_CAP])


def _is_preloadable(name: str) -> bool:
    top = name.partition(".")[0]
    return top in sys.stdlib_module_names and top not in _NOT_PRELOADED and name.strip(".") == name


@lru_cache(maxsize=32)
def library_modules_of_tree(tree: Path) -> frozenset[str]:
    """Return the modules of the standard library that a tree's files import, at most 200."""
    found: set[str] = set()
    for path in islice(sorted(tree.rglob("*.py")), _FILES):
        if path.is_file():
            found |= _modules(path.read_bytes())
    return frozenset(sorted(found)[:_NAMES_CAP])


@lru_cache(maxsize=256)
def _reads(scenarios: str) -> dict[str, frozenset[str]]:
    """Return the names that each scenario function reads from its first parameter."""
    try:
        tree = ast.parse(scenarios)
    except (SyntaxError, ValueError):
        return {}
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {function.name: _reads_of(function) for function in functions}


def _reads_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    if not function.args.args:
        return frozenset()
    program = function.args.args[0].arg
    return frozenset(
        node.attr
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == program
    )


def required_names(scenarios: str, functions: frozenset[str]) -> list[str]:
    """Return, sorted, the names that the given scenario functions read from the program."""
    reads = _reads(scenarios)
    return sorted(set().union(*(reads.get(name, frozenset()) for name in functions)))
