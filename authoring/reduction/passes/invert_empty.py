"""Turn ``if test: pass`` with an ``else`` into the opposite test."""

from collections.abc import Iterator

import libcst as cst

from authoring.reduction.edits import Change, Cut, Edit, Splice
from authoring.reduction.expressions import LineTree, line_tree, precedence
from authoring.reduction.passes.base import Example, Pass
from authoring.reduction.view import View

__all__ = ["EXAMPLES", "PASS"]

EXAMPLES: tuple[Example, ...] = (
    ("if a:\n    pass\nelse:\n    f()\n", "if not a:\n    f()\n"),
    ("if a is None:\n    pass\nelse:\n    f()\n", "if a is not None:\n    f()\n"),
    ("if not a:\n    pass\nelse:\n    f()\n", "if a:\n    f()\n"),
    ("if a or b:\n    pass\nelse:\n    f()\n", "if not (a or b):\n    f()\n"),
)
_OPPOSITE: dict[type[cst.CSTNode], str] = {
    cst.Is: "is not",
    cst.IsNot: "is",
    cst.In: "not in",
    cst.NotIn: "in",
    cst.Equal: "!=",
    cst.NotEqual: "==",
}


def candidates(view: View) -> Iterator[Edit]:
    """Yield an edit for each such statement that all its versions hold alike."""
    lines = view.program.lines
    for unit in view.units:
        version, statement = next(iter(unit.statements.items()))
        if statement.kind != "if" or [arm.kind for arm in statement.arms] != ["if", "else"]:
            continue
        held = view.held[version]
        first, second = statement.arms
        if first.stop - first.header != 2 or lines[held[first.header + 1]].text.strip() != "pass":
            continue
        versions = lines[unit.line].versions
        gone = (held[first.header + 1], held[second.header])
        if any(lines[number].versions != versions for number in gone):
            continue
        tree = line_tree(lines[unit.line].text)
        test = next(span for span in tree.children(None) if span.field == "test")
        changes: list[Change] = [Cut(number, versions) for number in gone]
        changes.append(Splice(unit.line, versions, test.start, test.end, _opposite(tree)))
        yield Edit(tuple(changes), 2)


def _opposite(tree: LineTree) -> str:
    test = next(span for span in tree.children(None) if span.field == "test")
    node = test.node
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
        return tree.source(next(tree.parts(test)))
    if isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
        operator = _OPPOSITE.get(type(node.comparisons[0].operator))
        if operator:
            right = next(
                tree.parts(next(c for c in tree.children(test) if isinstance(c.node, cst.ComparisonTarget)))
            )
            return f"{tree.source(next(tree.parts(test)))} {operator} {tree.source(right)}"
    return f"not {tree.source(test)}" if precedence(node) > 5 else f"not ({tree.source(test)})"


PASS = Pass("invert empty", candidates, hope=0.9)
