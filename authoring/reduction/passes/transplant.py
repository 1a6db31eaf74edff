"""Give one version the text of another wherever all observations stay: what is left is the fault."""

from collections.abc import Callable, Iterator

from authoring.model.variants import VersionName
from authoring.reduction.edits import Change, Cut, Edit, Grant
from authoring.reduction.lines import indent_of, kind_of, words
from authoring.reduction.merged import MergedProgram
from authoring.reduction.passes.base import Pass, VersionsExample
from authoring.reduction.view import View

__all__ = ["COLLAPSE", "EXAMPLES", "PASSES", "hunks"]

_CALLS = "def f(a):\n    g(a)\n    return a\n"
_TWICE = "def f(a):\n    g(a)\n    return 2 * a\n"
_BOTH = "def f(a):\n    h(a)\n    return 2 * a\n"
EXAMPLES: tuple[VersionsExample, ...] = (
    ({"broken": _CALLS, "reference": _TWICE}, {"broken": _TWICE, "reference": _TWICE}),
    ({"broken": _CALLS, "reference": _TWICE}, {"broken": _CALLS, "reference": _CALLS}),
    (
        {"broken": "f()\n", "reference": "f()\ng()\nh()\n"},
        {"broken": "f()\ng()\n", "reference": "f()\ng()\nh()\n"},
    ),
    (
        {"broken": _CALLS, "hard_negative": _TWICE, "reference": _BOTH},
        {"broken": _CALLS, "hard_negative": _BOTH, "reference": _BOTH},
    ),
)

_FEW = 16
_DIRECTIONS: tuple[tuple[VersionName, VersionName], ...] = (
    ("reference", "broken"),
    ("reference", "hard_negative"),
    ("broken", "hard_negative"),
    ("broken", "reference"),
    ("hard_negative", "reference"),
)


def all_but_one(view: View, giver: VersionName, taker: VersionName) -> Iterator[Edit]:
    """Yield edits that leave one definition, then one hunk, as the only difference."""
    found = hunks(view.program, giver, taker)
    groups = list(_by_definition(view.program, found).values())
    for parts in ([[line for hunk in group for line in hunk] for group in groups], found):
        if 2 <= len(parts) <= _FEW:
            for left in parts:
                yield _edit(view, [line for part in parts if part is not left for line in part], giver, taker)


def all_but_a_statement(view: View, giver: VersionName, taker: VersionName) -> Iterator[Edit]:
    """Yield edits that give everything, or one definition, but for one statement that only the giver has."""
    found = hunks(view.program, giver, taker)
    everything = [line for hunk in found for line in hunk]
    given = {line for line in everything if giver in view.program.lines[line].versions}
    if not given or len(given) > 4 * _FEW:
        return
    for unit in sorted(view.units, key=lambda unit: (unit.depth, -unit.line)):
        statement = unit.statements.get(giver)
        if statement is None:
            continue
        lines = set(view.lines_of({giver: (statement.start, statement.stop)}))
        if lines <= given and lines != given:
            yield _edit(view, [line for line in everything if line not in lines], giver, taker)


def one_by_one(view: View, giver: VersionName, taker: VersionName) -> Iterator[Edit]:
    """Yield an edit for each definition, then each hunk, in which the taker's text is not the giver's."""
    found = hunks(view.program, giver, taker)
    for group in _by_definition(view.program, found).values():
        if len(group) > 1:
            yield _edit(view, [line for hunk in group for line in hunk], giver, taker)
    for hunk in found:
        yield _edit(view, hunk, giver, taker)


def pairs(view: View, giver: VersionName, taker: VersionName) -> Iterator[Edit]:
    """Yield edits of two hunks, and of one line of each side within a hunk."""
    found = hunks(view.program, giver, taker)
    if len(found) <= _FEW // 2:
        for number, hunk in enumerate(found):
            for other in found[number + 1 :]:
                yield _edit(view, [*hunk, *other], giver, taker)
    for hunk in (each for each in found if 2 <= len(each) <= _FEW):
        given = [line for line in hunk if giver in view.program.lines[line].versions]
        taken = [line for line in hunk if giver not in view.program.lines[line].versions]
        for line in given:
            for replaced in (other for other in taken if _alike(view, line, other)):
                yield _edit(view, [replaced, line], giver, taker)


def _alike(view: View, one: int, other: int) -> bool:
    """Say whether a line may be another rendering of another one."""
    left, right = (words(view.program.lines[number].text) for number in (one, other))
    return 2 * len(left & right) >= max(len(left), len(right))


def hunks(program: MergedProgram, giver: VersionName, taker: VersionName) -> list[list[int]]:
    """Return the runs of lines that one of two versions holds and the other does not."""
    runs: list[list[int]] = []
    fresh = True
    for number, line in enumerate(program.lines):
        has, wants = giver in line.versions, taker in line.versions
        if has == wants:
            fresh = fresh or has
            continue
        if fresh:
            runs.append([])
        runs[-1].append(number)
        fresh = False
    return runs


def _by_definition(program: MergedProgram, found: list[list[int]]) -> dict[int, list[list[int]]]:
    groups: dict[int, list[list[int]]] = {}
    for hunk in found:
        groups.setdefault(_definition(program, hunk[0]), []).append(hunk)
    return groups


def _definition(program: MergedProgram, number: int) -> int:
    """Return the line of the top-level statement that a line belongs to."""
    inside = ("elif", "else", "except", "finally")
    while number and (indent_of(program.lines[number].text) or kind_of(program.lines[number].text) in inside):
        number -= 1
    return number


def _edit(view: View, lines: list[int], giver: VersionName, taker: VersionName) -> Edit:
    versions = frozenset((taker,))
    changes: list[Change] = []
    for number in lines:
        if giver in view.program.lines[number].versions:
            changes.append(Grant(number, versions))
        else:
            changes.append(Cut(number, versions))
    return Edit(tuple(changes), sum(view.weights[number] for number in lines))


def _passes(
    name: str,
    propose: Callable[[View, VersionName, VersionName], Iterator[Edit]],
    hope: float,
    *,
    whole: bool,
) -> list[Pass]:
    def bound(giver: VersionName, taker: VersionName) -> Callable[[View], Iterator[Edit]]:
        def candidates(view: View) -> Iterator[Edit]:
            if giver in view.program.versions and taker in view.program.versions:
                yield from propose(view, giver, taker)

        return candidates

    made: list[Pass] = []
    for giver, taker in _DIRECTIONS:
        guarded = taker if taker == "reference" else None
        made.append(Pass(f"{name} {giver} to {taker}", bound(giver, taker), hope, whole, guarded=guarded))
    return made


_REST = _passes("transplant all but one", all_but_one, 0.0, whole=False)
_OMIT = _passes("transplant all but a statement", all_but_a_statement, 0.0, whole=False)
_ONES = _passes("transplant", one_by_one, 0.5, whole=True)
_PAIRS = _passes("transplant lines", pairs, 0.0, whole=False)
PASSES = tuple(each for both in zip(_REST, _ONES, strict=True) for each in both)
COLLAPSE = tuple(each for four in zip(_REST, _OMIT, _ONES, _PAIRS, strict=True) for each in four)
