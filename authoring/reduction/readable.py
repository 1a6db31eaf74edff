"""Give the reduced programs the form that a person would show."""

from collections.abc import Iterator
from dataclasses import dataclass

import black

from authoring.model.variants import VersionName
from authoring.reduction.align import merge_text
from authoring.reduction.lines import indent_of
from authoring.reduction.merged import MergedLine, MergedProgram

__all__ = ["Readable", "readable", "tidy"]


@dataclass(frozen=True, slots=True)
class Readable:
    """The formatted programs, and their merge by physical lines."""

    programs: dict[VersionName, str]
    merged: MergedProgram


def readable(program: MergedProgram) -> Readable:
    """Format every version with black at a width of 100."""
    mode = black.Mode(line_length=100, magic_trailing_comma=False)
    programs = {version: black.format_str(text, mode=mode) for version, text in program.programs().items()}
    return Readable(programs, merge_text(programs))


def tidy(program: MergedProgram) -> Iterator[MergedProgram]:
    """Yield better readable forms of a program, each of which must be judged: imports first."""
    imports = [line for line in program.lines if _is_import(line)]
    rest = [line for line in program.lines if not _is_import(line)]
    yield MergedProgram((*sorted(imports, key=_rank), *rest), program.versions)


def _is_import(line: MergedLine) -> bool:
    return (
        indent_of(line.text) == 0
        and line.text.startswith(("import ", "from "))
        and not line.text.endswith(":")
    )


def _rank(line: MergedLine) -> tuple[bool, bool, str]:
    return (not line.text.startswith("from __future__"), line.text.startswith("from "), line.text)
