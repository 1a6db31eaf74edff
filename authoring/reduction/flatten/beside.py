"""Tell whether a version's modules find data files by where they lie."""

import ast
import re
from pathlib import Path

from authoring.reduction.sources.index import Index
from authoring.reduction.sources.roots import SourceFile, module_of, read_source

__all__ = ["finds_data", "is_data"]

_FILE = re.compile(r"\b__file__\b")
_CODE = frozenset((".py", ".pyc", ".so", ".pyd", ".pyi"))


def finds_data(index: Index) -> bool:
    """Return whether a module that ran names ``__file__``, and data files lie beside it that modules speak of."""
    texts: dict[str, str] = {}
    folders: set[Path] = set()
    for file in index.executed.files():
        source = index.roots.find(module_of(file))
        if not isinstance(source, SourceFile):
            continue
        try:
            texts[source.name] = read_source(source.path)
        except (UnicodeDecodeError, LookupError):  # told of where the module is read for its names
            continue
        if _FILE.search(texts[source.name]) and _names_itself(texts[source.name]):
            folders.add(source.path.parents[max(source.file.count("/") - 1, 0)])
    whole = "\n".join(texts.values())
    beside = (path for folder in sorted(folders) for path in folder.rglob("*") if is_data(path))
    return any(_is_spoken_of(path, whole) for path in beside)


def is_data(path: Path) -> bool:
    """Return whether a file of a package is neither code nor a mark."""
    return path.is_file() and path.suffix not in _CODE and path.name != "py.typed"


def _is_spoken_of(path: Path, text: str) -> bool:
    """Return whether a file's name stands in a text, or its suffix at the end of a literal."""
    return path.name in text or any(f"{path.suffix}{quote}" in text for quote in "'\"" if path.suffix)


def _names_itself(text: str) -> bool:
    """Return whether ``__file__`` stands in code; a text that only another Python parses is taken to name it."""
    try:
        nodes = ast.walk(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError):
        return True
    return any(isinstance(node, ast.Name) and node.id == "__file__" for node in nodes)
