"""Codes of releases."""

from authoring.model.codes.base import Code

__all__ = ["CODES"]

CODES: tuple[Code, ...] = (
    Code(
        "REL001",
        "A task has no valid evidence.",
        "A release holds only tasks whose reference was seen to pass and whose program was seen to fail, by "
        "records that are bound to exactly the task's files; a record about an older text does not count.",
        "Run `authoring validate` for the contract, then `authoring commit`.",
    ),
    Code(
        "REL002",
        "That text cannot name a release.",
        "A release's version is also the name of a tag and of a file.",
        "Use letters, digits, dots and hyphens, for example 1.0.0.",
    ),
    Code(
        "REL003",
        "The release exists with other tasks.",
        "A release never changes; what came after it belongs to the next one.",
        "Take a new version.",
    ),
    Code(
        "REL004",
        "There is nothing to release.",
        "No task is committed in the workspace.",
        "Make one with `authoring new`.",
    ),
    Code(
        "REL005",
        "There is no such release.",
        "A release is an annotated tag in both repositories; a clone may lack tags.",
        "Run `git tag --list`, or fetch the tags.",
    ),
    Code(
        "REL006",
        "A release's manifest is missing or malformed.",
        "The tagged commit does not hold the document that the tag names.",
        "Restore the file from the repository's history.",
    ),
    Code(
        "REL007",
        "Something is not what the repositories state it to be.",
        "A file, a record, a manifest or a tag was changed after it was committed or released.",
        "Look at each place that is named and restore it from the history.",
    ),
    Code(
        "REL008",
        "The key is not the one that the release before was made with.",
        "Every release commits to its hidden folders under the workspace's key; with another key what was promised "
        "before could not be checked against what comes after.",
        "Put the workspace's own key back, or name its file with AUTHORING_KEY_FILE.",
    ),
)
"""REL007 is for the command that reports what :func:`authoring.release.verify` found."""
