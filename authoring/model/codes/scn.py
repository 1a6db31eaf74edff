"""Codes that begin with ``SCN``."""

from authoring.model.codes.base import Code

__all__ = ["CODES"]

CODES: tuple[Code, ...] = (
    Code(
        "SCN001",
        "A check does not reach the package.",
        "Cut down to its own set-up, nothing of the package is left in it, so that there is nothing to "
        "observe.",
        "Nothing has to be done: the other checks stand; write the check so that it calls the package "
        "itself.",
    ),
    Code(
        "SCN002",
        "A check relies on something that a scenario does not have.",
        "A scenario is a function that runs on the package and on the reduced program alike; it has no "
        "module of "
        "its own, no file and no test framework.",
        "Write the check with plain calls and assertions.",
    ),
    Code(
        "SCN003",
        "A check cannot be observed.",
        "No view of what it compares is plain data on the fixed side and differs exactly where the check "
        "fails.",
        "Compare plain values in the check: text, numbers, lists, dicts, or whether something is in them.",
    ),
    Code(
        "SCN004",
        "No failing check can be observed.",
        "A task compares observations; without one that tells the broken side from the fixed one there "
        "is none.",
        "Let a failing check compare plain values: text, numbers, lists, dicts, or whether something is "
        "in them.",
    ),
    Code(
        "SCN030",
        "A domain does not say whether an input is its own.",
        "A function `allows_<scenario>` of domain.py raised, did not end, or returned something else than True or False.",
        "Have it return True or False for all parameters; it may use the standard library, and no strategy.",
    ),
)
