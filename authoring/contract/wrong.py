"""Programs that may be wrong: partial fixes, over-corrections, and mutants of the reference."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from authoring.contract.material import WrongKind
from authoring.scenario.compiles import compiles
from authoring.scenario.domain import changed_lines
from authoring.scenario.mutants import mutants_of, over_corrections_of

__all__ = ["Suspect", "partial_fixes", "suspects_of"]

_HUNKS_CAP = 4
_OVER_CORRECTIONS_SHARE = 8
"""For so many mutants there may be one over-correction."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A program that may be wrong."""

    id: str
    kind: WrongKind
    source: str
    is_near_fix: bool
    """Whether it differs from the reference in a function that the fix touches, or beside the fix."""


def suspects_of(broken: str, reference: str, limit: int) -> list[Suspect]:
    """Return the partial fixes, the over-corrections, and the mutants of the reference, those near the fix first.

    ``limit`` is how many mutants there may be; of a text that is made in several ways, the first stays.
    """
    _, there = changed_lines(broken, reference)
    near = _around(reference, there)
    found = [
        Suspect(f"partial-{n}", "partial-fix", text, True)
        for n, text in enumerate(partial_fixes(broken, reference))
    ]
    for made in over_corrections_of(broken, reference, limit=limit // _OVER_CORRECTIONS_SHARE):
        found.append(Suspect(made.id, "over-correction", made.source, True))
    for mutant in mutants_of(reference, limit=limit, first_lines=near):
        found.append(Suspect(mutant.id, "mutant", mutant.source, mutant.line in near))
    distinct: dict[str, Suspect] = {}
    for one in found:
        distinct.setdefault(one.source, one)
    return [one for text, one in distinct.items() if text not in (broken, reference)]


def _around(source: str, lines: frozenset[int]) -> frozenset[int]:
    """Return the lines with those next to them and all of the smallest functions that hold one."""
    wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
    positions = wrapper.resolve(PositionProvider)
    spans = [
        range(span.start.line, span.end.line + 1)
        for node, span in positions.items()
        if isinstance(node, cst.FunctionDef) and isinstance(span, CodeRange)
    ]
    found = set(lines)
    for line in lines:
        found |= {line - 1, line + 1}
        holding = [span for span in spans if line in span]
        found |= set(min(holding, key=len, default=()))
    return frozenset(found)


def partial_fixes(broken: str, reference: str) -> list[str]:
    """Return the compiling programs in which some hunks of the fix are taken and others are not.

    With more than four hunks: each alone, and all but each.
    """
    one, other = broken.splitlines(keepends=True), reference.splitlines(keepends=True)
    codes = difflib.SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    hunks = [index for index, code in enumerate(codes) if code[0] != "equal"]
    texts = []
    for taken in _subsets(hunks):
        parts = []
        for index, (_, low, high, other_low, other_high) in enumerate(codes):
            parts += other[other_low:other_high] if index in taken else one[low:high]
        texts.append("".join(parts))
    return [text for text in dict.fromkeys(texts) if text not in (broken, reference) and compiles(text)]


def _subsets(hunks: Sequence[int]) -> list[frozenset[int]]:
    if len(hunks) <= _HUNKS_CAP:
        return [frozenset(some) for size in range(1, len(hunks)) for some in combinations(hunks, size)]
    return [frozenset([hunk]) for hunk in hunks] + [frozenset(hunks) - {hunk} for hunk in hunks]
