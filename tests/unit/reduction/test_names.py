"""A name that is undefined or possibly unassigned is found, and nothing else is."""

import pytest

from authoring.reduction.lines import logical_lines
from authoring.reduction.names import issues

CLEAN = [
    "import os.path\nos.path.join('a')\n",
    "def f():\n    return g()\ndef g():\n    return len([])\n",
    "def f(a):\n    while True:\n        b = 1\n        if a:\n            break\n    return b\n",
    "def f(a):\n    try:\n        b = 1\n    except ValueError:\n        raise\n    return b\n",
    "def f(a):\n    try:\n        a()\n    finally:\n        b = 1\n    return b\n",
    "def f(a):\n    if a:\n        return 1\n    else:\n        b = 2\n    return b\n",
    "class A:\n    x = 1\n    y = x\n    def f(self):\n        return __class__, super().f()\n",
    "def f():\n    def g():\n        return x\n    x = 1\n    return g\n",
    "def f(a):\n    return [b for b in a for c in b if c], {k: v for k, v in a}, lambda d: d\n",
    "def f(a):\n    match a:\n        case [b, *_]:\n            a(b)\n        case {1: c, **d}:\n            a(d)\n",
    "def f(a):\n    match a:\n        case 1:\n            b = 1\n        case _:\n            b = 2\n    return b\n",
    "def f():\n    global g\n    g = 1\ndef h():\n    return f\n",
    "x = 1\ndel x\nx = 2\ndef f():\n    return x\n",
    "if (n := len('a')) > 1:\n    print(n)\n",
    "import collections\nimport collections.abc\ncollections.abc.Mapping\n",
    "import collections\nfrom collections.abc import Set\ncollections.abc.Mapping\n",
    "import xml.etree.ElementTree\nxml.etree.ElementTree.XML\n",
    "import collections\ncollections.OrderedDict.fromkeys\n",
    "def f(collections):\n    return collections.abc\n",
    "import json\njson.decoder.JSONDecoder\n",
    "import asyncio\nasyncio.events.get_event_loop\n",
    "def f(a):\n    if a:\n        return 1\n    raise ValueError\n",
    "def f(a):\n    while True:\n        if a:\n            return 1\n",
    "def f(a):\n    if a:\n        return None\n    a()\n",
    "def f(a):\n    if a:\n        return 1\n    yield a\n",
    "def f(a):\n    def g():\n        yield a\n    return g\n",
    "def f(a):\n    try:\n        return a()\n    except ValueError:\n        return 2\n",
    "def f(a):\n    return a\n    a()\n",
    "def f(a):\n    with a as b:\n        pass\n    for c in b:\n        break\n    else:\n        c = 1\n",
]
WRONG = [
    ("def f():\n    return x\n", ("undefined", "", "x")),
    ("print(x)\nx = 1\n", ("unassigned", "", "x")),
    ("def f(a):\n    if a:\n        b = 1\n    return b\n", ("unassigned", "f", "b")),
    ("def f(a):\n    for b in a:\n        pass\n    return b\n", ("unassigned", "f", "b")),
    (
        "def f():\n    try:\n        b = g\n    except ValueError:\n        pass\n    return b\ng = 1\n",
        ("unassigned", "f", "b"),
    ),
    ("class A:\n    def m(self):\n        del self\n        return self\n", ("unassigned", "A.m", "self")),
    ("class A:\n    x = 1\n    def m(self):\n        return x\n", ("undefined", "", "x")),
    ("import sys\nif sys:\n    x = 1\ndef f():\n    return x\n", ("unassigned", "", "x")),
    (
        "def f(a):\n    try:\n        pass\n    except ValueError as e:\n        pass\n    return e\n",
        ("unassigned", "f", "e"),
    ),
    ("import collections\ncollections.abc.Mapping\n", ("undefined", "", "collections.abc")),
    (
        "import xml\nfrom xml.etree import cElementTree\ndef f():\n    xml.etree.ElementTree.XML\n",
        ("undefined", "", "xml.etree.ElementTree"),
    ),
    ("def f(a):\n    if a:\n        return 1\n", ("mixed", "", "f")),
    ("def f(a):\n    if a:\n        return 1\n    return None\n", ("mixed", "", "f")),
    ("def f(a):\n    for b in a:\n        return b\n", ("mixed", "", "f")),
    (
        "class A:\n    def m(self):\n        if self:\n            return\n        return 1\n",
        ("mixed", "", "m"),
    ),
    ("def f(a):\n    def g():\n        if a:\n            return 1\n    return g\n", ("mixed", "", "g")),
    (
        "def f(a):\n    try:\n        return a()\n    except ValueError:\n        a = 2\n",
        ("mixed", "", "f"),
    ),
    ("def f(a):\n    while True:\n        if a:\n            break\n        return 1\n", ("mixed", "", "f")),
    ("def f(:\n    pass\n", ("syntax", "", "")),
    ("def f():\n    pass\nbreak\n", ("syntax", "", "")),
]


@pytest.mark.parametrize("source", CLEAN)
def test_a_program_whose_names_are_bound_has_no_issue(source: str) -> None:
    assert issues(logical_lines(source)) == frozenset()


@pytest.mark.parametrize(("source", "issue"), WRONG)
def test_an_unbound_name_is_an_issue(source: str, issue: tuple[str, str, str]) -> None:
    assert issue in issues(source.splitlines())
