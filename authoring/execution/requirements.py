"""What a subject asks for, read from its text without running it: names of the program, library modules."""

import ast
import re
from functools import lru_cache
from pathlib import Path

__all__ = ["library_modules", "library_modules_of_tree", "required_names"]

_PRELOADABLE = frozenset(
    [
        "abc",
        "argparse",
        "ast",
        "asyncio",
        "base64",
        "binascii",
        "bisect",
        "calendar",
        "codecs",
        "collections",
        "collections.abc",
        "contextlib",
        "contextvars",
        "copy",
        "copyreg",
        "csv",
        "dataclasses",
        "datetime",
        "decimal",
        "difflib",
        "email",
        "enum",
        "errno",
        "fnmatch",
        "fractions",
        "functools",
        "gettext",
        "glob",
        "gzip",
        "hashlib",
        "heapq",
        "hmac",
        "html",
        "http.client",
        "http.cookiejar",
        "importlib",
        "importlib.metadata",
        "importlib.resources",
        "importlib.util",
        "inspect",
        "io",
        "ipaddress",
        "itertools",
        "json",
        "keyword",
        "linecache",
        "locale",
        "logging",
        "math",
        "mimetypes",
        "numbers",
        "operator",
        "os",
        "pathlib",
        "pickle",
        "pkgutil",
        "platform",
        "posixpath",
        "pprint",
        "queue",
        "random",
        "re",
        "secrets",
        "select",
        "shlex",
        "shutil",
        "signal",
        "socket",
        "sqlite3",
        "ssl",
        "stat",
        "statistics",
        "string",
        "struct",
        "subprocess",
        "sysconfig",
        "tempfile",
        "textwrap",
        "threading",
        "time",
        "tokenize",
        "traceback",
        "types",
        "typing",
        "unicodedata",
        "unittest",
        "unittest.mock",
        "urllib.error",
        "urllib.parse",
        "urllib.request",
        "uuid",
        "warnings",
        "weakref",
        "xml.etree.ElementTree",
        "zipfile",
        "zlib",
        "zoneinfo",
    ]
)
_IMPORT = re.compile(rb"^[ \t]*(?:import|from)[ \t]+([A-Za-z_][\w.]*)", re.MULTILINE)
_FILES = 3000


def library_modules(source: str) -> set[str]:
    """Return the common modules of the standard library that a text imports."""
    return _modules(source.encode("utf-8", "surrogatepass"))


def _modules(data: bytes) -> set[str]:
    return {name for name in (found.decode() for found in _IMPORT.findall(data)) if name in _PRELOADABLE}


@lru_cache(maxsize=32)
def library_modules_of_tree(tree: Path) -> frozenset[str]:
    """Return the common modules of the standard library that a tree's files import."""
    found: set[str] = set()
    for at, path in enumerate(sorted(tree.rglob("*.py"))):
        if at >= _FILES or len(found) == len(_PRELOADABLE):
            break
        if path.is_file():
            found |= _modules(path.read_bytes())
    return frozenset(found)


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
