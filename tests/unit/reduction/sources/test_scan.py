"""Scopes are those that Python itself sees, and every use says when and where it happens."""

import symtable
from collections.abc import Iterator
from pathlib import Path

import pytest

import authoring
from authoring.reduction.sources.chunks import split
from authoring.reduction.sources.scan import Scan, scan

CASES = (
    "def f(a, *b, c=d, **e):\n    global g\n    g = a\n    return lambda h: h + i + a\n",
    "class A(B, metaclass=C):\n    x = y\n    y = x\n    def m(self):\n        return y, A\n",
    "r = [i + k for i in j for k in i if (w := i)]\n",
    "def f():\n    def g():\n        nonlocal x\n        x = 1\n    x = 0\n    return g\n",
    "def f():\n    import a.b\n    from c import d as e\n    return a, e\n",
    "match p:\n    case [q, *r]:\n        s = q\n    case {'k': t, **u}:\n        pass\n    case V(w=z):\n        pass\n",
    "try:\n    a\nexcept B as c:\n    c\nwith d as (e, f):\n    del e\n",
    "for i, (j, k.l) in m:\n    n[i] += 1\n",
    "class A:\n    class B:\n        z = 1\n        def f(self):\n            return [z for _ in self]\n",
)


def python_globals(text: str) -> set[str]:
    """Return the names that Python resolves at module level in a text."""

    def walk(table: symtable.SymbolTable) -> Iterator[str]:
        for symbol in table.get_symbols():
            if table.get_type() == "module" or symbol.is_global():
                yield symbol.get_name()
        for child in table.get_children():
            yield from walk(child)

    return set(walk(symtable.symtable(text, "text", "exec")))


def our_globals(found: Scan) -> set[str]:
    return {use.name for use in found.uses if use.home.kind == "module"} | set(found.binds)


@pytest.mark.parametrize("text", CASES)
def test_global_names_are_those_of_python(text: str) -> None:
    assert our_globals(scan(text)) == python_globals(text)


@pytest.mark.parametrize("path", sorted(Path(authoring.__file__).parent.glob("reduction/**/*.py")), ids=str)
def test_global_names_of_own_sources_are_those_of_python(path: Path) -> None:
    for chunk in split(path.read_text(encoding="utf-8")):
        assert our_globals(scan(chunk.text)) == python_globals(chunk.text), chunk.line


def test_a_default_is_evaluated_at_once_and_a_body_later() -> None:
    uses = {use.name: use.deferred for use in scan("def f(a=early):\n    return late\n").uses}
    assert uses == {"f": False, "early": False, "late": True}


def test_a_use_knows_the_attributes_that_follow_and_their_role() -> None:
    (use,) = [use for use in scan("a.b.c = 1\n").uses if use.name == "a"]
    assert [item.attr.value for item in use.chain] == ["b", "c"]
    assert use.chain_role == "store"


def test_a_use_knows_its_class_member() -> None:
    uses = scan("class A(B):\n    x = y\n    def m(self):\n        return z\n").uses
    assert {use.name: use.member for use in uses} == {"B": -1, "y": 0, "z": 1, "A": -1}


def test_attribute_names_in_text_are_seen_with_computed_ones_as_beginnings() -> None:
    found = scan(
        "getattr(a, 'one')\nhasattr(a, 'two_' + b)\ngetattr(a, f'three_{b}')\ngetattr(a, 'four_%s' % b)\n"
    )
    assert {(item.name, item.is_prefix) for item in found.attributes if item.by_text} == {
        ("one", False),
        ("two_", True),
        ("three_", True),
        ("four_", True),
    }


def test_a_class_body_reads_its_own_members() -> None:
    found = scan("class A:\n    def f(self): pass\n    g = f\n    h = property(f)\n")
    assert found.siblings == ((1, "f"), (2, "f"))


def test_the_own_module_is_seen_in_sys_modules() -> None:
    roles = [use.role for use in scan("here = sys.modules[__name__]\n").uses]
    assert roles == ["module", "store"]


def test_spans_are_the_headers_of_statements() -> None:
    text = "@d(\n  1)\ndef f(\n  a,\n):\n    if a:\n        b\n    else:\n        c; d\n"
    spans = {type(node).__name__: span for node, span in scan(text).spans.items()}
    assert spans["FunctionDef"] == (1, 5)
    assert spans["If"] == (6, 6)
    assert spans["SimpleStatementLine"] == (9, 9)
