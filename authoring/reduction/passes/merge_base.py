"""Move the members of a base class into its only subclass."""

from collections.abc import Iterator

import libcst as cst

from authoring.reduction.edits import Change, Edit, Insert, Splice
from authoring.reduction.expressions import line_tree
from authoring.reduction.lines import defined_name, indent_of, kind_of, words
from authoring.reduction.passes.base import Example, Pass
from authoring.reduction.view import Unit, View

__all__ = ["EXAMPLES", "PASS"]

EXAMPLES: tuple[Example, ...] = (
    (
        "class A:\n    def f(self):\n        pass\nclass B(A):\n    def g(self):\n        pass\n",
        "class B:\n    def f(self):\n        pass\n    def g(self):\n        pass\n",
    ),
    ("class A(E):\n    x = 1\nclass B(A):\n    pass\n", "class B(E):\n    x = 1\n    pass\n"),
    ("class A:\n    x = 1\n    y = 2\nclass B(A):\n    x = 3\n", "class B:\n    y = 2\n    x = 3\n"),
)


def candidates(view: View) -> Iterator[Edit]:
    """Yield an edit for each class that nothing but one subclass names."""
    lines = view.program.lines
    classes = [unit for unit in view.units if kind_of(lines[unit.line].text) == "class" and unit.depth == 0]
    for base in classes:
        name = _name(view, base)
        naming = [n for n, line in enumerate(lines) if name in words(line.text) and n != base.line]
        subclasses = [unit for unit in classes if unit.line in naming]
        if len(naming) == len(subclasses) == 1 and name not in view.exports:
            edit = _merge(view, base, subclasses[0])
            if edit is not None:
                yield edit


def _name(view: View, unit: Unit) -> str:
    return defined_name(view.program.lines[unit.line].text)


def _merge(view: View, base: Unit, subclass: Unit) -> Edit | None:
    lines = view.program.lines
    header, below = lines[base.line], lines[subclass.line]
    if header.versions != below.versions:
        return None
    tree = line_tree(below.text)
    name = _name(view, base)
    place = next(
        (a for a in tree.children(None) if isinstance(a.node, cst.Arg) and tree.source(a) == name), None
    )
    if place is None:
        return None
    inherited = ", ".join(
        line_tree(header.text).source(a)
        for a in line_tree(header.text).children(None)
        if isinstance(a.node, cst.Arg)
    )
    extent = view.extent(base)
    changes: list[Change] = list(view.cuts(extent))
    alone = sum(isinstance(a.node, cst.Arg) for a in tree.children(None)) == 1
    if inherited or not alone:
        changes.append(Splice(subclass.line, below.versions, place.start, place.end, inherited or "object"))
    else:
        changes.append(Splice(subclass.line, below.versions, place.start - 1, place.end + 1, ""))
    own = {_member(lines[n].text) for n in view.extent(subclass) if indent_of(lines[n].text) == 4}
    taken = True
    for number, versions in extent.items():
        text = lines[number].text
        if number <= base.line:
            continue
        if indent_of(text) == 4:
            taken = _member(text) not in own or kind_of(text) == "decorator"
        if taken and text.strip() != "pass":
            changes.append(Insert(subclass.line + 1, versions, text))
    return Edit(tuple(changes), 6)


def _member(text: str) -> str:
    kind = kind_of(text)
    if kind in ("def", "class"):
        return defined_name(text)
    return text.split(" = ", maxsplit=1)[0].strip() if kind == "simple" else text


PASS = Pass("merge base", candidates, hope=0.5)
