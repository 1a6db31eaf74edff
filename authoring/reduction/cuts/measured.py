"""Measure what a cut saves: make the edits that it frees, and delete what then is not needed."""

from authoring.reduction.cuts.savings import Saving
from authoring.reduction.edits import Edit, apply_edits
from authoring.reduction.merged import MergedProgram
from authoring.reduction.oracle import BudgetSpentError, Oracle
from authoring.reduction.passes import delete_unreferenced, delete_unrun
from authoring.reduction.sweep import Rate, Sweep
from authoring.reduction.traced import ran_lines
from authoring.reduction.view import View

__all__ = ["shrunk"]

_ROUNDS = 3
_FOLLOWING = (delete_unrun.PASS, delete_unreferenced.PASS)


def shrunk(oracle: Oracle, program: MergedProgram, exports: frozenset[str], saving: Saving) -> MergedProgram:
    """Return the program without what the cut makes needless; as it was where the oracle's requests refuse it.

    ``oracle`` holds the requests that are left. A spent budget ends the work early.
    """
    small = program
    try:
        small = _swept(oracle, small, [one.edit for one in saving.blocked])
        for _ in range(_ROUNDS):
            before = small
            for each in _FOLLOWING:
                ran = ran_lines(oracle, small) if each.traced else None
                small = _swept(oracle, small, list(each.candidates(View(small, exports, ran))))
            if small == before:
                break
    except BudgetSpentError:
        return small
    return small


def _swept(oracle: Oracle, program: MergedProgram, edits: list[Edit]) -> MergedProgram:
    """Return the program after those of the edits that the oracle lets pass, all of them tried at once first."""
    sweep = Sweep(program, oracle.ask, Rate(9.0))
    sweep.run(edits, whole=True)
    return apply_edits(program, sweep.kept) if sweep.kept else program
