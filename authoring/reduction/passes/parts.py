"""Replace an expression by one of its parts."""

import ast
import builtins
from collections.abc import Collection, Iterator

import libcst as cst

from authoring.reduction.edits import Edit
from authoring.reduction.expressions import LineTree, Span, in_literal
from authoring.reduction.lines import defined_name, kind_of, words
from authoring.reduction.passes.base import Example, Pass, lines, parenthesised, replace_rows
from authoring.reduction.rows import alike
from authoring.reduction.view import View

__all__ = ["EXAMPLES", "PASS"]

EXAMPLES: tuple[Example, ...] = (
    ("x = f(a, b)\n", "x = a\n"),
    ("x = s.strip().lower()\n", "x = s.strip()\n"),
    ("x = a + b * c\n", "x = b * c\n"),
    ("x = (a or b) + c\n", "x = (a or b)\n"),
    ("x = f(a or b).c\n", "x = (a or b).c\n"),
    ("x = [f(a) for a in b]\n", "x = b\n"),
    ("if not a:\n    f()\n", "if a:\n    f()\n"),
    ("x = a[1:2]\n", "x = a\n"),
    ("x = [f(1), f(2), f(3)]\n", "x = [1, 2, 3]\n"),
    ("class C:\n    pass\nx = C(a, b=c).d\n", "class C:\n    pass\nx = c\n"),
)
_DISPLAYS = (cst.List, cst.Set, cst.Tuple, cst.Dict)
_WHOLE = (cst.BaseString, cst.Name, cst.BaseNumber)


def candidates(view: View) -> Iterator[Edit]:
    """Yield an edit for each expression and each expression directly inside it, in all rows of a table at once.

    A module or class never stands in for what is found in it: ``registry.Table()`` does not become ``registry``.
    Nor does a text stand in for the container that holds it, since ``in`` and loops would look inside the text.
    """
    spaces = _spaces(view)
    for number, line, tree in lines(view):
        for span in tree.expressions:
            rows = alike(tree, span)
            if isinstance(span.node, _WHOLE) or rows[0] is not span:
                continue
            for part in (*_parts(tree, span), *_given(tree, span, spaces)):
                if (
                    part.within(cst.Attribute)
                    and isinstance(part.node, cst.Name)
                    and part.node.value in spaces
                ):
                    continue
                if isinstance(span.node, _DISPLAYS) and isinstance(part.node, cst.BaseString):
                    continue
                parts = alike(tree, part) if len(rows) > 1 else (part,)
                texts = [parenthesised(tree, one, inner) for one, inner in zip(rows, parts, strict=True)]
                yield replace_rows(number, line, rows, texts)


def _parts(tree: LineTree, span: Span) -> Iterator[Span]:
    """Yield the nearest expressions below a node that mean something outside it; a method's object, not the method."""
    if in_literal(span):
        return
    for part in tree.parts(span):
        if part.field in _BOUND or part.within(
            cst.Index, cst.Slice, cst.CompIf, cst.Param, cst.FormattedStringExpression
        ):
            continue
        if part.field != "func":
            yield part
        elif isinstance(part.node, cst.Attribute):
            yield from (inner for inner in tree.children(part) if inner.field == "value")


def _given(tree: LineTree, span: Span, spaces: Collection[str]) -> Iterator[Span]:
    """Yield what a class is called with to read one attribute of the object."""
    call = next(iter(tree.children(span)), None) if isinstance(span.node, cst.Attribute) else None
    if call is None or not isinstance(call.node, cst.Call):
        return
    if isinstance(call.node.func, cst.Name) and call.node.func.value in spaces:
        yield from (part for part in _parts(tree, call) if part.within(cst.Arg))


def _spaces(view: View) -> Collection[str]:
    """Return the names of what holds other names: modules, and classes by definition or by how they are spelt.

    Built-in types are among them unless a function takes a parameter of that name.
    """
    found = {name for name, value in vars(builtins).items() if isinstance(value, type)}
    for line in view.program.lines:
        if line.text.startswith("import "):
            for node in ast.parse(line.text).body:
                if isinstance(node, ast.Import):
                    found.update(alias.asname or alias.name.partition(".")[0] for alias in node.names)
        elif line.text.startswith("from "):
            for node in ast.parse(line.text).body:
                if isinstance(node, ast.ImportFrom):
                    names = (alias.asname or alias.name for alias in node.names)
                    found.update(name for name in names if name[:1].isupper() and not name.isupper())
        elif line.text.startswith("class "):
            found.add(defined_name(line.text))
        elif kind_of(line.text) == "def":
            found -= words(line.text)
    return found


_BOUND = frozenset(("slice", "elt", "key", "test", "attr", "target", "keyword"))

PASS = Pass("parts", candidates, hope=0.15)
