"""Data files that the package reads beside its modules, as a table of lines, and the functions that read them.

A table of lines can lose lines later, as any table can lose elements; a literal that holds a whole file could not.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from authoring.model.errors import RefusedError
from authoring.reduction.flatten.beside import is_data
from authoring.reduction.flatten.names import Named
from authoring.reduction.flatten.resolve import DataReader, External
from authoring.reduction.flatten.version import Version

__all__ = ["data_files", "reader_texts", "reader_things"]

_TABLE = DataReader("DATA")
_VERSIONS = DataReader("VERSIONS")
_VERSION = DataReader("version")
_LIBRARY = {name: External(name, "", name) for name in ("codecs", "contextlib", "io", "os", "pathlib")}
_NEEDS = {
    "as_file": ("contextlib", "Path"),
    "codecs_open": ("codecs", "lines_at", "io"),
    "exists": ("os",),
    "files": ("read_text", "io"),
    "getmtime": ("stat",),
    "getsize": ("stat",),
    "get_data": ("read_text",),
    "is_file": ("os", "lines_at"),
    "lines_at": ("os",),
    "open": ("lines_at", "io"),
    "open_binary": ("read_text", "io"),
    "open_text": ("read_text", "io"),
    "path": ("contextlib", "Path"),
    "Path": ("pathlib", "open", "exists", "is_file", "stat"),
    "read_binary": ("read_text",),
    "read_text": (),
    "stat": ("os", "lines_at"),
}
"""What the text of each reading function names."""
_OPTIONAL = frozenset(("codecs_open", "exists", "getmtime", "getsize", "is_file", "open", "Path", "stat"))
"""Readers that a program also has for files that are not the package's: what they cannot find they look for outside."""
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
    "lines_at": (
        "def {lines_at}(path):\n"
        "    path = {os}.fsdecode(path)\n"
        "    return {DATA}.get({os}.path.normpath(path)[1:]) if path.startswith('/') else None\n"
    ),
    "open": (
        "def {open}(file, mode='r', buffering=-1, encoding=None, errors=None, newline=None, **more):\n"
        "    lines = None if isinstance(file, int) or set(mode) & set('wax+') else {lines_at}(file)\n"
        "    if lines is None:\n"
        "        return {io}.open(file, mode, buffering, encoding, errors, newline, **more)\n"
        "    raw = {io}.BytesIO('\\n'.join(lines).encode())\n"
        "    return raw if 'b' in mode else {io}.TextIOWrapper(raw, encoding or 'utf-8', errors, newline)\n"
    ),
    "codecs_open": (
        "def {codecs_open}(filename, mode='r', encoding=None, errors='strict', buffering=-1):\n"
        "    lines = None if set(mode) & set('wax+') else {lines_at}(filename)\n"
        "    if lines is None:\n"
        "        return {codecs}.open(filename, mode, encoding, errors, buffering)\n"
        "    raw = {io}.BytesIO('\\n'.join(lines).encode())\n"
        "    if 'b' in mode and not encoding:\n"
        "        return raw\n"
        "    return {io}.TextIOWrapper(raw, encoding or 'utf-8', errors, '' if encoding else None)\n"
    ),
    "exists": (
        "def {exists}(path):\n"
        "    name = {os}.path.normpath({os}.fsdecode(path))\n"
        "    return any(f'/{{key}}/'.startswith(f'{{name}}/') for key in {DATA}) or {os}.path.exists(path)\n"
    ),
    "is_file": "def {is_file}(path):\n    return {lines_at}(path) is not None or {os}.path.isfile(path)\n",
    "stat": (
        "def {stat}(path, **more):\n"
        "    lines = None if isinstance(path, int) or more else {lines_at}(path)\n"
        "    if lines is None:\n"
        "        return {os}.stat(path, **more)\n"
        "    return {os}.stat_result((0o100444, 0, 0, 1, 0, 0, len('\\n'.join(lines).encode()), 0, 0, 0))\n"
    ),
    "getmtime": "def {getmtime}(filename):\n    return {stat}(filename).st_mtime\n",
    "getsize": "def {getsize}(filename):\n    return {stat}(filename).st_size\n",
    "Path": (
        "class {Path}(type({pathlib}.Path())):\n"
        "    def __repr__(self):\n"
        "        return repr({pathlib}.Path(self))\n"
        "    def open(self, *options, **more):\n"
        "        return {open}(self, *options, **more)\n"
        "    def read_text(self, encoding=None, errors=None):\n"
        "        return self.open(encoding=encoding, errors=errors).read()\n"
        "    def read_bytes(self):\n"
        "        return self.open('rb').read()\n"
        "    def exists(self):\n"
        "        return {exists}(self)\n"
        "    def is_file(self):\n"
        "        return {is_file}(self)\n"
        "    def stat(self, **more):\n"
        "        return {stat}(self, **more)\n"
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


def data_files(
    version: Version, modules: Iterable[str], texts: Iterable[str], readers: Collection[DataReader]
) -> dict[str, tuple[str, ...]]:
    """Return the lines of the data files that reading modules name, by path below the root.

    A file counts as named if its name stands as a literal text in living code or inside another such file. Where they
    hold more than a program should, raises :class:`RefusedError` RED011; readers that look outside too get the smallest
    of them, as what is named need not be what is opened.
    """
    folders = sorted({folder for name in modules for folder in _folders(version, name)})
    known = {path: root for root, folder in folders for path in sorted(folder.rglob("*")) if is_data(path)}
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
    while sum(map(_size, found.values())) > _LIMIT_BYTES:
        if all(reader.name in _OPTIONAL for reader in readers):
            del found[max(found, key=lambda key: (_size(found[key]), key))]
            continue
        raise RefusedError(
            "RED011",
            f"The package reads data files of more than {_LIMIT_BYTES} bytes: {', '.join(sorted(found))}.",
            "Use a reproducer that needs less of the package's data.",
            stage="reduce",
            proof=sorted(found)[0],
        )
    return dict(sorted(found.items()))


def _size(lines: Iterable[str]) -> int:
    return sum(map(len, lines))


def reader_things(readers: Sequence[DataReader]) -> Iterable[Named]:
    """Yield what the reading functions need a name for."""
    if _VERSION in readers:
        yield _VERSIONS
        yield _VERSION
    needed = _needed(readers)
    if needed:
        yield _TABLE
    yield from map(_thing, needed)


def _thing(name: str) -> Named:
    return _LIBRARY.get(name) or DataReader(name)


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
    known = {name: names[_thing(name)] for name in needed}
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


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None
