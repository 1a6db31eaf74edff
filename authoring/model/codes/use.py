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
        "USE070",
        "The tool itself failed.",
        "This is a bug of the tool and not of your input.",
        "Run the same command with --debug and report what it prints.",
    ),
)
