"""Codes that begin with ``VAR``."""

from authoring.model.codes.base import Code

__all__ = ["CODES"]

CODES: tuple[Code, ...] = (
    Code(
        "VAR001",
        "The program cannot be kept in a template.",
        "A template keeps every text but carriage returns, which its reader turns into line ends.",
        "Write the carriage return as an escape in the source, and reduce again.",
    ),
    Code(
        "VAR002",
        "A template cannot be rendered.",
        "Templates of source and prose may choose (`#% if`) and fill in constants and names, nothing "
        "else: no loops, macros,"
        "filters, arithmetic, calls or includes, and every name that they read must be defined.",
        "Mend the line that the message names, or run `authoring vary` to write the template anew.",
    ),
    Code(
        "VAR003",
        "A template renders text that is not Python.",
        "Each version that a template renders must compile; an author's edit may have unbalanced a choice.",
        "Compare the template's choices with the programs in program/.",
    ),
    Code(
        "VAR004",
        "A constant has no literal.",
        "The values of constant slots are written as Python literals that read back as the same value.",
        "Give the constant as None, a boolean, a number, text, bytes, or lists, tuples, sets and dicts of "
        "these.",
    ),
    Code(
        "VAR005",
        "A vocabulary cannot be read.",
        "A vocabulary is a TOML file with a table [words] that gives, for a lower-case word, a list of "
        "others.",
        'Write lines such as value = ["amount"] under [words].',
    ),
    Code(
        "VAR006",
        "A hidden variant accepts all that its public checks accept.",
        "The hidden checks must reject some program that every public check accepts: the hard negative, "
        "the public"
        "answers hard-coded, or a mutant of the reference. Else they add nothing.",
        "Add hidden checks at boundaries that the public ones leave open, then run `authoring contract` "
        "again.",
    ),
    Code(
        "VAR007",
        "A hidden variant would be too close to the public ones.",
        "A hidden variant must differ from every public one in constants, shape or fault, not only in "
        "names and inputs;"
        "the program offered none that keeps its behaviour and its fault.",
        "Declare the difference in variants.toml yourself, or make the contract's program larger.",
    ),
)
