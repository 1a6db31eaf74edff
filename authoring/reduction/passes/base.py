"""What a pass is: a name, and the edits that it would try on a state."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from authoring.model.variants import VersionName
from authoring.reduction.edits import Edit, Splice
from authoring.reduction.expressions import LineTree, Span, line_tree, precedence
from authoring.reduction.merged import MergedLine
from authoring.reduction.view import View

__all__ = ["Example", "Pass", "Phase", "VersionsExample", "binds", "lines", "parenthesised", "replace_rows"]

Example = tuple[str, str]
"""A program before, and after one edit that the pass proposes for it."""

VersionsExample = tuple[Mapping[VersionName, str], Mapping[VersionName, str]]
"""The same of several versions."""


@dataclass(frozen=True, slots=True)
class Pass:
    """A pass over the merged program."""

    name: str
    candidates: Callable[[View], Iterable[Edit]]
    hope: float = 0.3
    """The share of its edits that a first sweep is taken to keep."""
    whole: bool = False
    """Whether all edits are tried at once before any group of them."""
    guarded: VersionName | None = None
    """A version that may not grow by this pass, whatever is gained elsewhere."""
    traced: bool = False
    """Whether it needs to know which lines ran."""


@dataclass(frozen=True, slots=True)
class Phase:
    """Passes that are repeated together until they change nothing."""

    name: str
    passes: tuple[Pass, ...]
    anew: bool = False
    """Whether it begins as if nothing had been refused: what needed a line may be gone from another place."""


def lines(view: View) -> Iterator[tuple[int, MergedLine, LineTree]]:
    """Yield every merged line that holds an expression, with its nodes."""
    for number, line in enumerate(view.program.lines):
        if view.weights[number] > 1:
            yield number, line, line_tree(line.text)


def parenthesised(tree: LineTree, span: Span, part: Span) -> str:
    """Return the text of ``part`` as it must stand in the place of ``span``."""
    text = tree.source(part)
    if precedence(part.node) >= precedence(span.node) or not binds(span):
        return text
    return f"({text})"


def binds(span: Span) -> bool:
    """Say whether the place of a node is one where a looser expression would need parentheses."""
    return span.parent is not None and (
        type(span.parent.node).__name__
        in (
            "BinaryOperation",
            "BooleanOperation",
            "UnaryOperation",
            "Comparison",
            "ComparisonTarget",
            "Attribute",
        )
        or type(span.parent.node).__name__
        in ("Await", "IfExp", "StarredElement", "Subscript", "CompFor", "CompIf")
        or (type(span.parent.node).__name__ == "Call" and span.field == "func")
        or (type(span.node).__name__ != "Tuple" and span.parent.field == "with")
    )


def replace_rows(number: int, line: MergedLine, spans: Sequence[Span], texts: Sequence[str]) -> Edit:
    """Return the edit that puts a text in the place of each of some nodes, in all versions of their line."""
    pairs = list(zip(spans, texts, strict=True))
    changes = tuple(Splice(number, line.versions, span.start, span.end, text) for span, text in pairs)
    return Edit(changes, sum(span.end - span.start - len(text) for span, text in pairs))
