"""Codes that begin with ``VAL``."""

from authoring.model.codes.base import Code

__all__ = ["CODES"]

CODES: tuple[Code, ...] = (
    Code(
        "VAL001",
        "The program to repair passes every public check.",
        "A candidate that changes nothing would see nothing wrong; the public checks do not show the fault.",
        "Add a public check that the broken program fails, or choose another fault for the variant.",
    ),
    Code(
        "VAL002",
        "The program to repair passes every hidden check.",
        "A candidate that changes nothing would be accepted by the hidden suite.",
        "Add a hidden check that the broken program fails.",
    ),
    Code(
        "VAL003",
        "The hard negative passes every hidden check.",
        "The hidden checks cannot tell the unsuccessful repair from a right one.",
        "Add a hidden check at the boundary that the repair misses.",
    ),
    Code(
        "VAL004",
        "The hard negative does not give its pattern.",
        "Its verdicts over the checks are not those that were recorded when the variant was made.",
        "Run `authoring vary` again; if it persists, the hard negative is not deterministic.",
    ),
    Code(
        "VAL005",
        "The reference fails.",
        "Expected observations were recorded from this program, so it must give them again.",
        "Run `authoring vary` again; if it persists, the reference depends on something that the box varies.",
    ),
    Code(
        "VAL006",
        "The reference is flaky.",
        "It passed once and then, under another hash seed, time zone, locale, order or interpreter, it "
        "did not, or showed"
        "something else.",
        "Relax the views that depend on what is varied (sorted, text, order any), or drop the check.",
    ),
    Code(
        "VAL007",
        "A program that does the same is rejected.",
        "A rewrite of the reference that keeps its behaviour fails a check: the check is over-specified, "
        "which is as bad as"
        "one that accepts a wrong program.",
        "Relax the check's view or comparison, or drop it.",
    ),
    Code(
        "VAL008",
        "Hard-coded public answers pass the hidden checks.",
        "A program that is right on the public inputs only must fail a hidden check or the pool.",
        "Add hidden checks at inputs that are not public.",
    ),
    Code(
        "VAL009",
        "An attack on the grader passes.",
        "A program that does not solve the task was accepted.",
        "Stop using this machine for grading, run `authoring doctor`, and report the attack's name.",
    ),
    Code(
        "VAL010",
        "A later release of the package is rejected.",
        "The reproducer passes on it, yet a check fails: the check is over-specified, or the release "
        "changed the rule itself.",
        "Relax or drop the check, or record the release as outside the contract.",
    ),
    Code(
        "VAL011",
        "The grader itself failed.",
        "What happened is the tool's or the machine's fault and says nothing about the program.",
        "Run `authoring doctor`, then validate again.",
    ),
    Code(
        "VAL012",
        "A record of evidence is damaged.",
        "Its file is not a record, or its subject does not have the digest that names it.",
        "Restore it from the repository's history: evidence is append-only.",
    ),
    Code(
        "VAL013",
        "A program flakes.",
        "In some repeat, under another hash seed, time zone, locale or order, its verdict differs from that of the other "
        "runs; the runs are kept as evidence.",
        "Relax the views that depend on what is varied (sorted, text, order any), or drop the check, then author the "
        "contract again.",
    ),
    Code(
        "VAL101",
        "A candidate cannot be read.",
        "It does not exist, or the tool may not read it.",
        "Name a file, a folder laid out like the task, or a patch.",
    ),
    Code(
        "VAL102",
        "A file of the task is missing, malformed or not as it was handed out.",
        "Every file of a task is compared with the digest in task.json before anything is judged.",
        "Restore the task's folder, or render the task again.",
    ),
    Code(
        "VAL103",
        "The checks do not belong to the task.",
        "Their number, their pools or the scenarios that they were recorded with differ from what the task says.",
        "Restore the task's folder, or render the task again.",
    ),
    Code(
        "VAL104",
        "The task has no check.",
        "A verdict is the answer to checks; without one there is nothing to judge.",
        "Add checks to the contract and render the task again.",
    ),
    Code(
        "VAL105",
        "The task's own reference does not pass its checks here.",
        "The reference is run before the first candidate, to scale the deadlines; the task or the machine is at fault.",
        "Run `authoring doctor`, then `authoring validate` for this task.",
    ),
)
