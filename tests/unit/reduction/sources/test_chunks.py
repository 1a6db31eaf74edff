"""A module is cut at its top-level statements, whatever stands in strings, brackets and comments."""

import ast
from pathlib import Path

import pytest

import authoring
from authoring.reduction.sources.chunks import split, statement_lines

HARD = '''"""Doc
with # and ( inside"""
import os; import sys
x = (1,  # a comment )
     2)

@decorator(
    "a\\"b",
)
# between
class A:
    s = \'\'\'
def not_a_function(): pass
\'\'\'

# a comment at the margin inside the class
    def f(self):
        return [
0]
if x:
    y = 1
elif z:
    y = "#"
else:
    y = 2
try:
    pass
except (ValueError,
        TypeError):
    pass
finally:
    done = 1 \\
        + 2
'''


def starts(text: str) -> list[int]:
    """Return the lines at which Python's own parser sees top-level statements begin."""
    found: list[int] = []
    for node in ast.parse(text).body:
        decorators = getattr(node, "decorator_list", [])
        found.append(min([node.lineno, *(item.lineno for item in decorators)]))
    return sorted(set(found))


def test_each_chunk_is_one_top_level_line_or_block() -> None:
    assert [chunk.line for chunk in split(HARD)] == starts(HARD)


def test_each_chunk_is_python_by_itself() -> None:
    for chunk in split(HARD):
        ast.parse(chunk.text)


def test_logical_lines_cover_the_lines_of_every_statement() -> None:
    firsts = {first for first, _ in statement_lines(HARD)}
    statements = [node for node in ast.walk(ast.parse(HARD)) if isinstance(node, ast.stmt)]
    assert {node.lineno for node in statements} <= firsts


@pytest.mark.parametrize("path", sorted(Path(authoring.__file__).parent.glob("reduction/**/*.py")), ids=str)
def test_own_sources_are_cut_as_the_parser_does(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert [chunk.line for chunk in split(text)] == starts(text)
