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
_LIBRARY = {name: External(name, "", name) for name in ("contextlib", "io", "os", "pathlib")}
_NEEDS = {
    "as_file": ("contextlib", "Path"),
    "exists": ("os",),
    "files": ("read_text", "io"),
    "get_data": ("read_text",),
    "open": ("io", "os"),
    "open_binary": ("read_text", "io"),
    "open_text": ("read_text", "io"),
    "path": ("contextlib", "Path"),
    "Path": ("pathlib", "open", "exists"),
    "read_binary": ("read_text",),
    "read_text": (),
}
"""What the text of each reading function names."""
_LIMIT_BYTES = 256 << 10

_PLACE = re.compile(r"\{[^{}]*\}|%[sd]")
_ABOVE = re.compile(r"\A(?:\.{0,2}/)+")
_TEXTS = {
    "read_text": (
        "def {read_text}(package, name, *options):\n"
        "    return '\\n'.join({DATA}['/'.join((getattr(package, '__name__', package).replace('.', '/'), name))])\n"
    ),
    "read_binary": "def {read_binary}(package, name):\n    return {read_text}(package, name).encode()\n",
    "get_data": "def {get_data}(package, name):\n    return {read_text}(package, name).encode()\n",
    "open_text": "def {open_text}(package, name, *options):\n    return {io}.StringIO({read_text}(package, name))\n",
    "open_binary": "def {open_binary}(package, name):\n    return {io}.BytesIO({read_text}(package, name).encode())\n",
    "open": (
        "def {open}(path, mode='r', *options, **more):\n"
        "    lines = {DATA}.get({os}.path.normpath(str(path)).strip('/'))\n"
        "    if lines is None:\n"
        "        return open(path, mode, *options, **more)\n"
        "    text = '\\n'.join(lines)\n"
        "    return {io}.BytesIO(text.encode()) if 'b' in mode else {io}.StringIO(text)\n"
    ),
    "exists": (
        "def {exists}(path):\n"
        "    return {os}.path.normpath(str(path)).strip('/') in {DATA} or {os}.path.exists(path)\n"
    ),
    "Path": (
        "class {Path}(type({pathlib}.Path())):\n"
        "    def open(self, mode='r', *options, **more):\n"
        "        return {open}(str(self), mode, *options, **more)\n"
        "    def read_text(self, *options, **more):\n"
        "        return self.open().read()\n"
        "    def read_bytes(self):\n"
        "        return self.open('rb').read()\n"
        "    def exists(self):\n"
        "        return {exists}(str(self))\n"
        "    is_file = exists\n"
    ),
    "path": (
        "@{contextlib}.contextmanager\n"
        "def {path}(package, name):\n"
        "    yield {Path}('/', *getattr(package, '__name__', package).split('.'), name)\n"
    ),
    "as_file": (
        "@{contextlib}.contextmanager\n"
        "def {as_file}(files):\n"
        "    yield {Path}('/', *getattr(files.package, '__name__', files.package).split('.'), *files.names)\n"
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
    needed = _needed(readers)
    if needed:
        yield _TABLE
    for name in needed:
        yield _LIBRARY.get(name) or DataReader(name)
    yield from readers


def _needed(readers: Iterable[DataReader]) -> list[str]:
    """Return the names of reading functions, and what their texts name before it."""
    found: list[str] = []

    def add(name: str) -> None:
        for other in _NEEDS.get(name, ()):
            add(other)
        if name not in found:
            found.append(name)

    for reader in readers:
        if reader != _VERSION:
            add(reader.name)
    return found


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
    needed = _needed(readers)
    known = {name: names[_LIBRARY.get(name) or DataReader(name)] for name in needed}
    known["DATA"] = names[_TABLE]
    table = (
        f"{known['DATA']} = {{{', '.join(f'{key!r}: {list(lines)!r}' for key, lines in files.items())}}}\n"
    )
    return [table, *(_TEXTS[name].format(**known) for name in needed if name in _TEXTS)]


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
    parts = _PLACE.split(_ABOVE.sub("", text.strip()))
    return re.compile("/" + "[^/]+".join(map(re.escape, parts)) + r"\Z")


def _is_data(path: Path) -> bool:
    return path.is_file() and path.suffix not in (".py", ".pyc", ".so", ".pyd", ".pyi")


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None
