"""Look things up in a tree's source without running it: modules, and the parameters of functions."""

import ast
from functools import lru_cache
from pathlib import Path

__all__ = ["TreeIndex"]

_SIZE_CAP = 4 << 20
_HOPS = 6


class TreeIndex:
    """What a tree of sources holds, by dotted names."""

    def __init__(self, root: Path, top_levels: tuple[str, ...]) -> None:
        self.root = root
        self.top_levels = frozenset(top_levels)

    def is_module(self, name: str) -> bool:
        """Return whether a dotted name is a module or package of the tree."""
        if name.partition(".")[0] not in self.top_levels or not all(
            part.isidentifier() for part in name.split(".")
        ):
            return False
        path = self.root / name.replace(".", "/")
        if path.with_name(f"{path.name}.py").is_file() or any(path.parent.glob(f"{path.name}.*.so")):
            return True
        return path.is_dir() and (any(path.glob("*.py")) or "." not in name)

    def signature(self, original: str) -> tuple[str, ...] | None:
        """Return the names of the positional parameters of ``module:name`` or ``module:Class.method``."""
        module, _, name = original.partition(":")
        parts = name.split(".")
        found = self._find(module, parts[0], _HOPS)
        for part in parts[1:]:
            found = _member(found, part)
        if isinstance(found, ast.ClassDef):
            found = _member(found, "__init__")
        if not isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef):
            return None
        names = [arg.arg for arg in (*found.args.posonlyargs, *found.args.args)]
        return tuple(names[1:] if names[:1] in (["self"], ["cls"]) else names)

    def _find(self, module: str, name: str, hops: int) -> ast.stmt | None:
        for node in self._body(module):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name == name:
                return node
            if isinstance(node, ast.ImportFrom) and hops:
                source = self._source(module, node)
                for alias in node.names:
                    if (alias.asname or alias.name) == name:
                        return self._find(source, alias.name, hops - 1)
                    if alias.name == "*" and self.is_module(source):
                        found = self._find(source, name, hops - 1)
                        if found is not None:
                            return found
        return None

    def defined(self, module: str, name: str, hops: int = _HOPS) -> tuple[str, list[ast.stmt]]:
        """Return the statements that define or assign a name of a module, in their order, and the module they are in.

        Follows imports; there are none where the name is not found.
        """
        body = self._body(module)
        own = [node for node in body if name in _bound(node)]
        if own:
            return module, own
        for node in [one for one in body if isinstance(one, ast.ImportFrom) and hops]:
            for alias in node.names:
                if name == (alias.asname or alias.name) or alias.name == "*":
                    wanted = name if alias.name == "*" else alias.name
                    found = self.defined(self._source(module, node), wanted, hops - 1)
                    if found[1]:
                        return found
        return module, []

    def _source(self, module: str, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        is_package = (self.root / module.replace(".", "/")).is_dir()
        parts = module.split(".")
        base = parts[: len(parts) - node.level + is_package]
        return ".".join([*base, *(node.module.split(".") if node.module else [])])

    def _body(self, module: str) -> list[ast.stmt]:
        path = self.root / module.replace(".", "/")
        file = path / "__init__.py" if path.is_dir() else path.with_name(f"{path.name}.py")
        return _parsed(file)


def _bound(node: ast.stmt) -> tuple[str, ...]:
    """Return the names that a statement defines or assigns."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return (node.name,)
    targets = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign):
        targets = [node.target]
    return tuple(target.id for target in targets if isinstance(target, ast.Name))


def _member(node: ast.stmt | None, name: str) -> ast.stmt | None:
    if not isinstance(node, ast.ClassDef):
        return None
    for line in node.body:
        if isinstance(line, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and line.name == name:
            return line
    return None


@lru_cache(maxsize=64)
def _parsed(file: Path) -> list[ast.stmt]:
    try:
        if file.stat().st_size > _SIZE_CAP:
            return []
        return ast.parse(file.read_bytes()).body
    except (OSError, SyntaxError, ValueError, RecursionError):
        return []
