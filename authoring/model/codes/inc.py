"""Codes that begin with ``INC``."""

from authoring.model.codes.base import Code

__all__ = ["CODES"]

CODES: tuple[Code, ...] = (
    Code(
        "INC001",
        "The incident's file cannot be read.",
        "It is missing, is no regular file, is larger than the cap, is not UTF-8, or leads out of its "
        "folder by a link.",
        "Give the path of an incident.toml that lies in its own folder.",
    ),
    Code(
        "INC002",
        "The incident's file is not TOML.",
        "The text cannot be parsed, or is nested deeper than any incident needs.",
        "Mend the line that the message names.",
    ),
    Code(
        "INC003",
        "The incident's file holds a key that is not known.",
        "A misspelt key would be ignored in silence; measured facts of your own belong in a table [facts].",
        "Use the key that the message proposes, or move the value to [facts].",
    ),
    Code(
        "INC004",
        "The incident lacks something that it needs.",
        "An id, a broken and a fixed side, and one source (package, repository or directories) are required.",
        "Add the key that the message names.",
    ),
    Code(
        "INC005",
        "A value of the incident has the wrong type.",
        "Versions and revisions are text: TOML reads 1.10 without quotes as the number 1.1.",
        "Write the value in the form that the message names.",
    ),
    Code(
        "INC006",
        "A value of the incident is not of the form that its key asks for.",
        "Ids, versions, pins, module names and dates have fixed forms, since they become names of "
        "folders, options of "
        "programs and dates of commits; control characters are refused everywhere.",
        "Write the value in the form that the message names.",
    ),
    Code(
        "INC007",
        "The incident's keys contradict each other.",
        "There is one source, one way to show the failure, and the sides are different things.",
        "Leave out one of the keys that the message names.",
    ),
    Code(
        "INC008",
        "A path of the incident leaves its folder.",
        "Everything that belongs to an incident lies beside its file, so that it can be copied and "
        "digested whole.",
        "Move the file into the incident's folder and give its relative path.",
    ),
    Code(
        "INC009",
        "The reproducer cannot be read.",
        "It is missing, is no regular file, is larger than the cap or is not UTF-8.",
        "Put the reproducer beside incident.toml, as repro.py or under the name that `reproducer` gives.",
    ),
    Code(
        "INC010",
        "The reproducer is not Python.",
        "It cannot be parsed, so that nothing can be lifted from it.",
        "Mend the line that the message names.",
    ),
    Code(
        "INC011",
        "The reproducer checks nothing.",
        "It holds no assertion, no exception that must be raised, and no call that has only to end.",
        "State what must hold with assert, or with functions named check_1, check_2 and so on.",
    ),
    Code(
        "INC012",
        "The test that was named cannot be taken from its module.",
        "There is no such test in the fixed tree, or it relies on something that only its test suite can "
        "give, such as "
        "a fixture of a plugin or of conftest.py.",
        "Write the test's body as a reproducer of its own.",
    ),
    Code(
        "INC013",
        "There are no tests to record from.",
        "What --record names is no file or folder of the fixed side, of the disk, or inside the release.",
        "Give the path of a test file, or of a folder with tests.",
    ),
    Code(
        "INC020",
        "No check tells the broken side from the fixed one.",
        "Every part of the reproducer that passes on the fixed side passes on the broken side as well: "
        "this is no incident.",
        "Look at the versions and at the reproducer; the message names what was run.",
    ),
    Code(
        "INC021",
        "A check fails on the fixed side.",
        "What the reproducer asks for does not hold where it is said to be repaired.",
        "Correct the check that the proof shows, or name another fixed side.",
    ),
    Code(
        "INC022",
        "The failure on the broken side is of another kind.",
        "The broken side fails to import, or lacks a name that the reproducer uses: the check never "
        "reached the "
        "behaviour that it asks about.",
        "Use only what both sides have, or pin the dependencies that the broken side needs.",
    ),
    Code(
        "INC023",
        "A check is flaky.",
        "Repeated under another hash seed, time zone or order it gave another verdict, so nothing can be "
        "built on it.",
        "Remove what depends on chance, on the clock or on order from the check that the proof shows.",
    ),
    Code(
        "INC024",
        "The import name of the package is not clear.",
        "The distribution has no top-level package, or several, and the incident names none of them.",
        "Add import_name.",
    ),
    Code(
        "INC025",
        "A side has nothing to import.",
        "The tree that was obtained does not hold the package that the incident names.",
        "Correct import_name, or the side.",
    ),
    Code(
        "INC026",
        "The reproducer fails only while a secret stands in it.",
        "Secrets and personal data are masked before anything is stored, and with the mask the failure "
        "is gone.",
        "Replace the secret that the message names by an invented value of the same form.",
    ),
    Code(
        "INC027",
        "Two sides are the same.",
        "The trees that were obtained hold the same files, so that nothing can tell them apart.",
        "Check the versions, revisions or folders.",
    ),
    Code(
        "INC028",
        "The attempt shows nothing of its own.",
        "It passes and fails the same checks as another side, so that a hard negative is looked for "
        "elsewhere.",
        "Nothing has to be done; name another attempt if there is one.",
    ),
    Code(
        "INC029",
        "State leaks from one check to the next.",
        "Run one after the other in one process, the checks give other observations than alone.",
        "Nothing has to be done; every check and input gets a process of its own, which costs time.",
    ),
    Code(
        "INC030",
        "The project's own tests gave no inputs, or could not all be run.",
        "They did not end, could not be collected for lack of a dependency, or do not call what the reproducer calls.",
        "Name other tests with --record, or pin what they import with --record-with NAME==VERSION.",
    ),
)
