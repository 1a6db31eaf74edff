"""Delete top-level definitions that nothing reaches, and members that nothing names."""

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

from authoring.model.variants import VersionName
from authoring.reduction.edits import Edit
from authoring.reduction.lines import frame, words
from authoring.reduction.passes.base import Example, Pass
from authoring.reduction.structure import Statement
from authoring.reduction.view import Unit, View

__all__ = ["EXAMPLES", "PASS"]

EXAMPLES: tuple[Example, ...] = (
    ("def f():\n    pass\ndef g():\n    return 1\nf()\n", "def f():\n    pass\nf()\n"),
    ("A = 1\nB = 2\nprint(A)\n", "A = 1\nprint(A)\n"),
    (
        "class C:\n    def m(self):\n        pass\n    def k(self):\n        pass\nC().m()\n",
        "class C:\n    def m(self):\n        pass\nC().m()\n",
    ),
)
_WORD = re.compile(r"[^\W\d]\w*")


def candidates(view: View) -> Iterator[Edit]:
    """Yield an edit for each top-level definition out of reach, then for each member that no line names."""
    reached = {version: _reached(view, version) for version in view.program.versions}
    named = {version: _named(view, version) for version in view.program.versions}
    for unit in reversed(view.units):
        if unit.depth == 0 and all(s.start not in reached[v] for v, s in unit.statements.items()):
            yield _deletion(view, unit)
    for unit in reversed(view.units):
        if unit.depth and all(_is_unnamed_member(view, v, s, named[v]) for v, s in unit.statements.items()):
            yield _deletion(view, unit)


def _deletion(view: View, unit: Unit) -> Edit:
    lines = view.extent(unit)
    return Edit(view.cuts(lines), view.gain(lines))


def _reached(view: View, version: VersionName) -> set[int]:
    """Return the starts of the top-level statements that exports and plain statements need."""
    texts = view.program.texts(version)
    binds: dict[str, list[Statement]] = {}
    waiting: list[Statement] = []
    for statement in view.trees[version]:
        names = _bound(texts[statement.head])
        for name in names:
            binds.setdefault(name, []).append(statement)
        if not names or names & view.exports:
            waiting.append(statement)
    reached: set[int] = set()
    while waiting:
        statement = waiting.pop()
        if statement.start in reached:
            continue
        reached.add(statement.start)
        named = {word for text in texts[statement.start : statement.stop] for word in words(text)}
        waiting.extend(other for word in sorted(named) for other in binds.get(word, ()))
    return reached


@lru_cache(maxsize=65536)
def _bound(text: str) -> frozenset[str]:
    """Return the names that a statement does nothing but bind; none for one that acts."""
    made = frame(text)
    if made.kind in ("def", "class"):
        found = _WORD.findall(text)
        return frozenset((found[found.index(made.kind) + 1],))
    if made.kind != "simple":
        return frozenset()
    node = ast.parse(made.source).body[0]
    if isinstance(node, ast.Import | ast.ImportFrom):
        return frozenset(alias.asname or alias.name.split(".")[0] for alias in node.names)
    targets = (
        node.targets
        if isinstance(node, ast.Assign)
        else [node.target]
        if isinstance(node, ast.AnnAssign)
        else []
    )
    names = [
        child for target in targets for child in ast.walk(target) if not isinstance(child, ast.expr_context)
    ]
    if all(isinstance(child, ast.Name | ast.Tuple) for child in names):
        return frozenset(child.id for child in names if isinstance(child, ast.Name))
    return frozenset()


def _named(view: View, version: VersionName) -> dict[str, int]:
    """Return how many lines hold each word."""
    counts: dict[str, int] = {}
    for text in view.program.texts(version):
        for word in words(text):
            counts[word] = counts.get(word, 0) + 1
    return counts


def _is_unnamed_member(view: View, version: VersionName, statement: Statement, named: dict[str, int]) -> bool:
    texts = view.program.texts(version)
    if statement.kind not in ("def", "class", "simple") or not statement.indent:
        return False
    names = _bound(texts[statement.head])
    return bool(names) and all(
        named[name] == 1 and name not in view.exports and not name.startswith("__") for name in names
    )


PASS = Pass("delete unreferenced", candidates, hope=0.95, whole=True)
