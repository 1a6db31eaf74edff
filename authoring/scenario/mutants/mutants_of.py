"""The mutants of a program: each differs from it in one place."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from authoring.scenario.compiles import compiles
from authoring.scenario.mutants.operator import Instead, Operator
from authoring.scenario.mutants.operators import OPERATORS
from authoring.scenario.mutants.splice import Splicer

__all__ = ["Mutant", "mutants_of", "telling_nodes"]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A program that differs from its original in one place."""

    id: str
    """``comparison-12.1``: operator, line of the original, and a number where a line has several."""
    operator: str
    line: int
    """Line of the original, from 1."""
    source: str


def mutants_of(
    source: str,
    only_functions: Collection[str] | None = None,
    limit: int | None = None,
    operators: Sequence[Operator] = OPERATORS,
    first_lines: Collection[int] = (),
) -> list[Mutant]:
    """Return distinct mutants that compile, the same list for the same source.

    ``only_functions`` keeps to functions and methods of these names. With a ``limit``, lines take turns, so
    that every region keeps some; ``first_lines`` (those of the fix) come first. A source that does not parse
    raises ``libcst.ParserSyntaxError``.
    """
    wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
    splicer = Splicer(wrapper)
    lines = wrapper.resolve(PositionProvider)
    found: dict[str, tuple[str, int, str]] = {source: ("", 0, "")}
    for node in telling_nodes(wrapper.module, only_functions, only_functions is None):
        for operator in operators:
            for proposal in operator.propose(node):
                part, by = (proposal.part, proposal.by) if isinstance(proposal, Instead) else (node, proposal)
                text = splicer.replaced(part, by)
                if text and text.strip() and text not in found and compiles(text):
                    found[text] = (operator.name, _line(lines.get(node)), text)
    made = _turns(list(found.values())[1:], frozenset(first_lines))
    return sorted(_named(made[:limit]), key=lambda mutant: (mutant.line, mutant.id))


def telling_nodes(
    node: cst.CSTNode, names: Collection[str] | None = None, is_inside: bool = True
) -> Iterator[cst.CSTNode]:
    """Yield nodes in the order of the text, without annotations, docstrings and what lies outside."""
    if isinstance(node, cst.Annotation) or (isinstance(node, cst.SimpleStatementLine) and _is_silent(node)):
        return
    if names is not None and isinstance(node, cst.FunctionDef) and node.name.value in names:
        is_inside = True
    if is_inside:
        yield node
    for child in node.children:
        yield from telling_nodes(child, names, is_inside)


def _is_silent(line: cst.SimpleStatementLine) -> bool:
    """Tell docstrings, ``__all__ = [...]`` and the like, of which nothing can be observed."""
    statement = line.body[0]
    if isinstance(statement, cst.Expr):
        return isinstance(statement.value, cst.SimpleString | cst.ConcatenatedString)
    if isinstance(statement, cst.Assign):
        target = statement.targets[0].target
        return isinstance(target, cst.Name) and target.value.startswith("__")
    return False


def _line(span: object) -> int:
    return span.start.line if isinstance(span, cst.metadata.CodeRange) else 0


def _turns(made: list[tuple[str, int, str]], first_lines: frozenset[int]) -> list[tuple[str, int, str]]:
    """Order mutants so that any beginning of the list is spread over lines and operators."""
    rows: dict[tuple[bool, int], list[tuple[str, int, str]]] = {}
    for one in made:
        rows.setdefault((one[1] not in first_lines, one[1]), []).append(one)
    near = [rows[key] for key in sorted(rows) if not key[0]]
    far = [rows[key] for key in sorted(rows) if key[0]]
    return [
        one for group in (near, far) for column in zip_longest(*group) for one in column if one is not None
    ]


def _named(made: list[tuple[str, int, str]]) -> list[Mutant]:
    counts: dict[str, int] = {}
    mutants = []
    for operator, line, text in made:
        stem = f"{operator}-{line}"
        counts[stem] = counts.get(stem, 0) + 1
        mutants.append(Mutant(f"{stem}.{counts[stem]}", operator, line, text))
    return mutants
