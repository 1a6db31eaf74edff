"""Codes of the command line itself."""

from authoring.model.codes.base import Code

__all__ = ["CODES"]

CODES: tuple[Code, ...] = (
    Code(
        "USE001",
        "The command line is not one that this command takes.",
        "An option, an argument or their combination is unknown or contradictory.",
        "Read the hint, or run the command with --help.",
    ),
    Code(
        "USE002",
        "There is no such code.",
        "Codes are three letters of the folder that raises them and three digits, such as INC001.",
        "Run `authoring explain all` for the list.",
    ),
    Code(
        "USE003",
        "The disk is full.",
        "A file could not be written because its file system has no space or no quota left. What was "
        "written before is whole; nothing half-written was left in place.",
        "Free some space and run the same command again: it goes on where it stopped.",
    ),
    Code(
        "USE004",
        "The machine refused an operation.",
        "A file could not be read or written, or a process could not be started: rights, a read-only "
        "file system, or a limit on open files or memory.",
        "Run `authoring doctor`; it names what this machine lacks.",
    ),
    Code(
        "USE005",
        "The result could not be written to standard output.",
        "The work was done, but the file or device that standard output goes to took no more.",
        "Free some space, or send the output elsewhere, and run the command again.",
    ),
    Code(
        "USE006",
        "This machine lacks something that judging needs.",
        "A program is missing or too old, git does not know who you are, the disk is nearly full, or a "
        "protection of the sandbox did not withstand its probe.",
        "`authoring doctor` gives a remedy for each line that says `missing`.",
    ),
    Code(
        "USE007",
        "A candidate does not pass.",
        "At least one candidate failed a public or a hidden check, or the integrity gate refused it.",
        "Read the counts by tier and the rules that failed; hidden inputs are never shown.",
    ),
    Code(
        "USE070",
        "The tool itself failed.",
        "This is a bug of the tool and not of your input.",
        "Report the traceback, with the command that led to it.",
    ),
    Code(
        "USE130",
        "The run was interrupted.",
        "Ctrl-C ended the run. What it had finished is kept.",
        "Run the same command again: it goes on where it stopped.",
    ),
    Code(
        "USE143",
        "The run was terminated.",
        "A signal asked the process to end. What it had finished is kept.",
        "Run the same command again: it goes on where it stopped.",
    ),
    Code(
        "USE010",
        "The source of the incident is missing or given twice.",
        "An incident comes from exactly one of a file, releases of a package, revisions of a repository, or folders.",
        "Give one of --incident, --package, --repo and --dirs.",
    ),
    Code(
        "USE011",
        "A side of the incident is missing.",
        "Both the broken and the fixed side are needed to prove an incident.",
        "Add --broken and --fixed.",
    ),
    Code(
        "USE012",
        "It is not clear what shows the failure.",
        "A reproducer script or a pytest test shows it, exactly one of them.",
        "Give --repro FILE or --test NODEID.",
    ),
    Code(
        "USE013",
        "The command and the file name different incidents.",
        "The id on the command line is checked against the one in incident.toml, so that nothing is made under a wrong name.",
        "Use the file's id.",
    ),
)
