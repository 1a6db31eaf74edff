"""Data files that the package reads beside its modules, as a table of lines, and the functions that read them.

A table of lines can lose lines later, as any table can lose elements; a literal that holds a whole file could not.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from authoring.model.errors import RefusedError
from authoring.reduction.flatten.names import Named
from authoring.reduction.flatten.resolve import DataReader, External
from authoring.reduction.flatten.version import Version

__all__ = ["data_files", "reader_texts", "reader_things"]

_TABLE = DataReader("DATA")
_VERSIONS = DataReader("VERSIONS")
_VERSION = DataReader("version")
_PATH = DataReader("path")
_IO = External("io", "", "io")
_CONTEXTLIB = External("contextlib", "", "contextlib")
_PATHLIB = External("pathlib", "", "pathlib")
_LIMIT_BYTES = 256 << 10

_PLACE = re.compile(r"\{[^{}]*\}|%[sd]")
_FIND = (
    "def {read_text}(package, name, *options):\n"
    "    return '\\n'.join({DATA}['/'.join((getattr(package, '__name__', package).replace('.', '/'), name))])\n"
)
_TEXTS = {
    "read_text": "",
    "read_binary": "def {read_binary}(package, name):\n    return {read_text}(package, name).encode()\n",
    "get_data": "def {get_data}(package, name):\n    return {read_text}(package, name).encode()\n",
    "open_text": "def {open_text}(package, name, *options):\n    return {io}.StringIO({read_text}(package, name))\n",
    "open_binary": "def {open_binary}(package, name):\n    return {io}.BytesIO({read_text}(package, name).encode())\n",
    "path": (
        "@{contextlib}.contextmanager\n"
        "def {path}(package, name):\n"
        "    yield {pathlib}.Path('/', *getattr(package, '__name__', package).split('.'), name)\n"
    ),
    "open": (
        "def {open}(path, mode='r', *options, **more):\n"
        "    folder, _, name = str(path).strip('/').rpartition('/')\n"
        "    text = {read_text}(folder, name)\n"
        "    return {io}.BytesIO(text.encode()) if 'b' in mode else {io}.StringIO(text)\n"
    ),
    "files": (
        "class {files}:\n"
        "    def __init__(self, package, *names):\n"
        "        self.package, self.names = package, names\n"
        "    def joinpath(self, *names):\n"
        "        return {files}(self.package, *self.names, *names)\n"
        "    __truediv__ = joinpath\n"
        "    def read_text(self, *options, **more):\n"
        "        return {read_text}(self.package, '/'.join(self.names))\n"
        "    def read_bytes(self):\n"
        "        return self.read_text().encode()\n"
        "    def open(self, mode='r', *options, **more):\n"
        "        return {io}.BytesIO(self.read_bytes()) if 'b' in mode else {io}.StringIO(self.read_text())\n"
    ),
}


def data_files(version: Version, modules: Iterable[str], texts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the lines of the data files that reading modules name, by path below the root.

    A file counts as named if its name stands as a literal text in living code or inside another such file. Raises
    :class:`RefusedError` RED011 where they hold more than a program should.
    """
    folders = sorted({folder for name in modules for folder in _folders(version, name)})
    known = {path: root for root, folder in folders for path in sorted(folder.rglob("*")) if _is_data(path)}
    wanted = [_pattern(text) for text in texts if "." in text]
    found: dict[str, tuple[str, ...]] = {}
    waiting = [path for path in known if any(pattern.search(path.as_posix()) for pattern in wanted)]
    while waiting:
        path = waiting.pop()
        key = path.relative_to(known[path]).as_posix()
        text = _text(path) if key not in found else None
        if text is not None:
            found[key] = tuple(text.split("\n"))
            waiting.extend(other for other in known if other.name in text)
    if sum(len(line) for lines in found.values() for line in lines) > _LIMIT_BYTES:
        raise RefusedError(
            "RED011",
            f"The package reads data files of more than {_LIMIT_BYTES} bytes: {', '.join(sorted(found))}.",
            "Use a reproducer that needs less of the package's data.",
            stage="reduce",
            proof=sorted(found)[0],
        )
    return dict(sorted(found.items()))


def reader_things(readers: Sequence[DataReader]) -> Iterable[Named]:
    """Yield what the reading functions need a name for."""
    if _VERSION in readers:
        yield _VERSIONS
    if any(reader != _VERSION for reader in readers):
        yield _TABLE
        yield _IO
        yield DataReader("read_text")
    if _PATH in readers:
        yield _CONTEXTLIB
        yield _PATHLIB
    yield from readers


def reader_texts(
    version: Version,
    readers: Sequence[DataReader],
    files: Mapping[str, tuple[str, ...]],
    texts: Collection[str],
    names: Mapping[Named, str],
) -> list[str]:
    """Return the tables of data files and of versions, and the functions that read from them."""
    if _VERSION in readers:
        return [
            *_version_texts(version, texts, names),
            *reader_texts(version, [item for item in readers if item != _VERSION], files, texts, names),
        ]
    if not readers:
        return []
    known = {reader.name: names[reader] for reader in (*readers, _TABLE, DataReader("read_text"))}
    known["io"] = names[_IO]
    if _PATH in readers:
        known |= {"contextlib": names[_CONTEXTLIB], "pathlib": names[_PATHLIB]}
    table = (
        f"{known['DATA']} = {{{', '.join(f'{key!r}: {list(lines)!r}' for key, lines in files.items())}}}\n"
    )
    return [table, _FIND.format(**known), *(_TEXTS[reader.name].format(**known) for reader in readers)]


def _version_texts(version: Version, texts: Collection[str], names: Mapping[Named, str]) -> list[str]:
    """Return the table of the distributions' versions that living code names, and the function that reads it."""
    known = {name: number for name, number in version.index.roots.distributions().items() if name in texts}
    table = names[_VERSIONS]
    return [
        f"{table} = {known!r}\n",
        f"def {names[_VERSION]}(distribution):\n    return {table}[distribution]\n",
    ]


def _folders(version: Version, module_name: str) -> Iterable[tuple[Path, Path]]:
    """Yield root and folder of the package that a module is in, and of those above it."""
    module = version.index.module(module_name)
    if module is None:
        return
    root = module.source.path.parents[module.source.file.count("/")]
    top = root / module.source.file.partition("/")[0]
    if top.is_dir():
        yield root, top


def _pattern(text: str) -> re.Pattern[str]:
    """Return what the path of a file ends with that a text names; ``{0}`` and ``%s`` stand for any part of a name."""
    parts = _PLACE.split(text.strip().lstrip("/"))
    return re.compile("/" + "[^/]+".join(map(re.escape, parts)) + r"\Z")


def _is_data(path: Path) -> bool:
    return path.is_file() and path.suffix not in (".py", ".pyc", ".so", ".pyd", ".pyi")


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None
