"""What a reduction may have planted: names of its own, and what pyflakes complains of."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

__all__ = ["complaints", "names_bound", "names_in", "share_kept"]

_NAME = re.compile(r"[^\W\d]\w*")


def names_bound(source: str) -> frozenset[str]:
    """Return the names that a program gives: of functions, classes, parameters, variables and attributes."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case (
                ast.arg(arg=name)
                | ast.Name(id=name, ctx=ast.Store())
                | ast.Attribute(attr=name, ctx=ast.Store())
            ):
                found.add(name)
            case ast.alias(asname=str() as name) | ast.ExceptHandler(name=str() as name):
                found.add(name)
            case ast.alias(name=name):
                found |= set(name.split("."))
    return frozenset(found - {"*"})


def names_in(folders: Iterable[Path]) -> frozenset[str]:
    """Return every name in the Python files of some folders."""
    found: set[str] = set()
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            found |= set(_NAME.findall(path.read_text(encoding="utf-8", errors="replace")))
    return frozenset(found)


def share_kept(source: str, known: frozenset[str]) -> tuple[float, tuple[str, ...]]:
    """Return which share of a program's names the known ones hold, and the others."""
    names = names_bound(source)
    new = tuple(sorted(names - known))
    return (1 - len(new) / len(names) if names else 1.0), new


def complaints(source: str) -> tuple[str, ...]:
    """Return what ruff's pyflakes rules say of a program, a line each."""
    command = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--isolated",
        "--select",
        "F",
        "--output-format",
        "concise",
        "-",
    ]
    done = subprocess.run(command, input=source, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    return tuple(line for line in done.stdout.splitlines() if line.startswith("-:"))
