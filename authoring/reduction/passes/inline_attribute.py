"""Put the constant that a class attribute holds in the place of its only read."""

from collections.abc import Iterator

import libcst as cst

from authoring.reduction.edits import Cut, Edit, Splice
from authoring.reduction.expressions import Span, line_tree
from authoring.reduction.lines import frame, indent_of, kind_of, words
from authoring.reduction.passes.base import Example, Pass
from authoring.reduction.view import View

__all__ = ["EXAMPLES", "PASS"]

EXAMPLES: tuple[Example, ...] = (
    (
        "class C:\n    size = 3\n    def f(self):\n        return self.size + 1\n",
        "class C:\n    def f(self):\n        return 3 + 1\n",
    ),
)
_VALUES = (cst.Name, cst.SimpleString, cst.BaseNumber)


def candidates(view: View) -> Iterator[Edit]:
    """Yield an edit for each attribute that a class binds to a constant and one line reads."""
    lines = view.program.lines
    for number, line in enumerate(lines):
        made = frame(line.text)
        if (
            made.kind != "simple"
            or not made.indent
            or " = " not in made.body
            or not _is_in_class(view, number)
        ):
            continue
        name = made.body.split(" = ")[0]
        naming = [n for n, other in enumerate(lines) if n != number and name in words(other.text)]
        values = [s for s in line_tree(line.text).spans if s.field == "value" and s.within(cst.Assign)]
        if not name.isidentifier() or name in view.exports or len(naming) != 1 or len(values) != 1:
            continue
        reads = _reads(view, naming[0], name)
        held = lines[naming[0]].versions
        if len(reads) == 1 and isinstance(values[0].node, _VALUES) and held == line.versions:
            text = line_tree(line.text).source(values[0])
            splice = Splice(naming[0], held, reads[0].start, reads[0].end, text)
            yield Edit((Cut(number, line.versions), splice), 6)


def _is_in_class(view: View, number: int) -> bool:
    lines = view.program.lines
    above = number
    while above and indent_of(lines[above].text) >= indent_of(lines[number].text):
        above -= 1
    return kind_of(lines[above].text) == "class"


def _reads(view: View, number: int, name: str) -> list[Span]:
    tree = line_tree(view.program.lines[number].text)
    return [s for s in tree.expressions if isinstance(s.node, cst.Attribute) and s.node.attr.value == name]


PASS = Pass("inline attribute", candidates, hope=0.5)
