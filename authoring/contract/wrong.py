"""Wrong programs, and on which inputs each is found out."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from authoring.contract.material import WrongKind
from authoring.scenario.domain import changed_lines
from authoring.scenario.mutants import mutants_of

__all__ = ["Suspect", "Wrong", "partial_fixes", "suspects_of"]

_MUTANTS_CAP = 130
_HUNKS_CAP = 4


@dataclass(frozen=True, slots=True)
class Suspect:
    """A program that may be wrong."""

    id: str
    kind: WrongKind
    source: str
    is_near_fix: bool
    """Whether it differs from the reference on a line of the fix, or next to one."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A program with the inputs (by key) on which it is wrong."""

    id: str
    kind: WrongKind
    source: str
    is_near_fix: bool
    fails: frozenset[str]


def suspects_of(broken: str, reference: str, limit: int = _MUTANTS_CAP) -> list[Suspect]:
    """Return the partial fixes and the mutants of the reference, those on the lines of the fix first."""
    _, there = changed_lines(broken, reference)
    lines = len(reference.splitlines())
    near = there | {other for line in there for other in (line - 1, line + 1) if 1 <= other <= lines}
    found = [
        Suspect(f"partial-{n}", "partial-fix", text, True)
        for n, text in enumerate(partial_fixes(broken, reference))
    ]
    for mutant in mutants_of(reference, limit=limit, first_lines=near):
        found.append(Suspect(mutant.id, "mutant", mutant.source, mutant.line in near))
    return list({one.source: one for one in found if one.source not in (broken, reference)}.values())


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
    return [text for text in dict.fromkeys(texts) if text not in (broken, reference) and _compiles(text)]


def _subsets(hunks: Sequence[int]) -> list[frozenset[int]]:
    if len(hunks) <= _HUNKS_CAP:
        return [frozenset(some) for size in range(1, len(hunks)) for some in combinations(hunks, size)]
    return [frozenset([hunk]) for hunk in hunks] + [frozenset(hunks) - {hunk} for hunk in hunks]


def _compiles(text: str) -> bool:
    try:
        compile(text, "partial", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True
