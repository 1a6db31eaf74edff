"""Give one version the text of another wherever all observations stay: what is left is the fault."""

from collections.abc import Iterator

from authoring.model.variants import VersionName
from authoring.reduction.edits import Change, Cut, Edit, Grant
from authoring.reduction.lines import indent_of, kind_of
from authoring.reduction.merged import MergedProgram
from authoring.reduction.passes.base import Pass
from authoring.reduction.view import View

__all__ = ["PASS", "PASSES", "hunks"]


def candidates_of(giver: VersionName, taker: VersionName, view: View) -> Iterator[Edit]:
    """Yield an edit for each definition, then each hunk, in which the taker's text is not the giver's."""
    program = view.program
    if giver not in program.versions or taker not in program.versions:
        return
    found = hunks(program, giver, taker)
    groups: dict[int, list[list[int]]] = {}
    for hunk in found:
        groups.setdefault(_definition(program, hunk[0]), []).append(hunk)
    for group in groups.values():
        if len(group) > 1:
            yield _edit(view, [line for hunk in group for line in hunk], giver, taker)
    for hunk in found:
        yield _edit(view, hunk, giver, taker)


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


def _edit(view: View, lines: list[int], giver: VersionName, taker: VersionName) -> Edit:
    versions = frozenset((taker,))
    changes: list[Change] = []
    for number in lines:
        held = view.program.lines[number].versions
        changes.append(Cut(number, versions) if taker in held else Grant(number, versions))
    return Edit(tuple(changes), sum(view.weights[number] for number in lines))


def _definition(program: MergedProgram, number: int) -> int:
    """Return the line of the top-level statement that a line belongs to."""
    while number and (
        indent_of(program.lines[number].text)
        or kind_of(program.lines[number].text) in ("elif", "else", "except", "finally")
    ):
        number -= 1
    return number


def _named(giver: VersionName, taker: VersionName) -> Pass:
    return Pass(
        f"transplant {giver} to {taker}",
        lambda view: candidates_of(giver, taker, view),
        hope=0.5,
        whole=True,
    )


PASSES = (
    _named("reference", "broken"),
    _named("reference", "hard_negative"),
    _named("broken", "hard_negative"),
    _named("broken", "reference"),
    _named("hard_negative", "reference"),
)
PASS = PASSES[0]
