"""Put the value of a name that is read once, or that is another name for a name, in the place of its reads."""

from collections.abc import Iterator

import libcst as cst

from authoring.reduction.edits import Change, Cut, Edit, Splice
from authoring.reduction.expressions import Span, line_tree, precedence
from authoring.reduction.lines import frame, indent_of
from authoring.reduction.passes.base import Example, Pass, binds
from authoring.reduction.scopes import Uses, owners, region, uses_in
from authoring.reduction.view import View

__all__ = ["EXAMPLES", "PASS"]

EXAMPLES: tuple[Example, ...] = (
    ("def f(a):\n    b = a + 1\n    return b\n", "def f(a):\n    return a + 1\n"),
    ("def f(a):\n    b = a + 1\n    return b * 2\n", "def f(a):\n    return (a + 1) * 2\n"),
    ("def f(a):\n    b = a\n    g(b)\n    return b\n", "def f(a):\n    g(a)\n    return a\n"),
    (
        "def f(a):\n    for b in a:\n        g(b)\n    b = a + 1\n    return b\n",
        "def f(a):\n    for b in a:\n        g(b)\n    return a + 1\n",
    ),
    ("text = str\ndef f(a):\n    return text(a)\n", "def f(a):\n    return str(a)\n"),
)
_WIDTH = 100


def candidates(view: View) -> Iterator[Edit]:
    """Yield an edit for each assignment of one name whose reads are all in reach."""
    owner = owners(view)
    for number, line in enumerate(view.program.lines):
        made = frame(line.text)
        if made.kind != "simple" or " = " not in made.body:
            continue
        tree = line_tree(line.text)
        value = _value(tree.spans)
        if value is None:
            continue
        name = made.body.split(" = ")[0]
        if not name.isidentifier() or (owner[number] < 0 and (made.indent or name in view.exports)):
            continue
        alias = isinstance(value.node, cst.Name)
        if owner[number] < 0 and not alias:
            continue
        uses = uses_in(view, region(view, owner[number]), name, line.versions)
        if uses.clear and uses.reads and set(uses.bound) != {number} and owner[number] >= 0:
            uses = _beside(view, uses, number)
        if not uses.clear or set(uses.bound) != {number} or not uses.reads:
            continue
        if len(uses.reads) > 1 and not alias and not isinstance(value.node, cst.BaseNumber):
            continue
        changes = _changes(view, number, value, list(uses.reads))
        if changes:
            yield Edit(changes, 5 * len(uses.reads))


def _beside(view: View, uses: Uses, number: int) -> Uses:
    """Return the reads of the next line alone, for a name that is bound again elsewhere."""
    lines = view.program.lines
    after = number + 1
    if after >= len(lines) or indent_of(lines[after].text) != indent_of(lines[number].text):
        return uses
    return Uses(tuple(read for read in uses.reads if read[0] == after), (number,), uses.clear)


def _value(spans: list[Span]) -> Span | None:
    assigned = [span for span in spans if span.field == "value" and span.within(cst.Assign)]
    targets = [span for span in spans if isinstance(span.node, cst.AssignTarget)]
    return assigned[0] if len(assigned) == len(targets) == 1 else None


def _changes(view: View, number: int, value: Span, reads: list[tuple[int, Span]]) -> tuple[Change, ...]:
    line = view.program.lines[number]
    changes: list[Change] = [Cut(number, line.versions)]
    for place, span in reads:
        text = line.text[value.start : value.end]
        if place <= number and view.program.lines[place].text[:1] == " " and line.text[:1] == " ":
            return ()
        if precedence(value.node) < 20 and binds(span):
            text = f"({text})"
        if len(view.program.lines[place].text) + len(text) > _WIDTH:
            return ()
        held = view.program.lines[place].versions & line.versions
        changes.append(Splice(place, held, span.start, span.end, text))
    return tuple(changes)


PASS = Pass("inline variable", candidates, hope=0.5)
