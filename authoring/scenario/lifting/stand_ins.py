"""What stands in for pytest where a check is taken out of it: its module, and the objects that its fixtures give."""

from collections.abc import Iterable, Set

import libcst as cst

from authoring.scenario.lifting.syntax import Statement, block, statements, walk

__all__ = ["BUILT_IN_FIXTURES", "PYTEST_STAND_IN", "STAND_INS", "is_watching", "trimmed"]

PYTEST_STAND_IN = '''\
class pytest:
    """What the reproducer uses of pytest."""

    param = staticmethod(lambda *values, **named: values)
    fail = staticmethod(lambda reason="": (_ for _ in ()).throw(AssertionError(reason)))

    class approx:
        def __init__(self, expected, rel=1e-6, abs=1e-12):
            self.expected, self.rel, self.abs = expected, rel, abs

        def __eq__(self, other):
            if isinstance(self.expected, (list, tuple)):
                pairs = zip(self.expected, other)
                same = len(self.expected) == len(other)
                return same and all(type(self)(want, self.rel, self.abs) == got for want, got in pairs)
            if isinstance(self.expected, dict):
                same = self.expected.keys() == other.keys()
                return same and all(type(self)(self.expected[k], self.rel, self.abs) == other[k] for k in other)
            return abs(other - self.expected) <= max(self.abs, self.rel * abs(self.expected))

    class raises:
        def __init__(self, errors, match=None):
            self.errors, self.match, self.value, self.type = errors, match, None, None

        def __enter__(self):
            return self

        def __exit__(self, kind, error, trace):
            if kind is None or not issubclass(kind, self.errors):
                if kind is None:
                    raise AssertionError("nothing was raised")
                return False
            import re

            self.value, self.type = error, kind
            assert self.match is None or re.search(self.match, str(error))
            return True
'''
"""Stands in for pytest where a script still uses it; nothing of pytest is needed in the box."""

_PATCHES = """\
import contextlib
import os
import sys
class Patches(contextlib.ExitStack):
    def setattr(self, target, name, value, raising=True):
        if raising:
            getattr(target, name)
        held = getattr(target, "__dict__", {})
        if name in held:
            self.callback(setattr, target, name, held[name])
        else:
            self.callback(delattr, target, name)
        setattr(target, name, value)

    def delattr(self, target, name, raising=True):
        if raising or hasattr(target, name):
            self.callback(setattr, target, name, vars(target).get(name, getattr(target, name)))
            delattr(target, name)

    def setitem(self, mapping, key, value):
        if key in mapping:
            self.callback(mapping.__setitem__, key, mapping[key])
        else:
            self.callback(mapping.pop, key, None)
        mapping[key] = value

    def delitem(self, mapping, key, raising=True):
        if raising or key in mapping:
            self.callback(mapping.__setitem__, key, mapping[key])
            del mapping[key]

    def setenv(self, name, value, prepend=""):
        before = prepend + os.environ[name] if prepend and name in os.environ else ""
        self.setitem(os.environ, name, str(value) + before)

    def delenv(self, name, raising=True):
        self.delitem(os.environ, name, raising)

    def chdir(self, path):
        self.callback(os.chdir, os.getcwd())
        os.chdir(path)

    def syspath_prepend(self, path):
        self.callback(sys.path.remove, str(path))
        sys.path.insert(0, str(path))

    def undo(self):
        self.close()

    def context(self):
        return type(self)()
"""

_PRINTED = """\
import collections
import io
import sys
class Printed:
    def __enter__(self):
        self.kept = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = self.streams = io.StringIO(), io.StringIO()
        return self

    def __exit__(self, *_):
        sys.stdout, sys.stderr = self.kept

    def readouterr(self):
        texts = [stream.getvalue() for stream in self.streams]
        for stream in self.streams:
            stream.seek(0)
            stream.truncate()
        return collections.namedtuple("Printed", ["out", "err"])(*texts)
"""

_LOGGED = """\
import contextlib
import logging
class Logged(logging.Handler):
    def __enter__(self):
        self.records, self.levels = [], {}
        logging.getLogger().addHandler(self)
        return self

    def __exit__(self, *_):
        logging.getLogger().removeHandler(self)
        for name, level in self.levels.items():
            logging.getLogger(name).setLevel(level)

    def emit(self, record):
        self.records.append(record)

    @property
    def messages(self):
        return [record.getMessage() for record in self.records]

    @property
    def record_tuples(self):
        return [(record.name, record.levelno, record.getMessage()) for record in self.records]

    @property
    def text(self):
        shown = [(record.levelname, record.name, record.getMessage()) for record in self.records]
        return "".join(f"{level} {name}: {message}\\n" for level, name, message in shown)

    def clear(self):
        self.records.clear()

    def set_level(self, level, logger=None):
        self.levels.setdefault(logger, logging.getLogger(logger).level)
        logging.getLogger(logger).setLevel(level)

    @contextlib.contextmanager
    def at_level(self, level, logger=None):
        before = logging.getLogger(logger).level
        logging.getLogger(logger).setLevel(level)
        try:
            yield
        finally:
            logging.getLogger(logger).setLevel(before)
"""

_FOLDER = "import pathlib\nimport tempfile\n{0} = pathlib.Path(tempfile.mkdtemp())\n"
_WARNED = (
    "import warnings\nrecwarn = __opened__(warnings.catch_warnings(record=True))\n"
    'warnings.simplefilter("always")\n'
)

BUILT_IN_FIXTURES = {
    "tmp_path": _FOLDER.format("tmp_path"),
    "tmpdir": _FOLDER.format("tmpdir"),
    "monkeypatch": f"{_PATCHES}monkeypatch = __opened__(Patches())\n",
    "capsys": f"{_PRINTED}capsys = __opened__(Printed())\n",
    "caplog": f"{_LOGGED}caplog = __opened__(Logged())\n",
    "recwarn": _WARNED,
}
"""The statements that give what a fixture of pytest's own gives."""

STAND_INS = frozenset(["Patches", "Printed", "Logged", "warnings.catch_warnings"])

_NEEDS = {"setenv": "setitem", "delenv": "delitem"}
_ALWAYS = ("__enter__", "__exit__", "emit")


def is_watching(name: str) -> bool:
    """Return whether what a call of this name opens sees what the package does beside giving a value."""
    return (name in STAND_INS and name != "Patches") or name.rpartition("mock.")[2].startswith("patch")


def trimmed(nodes: Iterable[Statement], read: Iterable[cst.CSTNode]) -> list[Statement]:
    """Return statements with our stand-ins' classes cut down to the methods that are asked for in ``read``."""
    others = [node for node in read if not _is_stand_in(node)]
    asked = {each.attr.value for node in others for each in walk(node) if isinstance(each, cst.Attribute)}
    asked |= {_NEEDS[name] for name in asked if name in _NEEDS}
    return [
        _cut(node, asked) if isinstance(node, cst.ClassDef) and _is_stand_in(node) else node for node in nodes
    ]


def _is_stand_in(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.ClassDef) and node.name.value in STAND_INS


def _cut(node: cst.ClassDef, asked: Set[str]) -> cst.ClassDef:
    lines = [
        line
        for line in block(node.body)
        if not isinstance(line, cst.FunctionDef) or line.name.value in asked or line.name.value in _ALWAYS
    ]
    return node.with_changes(body=cst.IndentedBlock(body=lines or statements("pass\n")))
