"""Where the import packages of a tree lie, found by looking and never by running a build."""

import re
from collections.abc import Mapping

__all__ = ["import_roots", "importable", "top_levels", "wheel_files"]

_SOURCE_FOLDERS = ("", "src/", "lib/", "python/", "source/")
_ASIDE = {
    "test",
    "tests",
    "testing",
    "doc",
    "docs",
    "documentation",
    "example",
    "examples",
    "demo",
    "demos",
} | {
    *(
        "benchmark",
        "benchmarks",
        "bench",
        "script",
        "scripts",
        "tool",
        "tools",
        "ci",
        "build",
        "dist",
        "setup",
    ),
    *("conftest", "noxfile", "tasks", "dodo", "fabfile", "versioneer", "ez_setup", "conf", "manage"),
}
"""Names that lie beside a package in a source tree."""

_MODULE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_COMPILED = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:\.[A-Za-z0-9_-]+)*\.(?:so|pyd)", re.ASCII)


def top_levels(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Return the names that can be imported from a folder with these files, sorted."""
    names = set()
    for path in files:
        first, _, rest = path.partition("/")
        if rest:
            if _MODULE.fullmatch(first) and rest.endswith((".py", ".so", ".pyd")):
                names.add(first)
        elif first.endswith(".py") and _MODULE.fullmatch(first[:-3]):
            names.add(first[:-3])
        elif match := _COMPILED.fullmatch(first):
            names.add(match[1])
    return tuple(sorted(names))


def wheel_files(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return a wheel's files as an installer would lay them on ``sys.path``: its library parts, not its
    scripts."""
    laid = {}
    for path, data in files.items():
        first, _, rest = path.partition("/")
        if not first.endswith(".data"):
            laid[path] = data
        elif rest.startswith(("purelib/", "platlib/")):
            laid[rest.partition("/")[2]] = data
    return dict(sorted(laid.items()))


def import_roots(files: Mapping[str, bytes], named: tuple[str, ...] = ()) -> list[str]:
    """Return the folders (``""`` or ending in ``/``) that an installer would put on ``sys.path``, best first.

    ``named`` are the import names to look for, where they are known. Without names, the first usual folder
    that holds a package or a module that is no test, document or tool.
    """
    found = []
    for folder in _candidates(files):
        names = top_levels(_below(files, folder))
        if named:
            if set(named) & set(names):
                found.append(folder)
        elif any(is_own(files, folder, name) for name in names):
            return [folder]
    return found


def _candidates(files: Mapping[str, bytes]) -> list[str]:
    folders = {path.partition("/")[0] + "/" for path in files if "/" in path}
    usual = [folder for folder in _SOURCE_FOLDERS if folder == "" or folder in folders]
    usual.sort(key=lambda folder: folder == "")
    return usual + sorted(folders - set(usual))


def _below(files: Mapping[str, bytes], folder: str) -> dict[str, bytes]:
    return {path[len(folder) :]: data for path, data in files.items() if path.startswith(folder)}


def is_own(files: Mapping[str, bytes], folder: str, name: str) -> bool:
    """Tell whether an import name is the distribution's own: neither aside, nor a source folder without
    ``__init__``."""
    if name in _ASIDE or name.startswith("test_"):
        return False
    return f"{folder}{name}.py" in files or f"{folder}{name}/__init__.py" in files


def importable(files: Mapping[str, bytes], named: tuple[str, ...] = ()) -> dict[str, bytes]:
    """Return the import packages and modules of a source tree, as they would lie on ``sys.path``; empty for
    none."""
    laid: dict[str, bytes] = {}
    for folder in import_roots(files, named):
        below = _below(files, folder)
        wanted = set(named) or {name for name in top_levels(below) if is_own(files, folder, name)}
        for path, data in below.items():
            first = path.partition("/")[0]
            stem = first.partition(".")[0] if "/" not in path else first
            if stem in wanted and (stem == first or first.endswith((".py", ".pyi", ".so", ".pyd"))):
                laid.setdefault(path, data)
    return dict(sorted(laid.items()))
