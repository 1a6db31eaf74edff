"""Codes of the task repositories: what is committed, and what is not."""

from authoring.model.codes.base import Code

__all__ = ["CODES"]

CODES: tuple[Code, ...] = (
    Code(
        "TSK001",
        "The code that a task derives from has no stated licence, origin or notice.",
        "A reduced program keeps lines of its package, so it carries the package's licence and the "
        "notices that the licence asks for; without them nothing is published.",
        "State `licence` in incident.toml and keep the licence's text in the tree, or make the contract "
        "hidden-only.",
    ),
    Code(
        "TSK002",
        "A file to commit lies outside the contract's own folders.",
        "A commit of a contract changes its own folders, its evidence and nothing else.",
        "Commit other files by hand.",
    ),
    Code(
        "TSK003",
        "A public commit would show something hidden.",
        "A line that only a reference has, a hidden check's input or expectation, or a hidden variant's text "
        "was found in the public files, or in an object that the public repository holds already.",
        "Mend the public file that the message names; where an object holds it, begin that repository anew. Two "
        "incidents of one package may show each other's repair: keep them in two workspaces.",
    ),
    Code(
        "TSK004",
        "The evidence of a contract is not there.",
        "A commit names the records that prove the contract, and they are committed with it.",
        "Run `authoring validate` for the contract.",
    ),
    Code(
        "TSK005",
        "A commit cannot be finished as it was begun.",
        "A run was interrupted between the two repositories, and since then one of them moved otherwise.",
        "Run the same command again; it builds both commits anew.",
    ),
    Code(
        "TSK006",
        "A task in a repository is malformed.",
        "Its documents do not have the form that this version reads, or files of it are missing.",
        "Restore the file from the repository's history.",
    ),
    Code(
        "TSK007",
        "There is no contract of that id.",
        "Neither the workspace's commits nor its working folder hold it.",
        "`authoring status` lists the contracts.",
    ),
    Code(
        "TSK010",
        "The id is taken by other inputs.",
        "The workspace holds an incident of this id that was made from other revisions, another reproducer or other settings of the source.",
        "Give another id, or the inputs that the id was made from.",
    ),
    Code(
        "TSK011",
        "No such incident was captured here.",
        "A stage was asked for by id alone, and the workspace holds no capture of it.",
        "Run `authoring capture ID` with a source first.",
    ),
    Code(
        "TSK012",
        "The capture document of an incident cannot be read.",
        "capture.json was edited or cut off, so that what was captured is not known.",
        "Restore it from the history, or delete the incident's folder and capture it anew.",
    ),
    Code(
        "TSK013",
        "There is nothing to audit.",
        "An audit looks at contracts that have checks; there is none, or the named one was not committed yet.",
        "Run `authoring new` to its end, then audit again.",
    ),
)
