"""The exact program that must be found for shapes whose minimum is known."""

import pytest

from authoring.model.execution import ObservedTypes, Request
from authoring.model.variants import VersionName
from authoring.model.wire import encode
from tests.unit.reduction.sample import reduced, requests

RENDER = '''import re
from html import escape as _escape
SPACE = re.compile("[ /=>]")
_known = {}
def register(name):
    def add(function):
        _known[name] = function
        return function
    return add
class Markup(str):
    def __html__(self):
        return self
def markup(value):
    if hasattr(value, "__html__"):
        return Markup(value.__html__())
    return Markup(_escape(value))
@register("attr")
def f(d, autospace=True, context=None):
    """LOOP"""
'''
LOOP = """    items = []
    for key, value in d.items():
        if value is None:
            continue
        if SPACE.search(key) is not None:
            raise ValueError(key)
        items.append(markup(key) + "=" + markup(value))
    rv = " ".join(items)
    if autospace and rv:
        rv = " " + rv
    if context is not None:
        return Markup(rv)
    return str(rv)
"""
GENERATOR = """    rv = " ".join(markup(key) + "=" + markup(value) for key, value in d.items() if value is not None)
    if autospace and rv:
        rv = " " + rv
    if context is not None:
        return Markup(rv)
    return str(rv)
"""
ATTEMPT = LOOP.replace('SPACE = re.compile("[ /=>]")', "")


def pages(body: str, pattern: str = "[ /=>]") -> str:
    """Return the module with a body of ``f``."""
    return RENDER.replace('    """LOOP"""\n', body).replace("[ /=>]", pattern)


def test_the_transplanted_loop_without_its_check_is_the_fault() -> None:
    versions: dict[VersionName, str] = {
        "broken": pages(GENERATOR),
        "hard_negative": pages(LOOP, "[ ]"),
        "reference": pages(LOOP),
    }
    asked = requests(
        *(
            {"a": "<1>"},
            {"a": None, "b": "2", "c": "3"},
            {},
            {"a b": "1"},
            {"a/b": "1"},
            {"x>": "1", "y": None},
            {"=": ""},
        )
    )
    result = reduced(versions, asked)
    assert result.programs["reference"] == EXPECTED
    differing = {line.text.strip() for line in result.merged.lines if len(line.versions) < 3}
    assert differing == {
        'SPACE = re.compile("[ ]")',
        'SPACE = re.compile("[ /=>]")',
        "if SPACE.search(key):",
        "raise ValueError",
    }
    check = "        if SPACE.search(key):\n            raise ValueError\n"
    assert result.programs["broken"] == EXPECTED.replace(check, "")


EXPECTED = """import re
from html import escape as _escape

SPACE = re.compile("[ /=>]")


def f(d):
    items = []
    for key, value in d.items():
        if value is None:
            continue
        if SPACE.search(key):
            raise ValueError
        items.append(_escape(key) + "=" + _escape(value))
    rv = " ".join(items)
    if rv:
        rv = " " + rv
    return rv
"""

TABLES = """RULES = [("(?i)(qu)iz$", "1zes"), ("(?i)(m)ouse$", "ice"), ("(?i)(ox)$", "en"), ("(?i)s$", "s"), ("$", "s")]
UNCOUNTABLE = {"rice", "fish", "equipment"}
NAMES = {"one": 1, "two": 2, "three": 3}
def f(x):
    if x in UNCOUNTABLE:
        return x
    for suffix, ending in RULES:
        if suffix.startswith("(?i)(m)") and x == "mouse":
            return x[:1] + ending
    return NAMES.get(x, x + "s")
"""


def test_tables_lose_whole_elements_and_no_literal_is_edited() -> None:
    result = reduced({"reference": TABLES}, requests("mouse", "fish", "two", "cat"))
    assert result.programs["reference"] == (
        'RULES = [("(?i)(m)ouse$", "ice")]\nUNCOUNTABLE = {"fish"}\nNAMES = {"two": 2}\n\n\n'
        "def f(x):\n    if x in UNCOUNTABLE:\n        return x\n    for suffix, ending in RULES:\n"
        '        if x == "mouse":\n            return x[:1] + ending\n    return NAMES.get(x, x + "s")\n'
    )


CLASSES = """class Node:
    kind = "node"
    def __init__(self, value, parent=None):
        self.value = value
        self.parent = parent
        self.children = []
    def render(self):
        return self.kind + ":" + self.text()
class Leaf(Node):
    kind = "leaf"
    def text(self):
        return str(self.value)
    def __repr__(self):
        return "<Leaf %r>" % self.value
def f(x):
    return Leaf(x, parent=None).render()
"""


def test_a_base_with_one_subclass_a_wrapper_and_dead_members_go() -> None:
    result = reduced({"reference": CLASSES}, requests(1, 22))
    assert result.programs["reference"] == 'def f(x):\n    return "leaf" + ":" + str(x)\n'


SIGN = """def f(x):
    sign = 1
    if x[0] == "-":
        sign = -1
        start = 1
    elif x[0] == "+":
        start = 1
    else:
        start = 0
    base = 10
    if x[start:start + 2] == "0b":
        base = 2
        start += 2
    return sign * int(x[start:], base)
"""


def test_no_name_becomes_possibly_unassigned() -> None:
    result = reduced({"reference": SIGN}, requests("10", "0b11", "7"))
    assert result.programs["reference"] == (
        'def f(x):\n    base = 10\n    if x[:2] == "0b":\n        base = 2\n    return int(x, base)\n'
    )


REGISTRY = """_REGISTRY = {}
def register(name):
    def add(function):
        _REGISTRY[name] = function
        return function
    return add
@register("double")
def _double(x):
    return x * 2
@register("half")
def _half(x):
    return x // 2
def f(x):
    return _REGISTRY[x[0]](x[1])
"""


def test_what_only_a_registry_reaches_stays() -> None:
    result = reduced({"reference": REGISTRY}, requests(["double", 4], ["double", 5]))
    assert result.programs["reference"] == (
        '_REGISTRY = {}\n\n\ndef add(function):\n    _REGISTRY["double"] = function\n\n\n'
        "@add\ndef _double(x):\n    return x * 2\n\n\ndef f(x):\n    return _REGISTRY[x[0]](x[1])\n"
    )


STATE = """_seen = []
def note(x):
    _seen.append(x)
    return len(_seen)
def f(x):
    note(x)
    note("other")
    count = note(x)
    return count
"""


def test_state_between_calls_is_kept_where_it_shows() -> None:
    result = reduced(
        {"broken": STATE, "reference": STATE.replace("_seen.append(x)", "_seen[:] = [x]")}, requests(1)
    )
    minimum = (
        '_seen = []\n\n\ndef note():\n    _seen.append("other")\n    return len(_seen)\n\n\n'
        "def f(x):\n    note()\n    note()\n    return note()\n"
    )
    assert result.programs["broken"] == minimum
    assert result.programs["reference"] == minimum.replace('.append("other")', '[:] = ["other"]')
    assert result.merged.programs() == result.programs


RAISES = """class Error(Exception):
    pass
class ParseError(Error, ValueError):
    def __init__(self, text, position=None):
        super().__init__(text)
        self.text = text
        self.position = position
    def __str__(self):
        return "%s at %s" % (self.text, self.position)
def f(x):
    for place, char in enumerate(x):
        if not char.isdigit():
            raise ParseError(x, position=place)
    return int(x)
"""


def test_an_exception_keeps_its_class_and_loses_its_message() -> None:
    types = ObservedTypes(raises=("ParseError",))
    result = reduced({"reference": RAISES}, requests("12", "1x"), types=types)
    assert result.programs["reference"] == (
        "class ParseError(ValueError):\n    pass\n\n\ndef f(x):\n    for char in x:\n"
        "        if not char.isdigit():\n            raise ParseError\n    return int(x)\n"
    )


SCENARIO = """def walk(program, p, seen):
    class Visitor(program.Visitor):
        def visit(self, node):
            seen(node)
            return super().visit(node)
    seen(Visitor().run(p["x"]))
"""
VISITOR = """import logging
LOG = logging.getLogger("x")
class Visitor:
    depth = 0
    def run(self, nodes):
        LOG.debug("run %r", nodes)
        for node in nodes:
            self.depth += 1
            self.visit(node)
        return self.depth
    def visit(self, node):
        LOG.debug("visit %r", node)
        return None
"""


def test_what_a_scenario_overrides_stays() -> None:
    asked = [Request("walk", encode({"x": [1, 2]})), Request("walk", encode({"x": []}))]
    result = reduced({"reference": VISITOR}, asked, SCENARIO, exports=("Visitor",))
    assert result.programs["reference"] == (
        "class Visitor:\n    depth = 0\n\n    def run(self, nodes):\n        for node in nodes:\n"
        "            self.depth += 1\n            self.visit(node)\n        return self.depth\n\n"
        "    def visit(self, node):\n        pass\n"
    )


@pytest.mark.parametrize("count", [1, 3])
def test_versions_that_are_equal_stay_equal(count: int) -> None:
    names: tuple[VersionName, ...] = ("broken", "hard_negative", "reference")
    result = reduced(dict.fromkeys(names[:count], CLASSES), requests(1))
    assert len(set(result.programs.values())) == 1
    assert not result.merged.choices()


RECURSION = """def walk(node, strict=False, *, depth=0, debug=None):
    if debug:
        print(node)
    if isinstance(node, list):
        return [walk(item, strict, depth=depth + 1, debug=debug) for item in node]
    if strict:
        return node > 3, depth
    return node
def f(x):
    return walk([x, [x]], True)
"""


def test_constant_options_are_folded_through_a_recursion() -> None:
    pair: dict[VersionName, str] = {"broken": RECURSION, "reference": RECURSION.replace("> 3", ">= 3")}
    result = reduced(pair, requests(0, 2, 3, 4, 9))
    assert result.programs["broken"] == (
        "def walk(node, *, depth=0):\n    if isinstance(node, list):\n"
        "        return [walk(item, depth=depth + 1) for item in node]\n    return node > 3, depth\n\n\n"
        "def f(x):\n    return walk([x, [x]])\n"
    )


FACTORY = """def create(meta, names=()):
    class Validator:
        META = meta
        def __init__(self, n):
            self.n = n
        def check(self):
            return self.n > 3, self.META
    for name in names:
        setattr(Validator, name, True)
    return Validator
Draft = create("a")
def f(x):
    return Draft(x).check()
"""


def test_a_class_leaves_its_factory() -> None:
    pair: dict[VersionName, str] = {"broken": FACTORY, "reference": FACTORY.replace("> 3", ">= 3")}
    result = reduced(pair, requests(0, 2, 3, 4, 9))
    assert result.programs["broken"] == (
        'class Validator:\n    META = "a"\n\n    def __init__(self, n):\n        self.n = n\n\n'
        "    def check(self):\n        return self.n > 3, self.META\n\n\n"
        "def f(x):\n    return Validator(x).check()\n"
    )
