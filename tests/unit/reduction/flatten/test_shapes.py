"""What real packages do, each shape in a package of a few lines: the flat program behaves the same and reads plainly."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.unit.reduction.flatten.sample import flat, flatten, run


def lines(source: str) -> list[str]:
    """Return the lines of a program that say something."""
    return [line for line in source.splitlines() if line]


def answer(space: Any) -> object:
    """Use the canonical name ``answer``."""
    return space.answer(3)


SHAPES: dict[str, tuple[Mapping[str, str], list[str]]] = {
    "a relative import becomes a plain name": (
        {
            "pkg/__init__.py": "from .deep.leaf import answer\n",
            "pkg/deep/__init__.py": "",
            "pkg/deep/leaf.py": "from ..base import double\n\n\ndef answer(x):\n    return double(x)\n",
            "pkg/base.py": "def double(x):\n    return 2 * x\n",
        },
        ["def double(x):", "    return 2 * x", "def answer(x):", "    return double(x)"],
    ),
    "a star import reaches what __all__ lists": (
        {
            "pkg/__init__.py": "from pkg.inner import *\n\n\ndef answer(x):\n    return shown(x)\n",
            "pkg/inner.py": "__all__ = ['shown']\n\n\ndef shown(x):\n    return x\n\n\ndef other():\n    return 1\n",
        },
        ["def shown(x):", "    return x", "def answer(x):", "    return shown(x)"],
    ),
    "a renamed module and its attributes become plain names": (
        {
            "pkg/__init__.py": "import pkg.inner.deep as d\n\n\ndef answer(x):\n    return d.STEP + d.add(x)\n",
            "pkg/inner/__init__.py": "",
            "pkg/inner/deep.py": "STEP = 5\n\n\ndef add(x):\n    return x + STEP\n",
        },
        ["STEP = 5", "def add(x):", "    return x + STEP", "def answer(x):", "    return STEP + add(x)"],
    ),
    "a module attribute that is written becomes a global that is declared": (
        {
            "pkg/__init__.py": "from pkg import state\n\n\ndef answer(x):\n    state.count = x\n    return state.get()\n",
            "pkg/state.py": "count = 0\n\n\ndef get():\n    return count\n",
        },
        [
            "count = 0",
            "def get():",
            "    return count",
            "def answer(x):",
            "    global count",
            "    count = x",
            "    return get()",
        ],
    ),
    "modules that import each other are put in the order that they ran in": (
        {
            "pkg/__init__.py": "from .one import answer\n",
            "pkg/one.py": "BASE = 1\nfrom . import two\n\n\ndef answer(x):\n    return two.more(x)\n",
            "pkg/two.py": "from . import one\n\nLIMIT = one.BASE + 1\n\n\ndef more(x):\n    return x + LIMIT + one.BASE\n",
        },
        [
            "BASE = 1",
            "LIMIT = BASE + 1",
            "def more(x):",
            "    return x + LIMIT + BASE",
            "def answer(x):",
            "    return more(x)",
        ],
    ),
    "an import inside a function becomes a plain name": (
        {
            "pkg/__init__.py": "def answer(x):\n    from .late import half as part\n    import pkg.late\n    return part(x) + pkg.late.ONE\n",
            "pkg/late.py": "ONE = 1\n\n\ndef half(x):\n    return x / 2\n",
        },
        ["def answer(x):", "    return half(x) + ONE", "ONE = 1", "def half(x):", "    return x / 2"],
    ),
    "of two equal names the later one takes its module's": (
        {
            "pkg/__init__.py": "from . import a, b\n\n\ndef answer(x):\n    return a.step(x) + b.step(x)\n",
            "pkg/a.py": "def step(x):\n    return x\n",
            "pkg/b.py": "def step(x):\n    return -2 * x\n",
        },
        [
            "def step(x):",
            "    return x",
            "def b_step(x):",
            "    return -2 * x",
            "def answer(x):",
            "    return step(x) + b_step(x)",
        ],
    ),
    "a name that a local variable hides is not free": (
        {
            "pkg/__init__.py": "from .a import size as measure\n\n\ndef answer(x):\n    size = measure(x)\n    return size\n",
            "pkg/a.py": "def size(x):\n    return x\n",
        },
        ["def a_size(x):", "    return x", "def answer(x):", "    size = a_size(x)", "    return size"],
    ),
    "the branch that ran stands for the condition": (
        {
            "pkg/__init__.py": (
                "try:\n    import no_such_module as kit\nexcept ImportError:\n    kit = None\n"
                "import sys\nif sys.version_info[0] == 2:\n    text = unicode\nelse:\n    text = str\n\n\n"
                "def answer(x):\n    return kit, text(x)\n"
            ),
        },
        ["kit = None", "text = str", "def answer(x):", "    return kit, text(x)"],
    ),
    "names for types only, annotations, docstrings and comments go": (
        {
            "pkg/__init__.py": (
                '"""Docs."""\nfrom __future__ import annotations\nfrom typing import TYPE_CHECKING, Optional\n'
                "if TYPE_CHECKING:\n    from .types import Thing\n\n\n"
                'def answer(x: Optional[Thing]) -> Thing:  # a note\n    """Docs."""\n    y: int = x\n    return y\n'
            ),
            "pkg/types.py": "class Thing:\n    pass\n",
        },
        ["def answer(x):", "    y = x", "    return y"],
    ),
    "statements that fill a kept table are kept": (
        {
            "pkg/__init__.py": (
                "from .table import TABLE\nfrom . import fill\n\n\ndef answer(x):\n    return TABLE[x]()\n"
            ),
            "pkg/table.py": "TABLE = {}\nUNUSED = {}\nUNUSED['a'] = 1\n",
            "pkg/fill.py": "from .table import TABLE\n\n\ndef three():\n    return 'three'\n\n\nTABLE[3] = three\n",
        },
        [
            "TABLE = {}",
            "def three():",
            "    return 'three'",
            "TABLE[3] = three",
            "def answer(x):",
            "    return TABLE[x]()",
        ],
    ),
    "what a decorator registers is kept if it ran": (
        {
            "pkg/__init__.py": (
                "KNOWN = {}\n\n\ndef register(f):\n    KNOWN[f.__name__] = f\n    return f\n\n\n"
                "@register\ndef three():\n    return 'three'\n\n\n@register\ndef four():\n    return 'four'\n\n\n"
                "def answer(x):\n    return KNOWN['three']()\n"
            ),
        },
        [
            "KNOWN = {}",
            "def register(f):",
            "    KNOWN[f.__name__] = f",
            "    return f",
            "@register",
            "def three():",
            "    return 'three'",
            "def answer(x):",
            "    return KNOWN['three']()",
        ],
    ),
    "a module that is passed around becomes a small name space": (
        {
            "pkg/__init__.py": (
                "from . import style\n\n\ndef use(module, x):\n    return module.mark(x)\n\n\n"
                "def answer(x):\n    return use(style, x)\n"
            ),
            "pkg/style.py": "def mark(x):\n    return f'<{x}>'\n",
        },
        [
            "import types",
            "def mark(x):",
            "    return f'<{x}>'",
            "style = types.SimpleNamespace(__name__='pkg.style', mark=mark)",
            "def use(module, x):",
            "    return module.mark(x)",
            "def answer(x):",
            "    return use(style, x)",
        ],
    ),
    "module attributes become the constants that they were": (
        {
            "pkg/__init__.py": "from .inner import answer\n",
            "pkg/inner.py": "NAME = __name__\n\n\ndef answer(x):\n    return NAME, __package__\n",
        },
        ["NAME = 'pkg.inner'", "def answer(x):", "    return NAME, 'pkg'"],
    ),
    "members of a class that nothing needs go": (
        {
            "pkg/__init__.py": (
                "import re\n\n\nclass Box:\n    unused = re.compile('x')\n    size = 2\n\n"
                "    def __init__(self, x):\n        self.x = x\n\n    def get(self):\n        return self.x * self.size\n\n"
                "    def other(self):\n        return re.escape('x')\n\n\ndef answer(x):\n    return Box(x).get()\n"
            ),
        },
        [
            "class Box:",
            "    size = 2",
            "    def __init__(self, x):",
            "        self.x = x",
            "    def get(self):",
            "        return self.x * self.size",
            "def answer(x):",
            "    return Box(x).get()",
        ],
    ),
    "a branch that never ran goes where it names what is not kept": (
        {
            "pkg/__init__.py": (
                "from .rare import convert\n\n\ndef answer(x):\n    if x is None:\n        return convert(x)\n"
                "    if x < 0:\n        return -x\n    return x\n"
            ),
            "pkg/rare.py": "from .deep import change\n\n\ndef convert(x):\n    return change(x)\n",
            "pkg/deep.py": "def change(x):\n    return x\n",
        },
        [
            "def answer(x):",
            "    if x is None:",
            "        pass",
            "    if x < 0:",
            "        return -x",
            "    return x",
        ],
    ),
    "a function that is only named keeps no body that names more": (
        {
            "pkg/__init__.py": (
                "from .rare import convert\n\n\ndef third(x):\n    return convert(x)\n\n\ndef plain(x):\n    return x\n\n\n"
                "TABLE = {3: plain, 4: third}\n\n\ndef answer(x):\n    return TABLE[x](x)\n"
            ),
            "pkg/rare.py": "from .deep import change\n\n\ndef convert(x):\n    return change(x)\n",
            "pkg/deep.py": "def change(x):\n    return x\n",
        },
        [
            "def third(x):",
            "    raise NotImplementedError('third')",
            "def plain(x):",
            "    return x",
            "TABLE = {3: plain, 4: third}",
            "def answer(x):",
            "    return TABLE[x](x)",
        ],
    ),
    "a module that is loaded by its name is found": (
        {
            "pkg/__init__.py": (
                "import importlib\n\n\ndef answer(x):\n    module = importlib.import_module('pkg.plugins.n%d' % x)\n"
                "    return module.run()\n"
            ),
            "pkg/plugins/__init__.py": "",
            "pkg/plugins/n3.py": "def run():\n    return 'third'\n",
        },
        [
            "import importlib",
            "import types",
            "MODULES = {}",
            "def import_module(name, package=None):",
            "    name = '.'.join((package, name.lstrip('.'))) if name.startswith('.') else name",
            "    return MODULES[name] if name in MODULES else importlib.import_module(name)",
            "def answer(x):",
            "    module = import_module('pkg.plugins.n%d' % x)",
            "    return module.run()",
            "def run():",
            "    return 'third'",
            "n3 = types.SimpleNamespace(__name__='pkg.plugins.n3', run=run)",
            "MODULES['pkg.plugins.n3'] = n3",
        ],
    ),
    "a class that its metaclass registers is kept if it ran": (
        {
            "pkg/__init__.py": (
                "class Meta(type):\n    known = {}\n\n    def __init__(cls, name, bases, body):\n"
                "        Meta.known[name] = cls\n\n\nclass Base(metaclass=Meta):\n    pass\n\n\n"
                "class Three(Base):\n    def get(self):\n        return 3\n\n\n"
                "class Four(Base):\n    def get(self):\n        return 4\n\n\n"
                "def answer(x):\n    return Meta.known['Three']().get()\n"
            ),
        },
        [
            "class Meta(type):",
            "    known = {}",
            "    def __init__(cls, name, bases, body):",
            "        Meta.known[name] = cls",
            "class Base(metaclass=Meta):",
            "    pass",
            "class Three(Base):",
            "    def get(self):",
            "        return 3",
            "def answer(x):",
            "    return Meta.known['Three']().get()",
        ],
    ),
    "a module that generated code imports is entered where it looks": (
        {
            "pkg/__init__.py": (
                "NAMES = ['run']\n\n\ndef answer(x):\n    space = {}\n"
                "    exec('from pkg.made import ' + ', '.join(NAMES), space)\n    return space['run'](x)\n"
            ),
            "pkg/made.py": "def run(x):\n    return x\n\n\ndef other(x):\n    return -x\n",
        },
        [
            "import sys",
            "import types",
            "NAMES = ['run']",
            "def answer(x):",
            "    space = {}",
            "    exec('from pkg.made import ' + ', '.join(NAMES), space)",
            "    return space['run'](x)",
            "def run(x):",
            "    return x",
            "made = types.SimpleNamespace(__name__='pkg.made', run=run)",
            "sys.modules['pkg.made'] = made",
        ],
    ),
    "a class whose module is read says which one it was": (
        {
            "pkg/__init__.py": (
                "class Thing:\n    pass\n\n\ndef answer(x):\n    return Thing.__module__, type(Thing()).__module__\n"
            ),
        },
        [
            "class Thing:",
            "    pass",
            "Thing.__module__ = 'pkg'",
            "def answer(x):",
            "    return Thing.__module__, type(Thing()).__module__",
        ],
    ),
    "a module used while it is imported is filled name by name": (
        {
            "pkg/__init__.py": (
                "import sys\n\n\nclass One:\n    key = 3\n\n\nclass Two:\n    key = 4\n\n\n"
                "def collect():\n    here = sys.modules[__name__]\n"
                "    return {v.key: v.__name__ for v in vars(here).values() if isinstance(v, type)}\n\n\n"
                "KNOWN = collect()\n\n\ndef answer(x):\n    return KNOWN[x]\n"
            ),
        },
        [
            "import types",
            "pkg = types.SimpleNamespace(__name__='pkg')",
            "class One:",
            "    key = 3",
            "pkg.One = One",
            "class Two:",
            "    key = 4",
            "pkg.Two = Two",
            "def collect():",
            "    here = pkg",
            "    return {v.key: v.__name__ for v in vars(here).values() if isinstance(v, type)}",
            "pkg.collect = collect",
            "KNOWN = collect()",
            "pkg.KNOWN = KNOWN",
            "def answer(x):",
            "    return KNOWN[x]",
            "pkg.answer = answer",
        ],
    ),
    "what a module's __getattr__ gives is found where it was made": (
        {
            "pkg/__init__.py": (
                "def __getattr__(name):\n    import importlib\n"
                "    return getattr(importlib.import_module('pkg.hidden'), name)\n"
            ),
            "pkg/hidden.py": "def answer(x):\n    return x\n",
        },
        ["def answer(x):", "    return x"],
    ),
    "a data file becomes a table of its lines": (
        {
            "pkg/__init__.py": (
                "from importlib import resources\n\n\ndef answer(x):\n"
                "    return resources.read_binary(__package__, 'units.txt').decode().split()[x]\n"
            ),
            "pkg/units.txt": "a b\nc d\n",
            "pkg/other.txt": "not named\n",
        },
        [
            "DATA = {'pkg/units.txt': ['a b', 'c d', '']}",
            "def read_text(package, name, *options):",
            "    return '\\n'.join(DATA['/'.join((getattr(package, '__name__', package).replace('.', '/'), name))])",
            "def read_binary(package, name):",
            "    return read_text(package, name).encode()",
            "def answer(x):",
            "    return read_binary('pkg', 'units.txt').decode().split()[x]",
        ],
    ),
    "a short definition that only a branch names which never ran is kept": (
        {
            "pkg/__init__.py": (
                "from .errors import Refused\n\n\ndef answer(x):\n    if x is None:\n"
                "        raise Refused('none')\n    return x\n"
            ),
            "pkg/errors.py": "class Refused(ValueError):\n    pass\n",
        },
        [
            "class Refused(ValueError):",
            "    pass",
            "def answer(x):",
            "    if x is None:",
            "        raise Refused('none')",
            "    return x",
        ],
    ),
    "a branch that never ran goes where it reads a member that is not kept": (
        {
            "pkg/__init__.py": (
                "class Box:\n    def get(self, x):\n        if x is None:\n            return self.rare()\n"
                "        return x\n\n    def rare(self):\n        return 0\n\n\ndef answer(x):\n    return Box().get(x)\n"
            ),
        },
        [
            "class Box:",
            "    def get(self, x):",
            "        if x is None:",
            "            pass",
            "        return x",
            "def answer(x):",
            "    return Box().get(x)",
        ],
    ),
    "a renamed class keeps the name that code reads": (
        {
            "pkg/__init__.py": (
                "from . import a, b\n\n\ndef answer(x):\n    return [type(v).__name__ for v in (a.Box(), b.Box())]\n"
            ),
            "pkg/a.py": "class Box:\n    pass\n",
            "pkg/b.py": "class Box:\n    pass\n",
        },
        [
            "class Box:",
            "    pass",
            "class b_Box:",
            "    pass",
            "b_Box.__name__ = b_Box.__qualname__ = 'Box'",
            "def answer(x):",
            "    return [type(v).__name__ for v in (Box(), b_Box())]",
        ],
    ),
    "the version that metadata gives becomes a constant": (
        {
            "pkg/__init__.py": (
                "from importlib import metadata\n\n\ndef answer(x):\n    return metadata.version('pkg')\n"
            ),
            "pkg-1.5.dist-info/METADATA": "Metadata-Version: 2.1\nName: pkg\nVersion: 1.5\n\nText\n",
        },
        [
            "VERSIONS = {'pkg': '1.5'}",
            "def version(distribution):",
            "    return VERSIONS[distribution]",
            "def answer(x):",
            "    return version('pkg')",
        ],
    ),
    "a generator stays one where no value was ever asked of it": (
        {
            "pkg/__init__.py": (
                "from .deep import long\n\n\ndef values(x):\n    if x is None:\n        yield long(x)\n\n\n"
                "def answer(x):\n    return list(values(x))\n"
            ),
            "pkg/deep.py": "from .deeper import change\n\n\ndef long(x):\n    return change(x)\n",
            "pkg/deeper.py": "def change(x):\n    return x\n",
        },
        [
            "def values(x):",
            "    if x is None:",
            "        yield",
            "def answer(x):",
            "    return list(values(x))",
        ],
    ),
    "a method that is only handed on is there": (
        {
            "pkg/__init__.py": (
                "class Box:\n    def get(self, x):\n        return max([x], key=self.rank) if x else self.rank\n\n"
                "    def rank(self, x):\n        return x\n\n\n"
                "def answer(x):\n    return callable(Box().get(0))\n"
            ),
        },
        [
            "class Box:",
            "    def get(self, x):",
            "        return max([x], key=self.rank) if x else self.rank",
            "    def rank(self, x):",
            "        return x",
            "def answer(x):",
            "    return callable(Box().get(0))",
        ],
    ),
    "names that texts take from the module's name space are kept": (
        {
            "pkg/__init__.py": (
                "low = '[a-z]'\nhigh = '[A-Z]'\nother = '.'\nword = '{low}{high}'.format(**globals())\n\n\n"
                "def answer(x):\n    return word\n"
            ),
        },
        [
            "low = '[a-z]'",
            "high = '[A-Z]'",
            "word = '{low}{high}'.format(**globals())",
            "def answer(x):",
            "    return word",
        ],
    ),
    "what a function changes through global stays one variable": (
        {
            "pkg/__init__.py": "from .state import bump, read\n\n\ndef answer(x):\n    bump(x)\n    return read()\n",
            "pkg/state.py": "total = 1\n\n\ndef bump(x):\n    global total\n    total += x\n\n\ndef read():\n    return total\n",
        },
        [
            "total = 1",
            "def bump(x):",
            "    global total",
            "    total += x",
            "def read():",
            "    return total",
            "def answer(x):",
            "    bump(x)",
            "    return read()",
        ],
    ),
}


@pytest.mark.parametrize("law", SHAPES)
def test_shape(law: str, tmp_path: Path) -> None:
    files, expected = SHAPES[law]
    source = flat(tmp_path, files, {"answer": "pkg:answer"}, answer)
    assert [line.replace('"', "'") for line in lines(source)] == expected


def test_a_data_file_is_found_whose_name_is_put_together(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": (
            "from importlib import resources\n\n\ndef answer(x, name='units'):\n"
            "    return resources.files(__package__).joinpath(f'data/{name}.v1.txt').read_text().split()[x]\n"
        ),
        "pkg/data/units.v1.txt": "a b",
        "pkg/data/other.txt": "not named\n",
    }
    source = flat(tmp_path, files, {"answer": "pkg:answer"}, answer)
    assert "DATA = {'pkg/data/units.v1.txt': ['a b']}" in [line.replace('"', "'") for line in lines(source)]


_BESIDE = {
    "open": (
        "import os\n\nFOLDER = os.path.join(os.path.dirname(__file__), 'data')\n\n\n"
        "def answer(x):\n    with open(os.path.join(FOLDER, 'units.txt')) as file:\n"
        "        return file.read().split()[x]\n"
    ),
    "bytes": (
        "import io\nimport os\n\n\n"
        "def answer(x):\n    path = os.path.dirname(os.path.abspath(__file__)) + '/../pkg/data/units.txt'\n"
        "    with io.open(path, 'rb') as file:\n        return file.read().split()[x].decode()\n"
    ),
    "encoding": (
        "import codecs\nimport os.path as osp\n\n\n"
        "def answer(x):\n    path = osp.join(osp.dirname(osp.realpath(__file__)), 'data', 'units.txt')\n"
        "    if not osp.exists(path):\n        return None\n"
        "    return codecs.open(path, 'r', 'utf-8').read().split()[x]\n"
    ),
    "encoding of bytes": (
        "import codecs\nimport os\n\nFOLDER = os.path.join(os.path.dirname(__file__), 'data')\n\n\n"
        "def answer(x):\n    if not os.path.exists(FOLDER):\n        raise OSError\n"
        "    return codecs.open(os.path.join(FOLDER, 'units.txt'), 'rb', 'utf-8').read().split()[x]\n"
    ),
    "path": (
        "from pathlib import Path\n\nHERE = Path(__file__).resolve().parent\n\n\n"
        "def answer(x):\n    path = HERE / 'data' / 'units.txt'\n"
        "    return path.read_text(encoding='utf-8').split()[x] if path.is_file() else None\n"
    ),
    "path that is opened elsewhere": (
        "import pathlib\n\nfrom .read import words\n\n\n"
        "def answer(x):\n    return words(pathlib.Path(__file__).parent.joinpath('data', 'units.txt'))[x]\n"
    ),
    "path that is made anew elsewhere": (
        "import os\n\nfrom .read import lines\n\n\n"
        "def answer(x):\n    return lines(os.path.join(os.path.dirname(__file__), 'data', 'units.txt'))[x]\n"
    ),
    "path whose file is looked at": (
        "import os\nimport pathlib\n\nHERE = pathlib.Path(__file__).parent\n\n\n"
        "def answer(x):\n    path = HERE / 'data' / 'units.txt'\n"
        "    words = path.read_text().split()\n"
        "    same = path.stat().st_size == os.stat(path).st_size == os.path.getsize(str(path)) == 8\n"
        "    return words[x] if same and os.path.getmtime(path) == path.stat().st_mtime else None\n"
    ),
    "as file": (
        "from importlib import resources\n\n\n"
        "def answer(x):\n    with resources.as_file(resources.files('pkg') / 'data' / 'units.txt') as path:\n"
        "        return path.open().read().split()[x]\n"
    ),
}


@pytest.mark.parametrize("source", _BESIDE.values(), ids=_BESIDE)
def test_a_data_file_is_found_by_where_the_module_lies(tmp_path: Path, source: str) -> None:
    files = {
        "pkg/__init__.py": source,
        "pkg/read.py": "from pathlib import Path\n\n\ndef lines(path):\n    return words(Path(path))\n\n\ndef words(path):\n    with path.open('rb') as file:\n        return file.read().decode().split()\n",
        "pkg/data/units.txt": "a b\nc d\n",
        "pkg/data/other.txt": "not named\n",
    }
    found = flatten(tmp_path, {"reference": files}, {"answer": "pkg:answer"}, answer)["reference"].source
    assert "DATA = {'pkg/data/units.txt': ['a b', 'c d', '']}" in [
        line.replace('"', "'") for line in lines(found)
    ]
    assert run(found, lambda space: [space.answer(x) for x in range(4)]) == ["a", "b", "c", "d"]


_DATA = {
    "pkg/units.txt": "a b\nc d\n",
    "pkg/__init__.py": (
        "import os\n\nfrom pkg.use import answer\n\nUNITS = open(os.path.join(os.path.dirname(__file__), 'units.txt')).read()\n"
    ),
}
_OUTSIDE = {
    "a text": "def answer(x):\n    with open(x) as file:\n        return file.read()\n",
    "by keyword": "def answer(x):\n    return open(file=x, encoding='latin-1', newline='').read()\n",
    "bytes": "def answer(x):\n    return open(x.encode(), 'rb').read()\n",
    "a codec": "import codecs\n\n\ndef answer(x):\n    return codecs.open(x, 'r', 'latin-1').read()\n",
    "a codec and bytes": "import codecs\n\n\ndef answer(x):\n    return codecs.open(x, 'rb', encoding='utf-8').read()\n",
    "a descriptor": "import os\n\n\ndef answer(x):\n    return open(os.open(x, os.O_RDONLY)).read()\n",
    "written": "def answer(x):\n    open(x + '.out', 'w').write('w')\n    return open(x + '.out').read()\n",
    "sizes": (
        "import os\nfrom pathlib import Path\n\n\ndef answer(x):\n    with open(x) as file:\n"
        "        opened = os.stat(file.fileno()).st_size\n"
        "    return opened, os.stat(x, follow_symlinks=False).st_size, Path(x).stat().st_size, os.path.getmtime(x)\n"
    ),
    "a folder": "import os\n\n\ndef answer(x):\n    return os.path.isfile(os.path.dirname(x)), os.path.isfile(x)\n",
    "a folder of data": (
        "import os\n\n\ndef answer(x):\n    here = os.path.dirname(__file__)\n"
        "    return os.path.exists(here), os.path.isfile(here), os.path.exists(here + '/none')\n"
    ),
    "a path": (
        "from pathlib import Path\n\nHERE = __file__\n\n\ndef answer(x):\n    path = Path(x)\n"
        "    return isinstance(path, Path), path.read_text(encoding='latin-1'), path.is_file(), path.parent.is_file()\n"
    ),
    "a path of the caller": (
        "from pathlib import Path\n\nHERE = __file__\n\n\ndef answer(x):\n"
        "    return isinstance(x, Path), repr(Path(str(x)).parent) == repr(x.parent) if isinstance(x, Path) else ''\n"
    ),
    "an open of its own": (
        "import io\n\n\ndef open(path):\n    return io.open(path)\n\n\ndef answer(x):\n    return open(x).read()\n"
    ),
    "a path that is not absolute": (
        "def answer(x):\n    try:\n        return open('pkg/units.txt').read()\n    except OSError as error:\n"
        "        return type(error).__name__\n"
    ),
}


@pytest.mark.parametrize("source", _OUTSIDE.values(), ids=_OUTSIDE)
def test_what_is_no_data_of_the_package_is_looked_for_outside(tmp_path: Path, source: str) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_bytes("h\u00e9re\r\n".encode())
    asked = outside if "Path(str(x))" in source else str(outside)

    def read(space: Any) -> object:
        return space.answer(asked), sorted(space.UNITS)

    files = {**_DATA, "pkg/use.py": source}
    found = flatten(tmp_path, {"reference": files}, {"answer": "pkg:answer", "UNITS": "pkg:UNITS"}, read)
    assert "DATA = {" in found["reference"].source


def test_files_that_nobody_speaks_of_change_nothing(tmp_path: Path) -> None:
    source = "import os\n\nHOME = os.path.dirname(__file__)\n\n\ndef answer(x):\n    return HOME[:1] and bool(open)\n"
    files = {"pkg/__init__.py": source, "pkg/py.typed": "", "pkg/notes.rst": "notes\n"}
    assert "open_data" not in flat(tmp_path, files, {"answer": "pkg:answer"}, answer)


def test_a_word_in_a_text_or_comment_is_no_use_of_it(tmp_path: Path) -> None:
    source = '# __file__ is elsewhere\n\n\ndef answer(x):\n    "Read units.txt beside __file__."\n    return bool(open)\n'
    files = {"pkg/__init__.py": source, "pkg/units.txt": "a\n"}
    assert "open_data" not in flat(tmp_path, files, {"answer": "pkg:answer"}, answer)


def test_versions_read_data_alike_where_one_of_them_alone_names_its_place(tmp_path: Path) -> None:
    use = "def answer(x):\n    try:\n        return open('/nowhere').read()\n    except OSError:\n        return x\n"
    other = _DATA["pkg/__init__.py"]
    versions = {
        "broken": {"pkg/__init__.py": "from pkg.use import answer\n\nUNITS = 'a'\n", "pkg/use.py": use},
        "reference": {**_DATA, "pkg/__init__.py": other, "pkg/use.py": use},
    }
    originals = {"answer": "pkg:answer", "UNITS": "pkg:UNITS"}
    found = flatten(tmp_path, versions, originals, lambda space: (space.answer(3), bool(space.UNITS)))
    assert all("open_data('/nowhere')" in found[name].source.replace('"', "'") for name in versions)


def test_a_class_whose_metaclass_sees_its_name_keeps_it(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "from pkg.kinds import Mapping\nfrom pkg.other import size\n\n\ndef answer(x):\n    return size(x), Mapping.label\n",
        "pkg/kinds.py": (
            "class Meta(type):\n    def __new__(mcls, name, bases, space):\n"
            "        space['label'] = 'base' if name == 'Mapping' else name\n"
            "        return super().__new__(mcls, name, bases, space)\n\n\n"
            "class Mapping(metaclass=Meta):\n    pass\n"
        ),
        "pkg/other.py": "from collections.abc import Mapping\n\n\ndef size(x):\n    return isinstance(x, Mapping)\n",
    }
    assert "class Mapping(metaclass=Meta):" in lines(flat(tmp_path, files, {"answer": "pkg:answer"}, answer))
