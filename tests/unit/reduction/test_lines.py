"""A line is parsed alone, and the nodes of a program are those of its lines."""

import ast

import pytest

from authoring.reduction.lines import count_nodes, kind_of, logical_lines, node_count

PROGRAM = '''import os, re as r
from a import (b,
    c)
X: int = 1
@deco(1)
@other
class A(B, metaclass=M):
    y = """first
    second:
"""
    async def m(self, *a, k=1, **kw) -> None:
        async with open(a) as f, g:
            await f
        async for i in a:
            yield i
        else:
            pass
def f(a, /, b=2):
    try:
        while a:
            a -= 1
        else:
            raise ValueError from None
    except (KeyError, OSError) as e:
        del a
    except Exception:
        global X
    else:
        return [i for i in a if i], {**b}, lambda: (yield)
    finally:
        assert a, f"{a!r:>{b}}"
    if a:
        pass
    elif b:
        x = a if b else -c
    else:
        a[1:2, ...] += b.c(d, *e)
    match a:
        case [1, *rest] if rest:
            pass
        case {"k": v, **others} | A(x=v):
            pass
        case _:
            return
'''


def test_the_nodes_of_a_program_are_those_of_its_lines() -> None:
    assert 1 + sum(map(node_count, logical_lines(PROGRAM))) == count_nodes(ast.parse(PROGRAM))


def test_logical_lines_keep_strings_and_brackets_whole_and_drop_blank_lines() -> None:
    lines = logical_lines("a = (1,\n  2)\n\n# note\nb = '''x\n\ny'''\nif a:\n    c = 1\n")
    assert logical_lines("if a:  # why\n    b = '#'  # b\n# c\n") == ["if a:", "    b = '#'"]
    assert lines == ["a = (1,\n  2)", "b = '''x\n\ny'''", "if a:", "    c = 1"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("async def f(): ", "simple"),
        ("async def f():", "def"),
        ("    elif a:", "elif"),
        ("x = y[a:]", "simple"),
        ("match = {1: 2}", "simple"),
        ("match(a):", "match"),
        ("@a.b", "decorator"),
        ("except* E:", "except"),
    ],
)
def test_a_header_is_told_by_its_keyword_and_colon(text: str, kind: str) -> None:
    assert kind_of(text) == kind
