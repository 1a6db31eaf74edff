"""Which merged lines ran for the oracle's requests."""

from authoring.model.execution import Traced
from authoring.model.variants import VersionName
from authoring.reduction.merged import MergedProgram
from authoring.reduction.oracle import Oracle

__all__ = ["ran_lines"]


def ran_lines(oracle: Oracle, program: MergedProgram) -> dict[int, frozenset[VersionName]]:
    """Return the merged lines that ran while the module was imported or a request was answered."""
    out: dict[int, set[VersionName]] = {}
    for version in program.versions:
        physical = _physical(program, version)
        for number in _lines(oracle.trace(version, program.project(version)), oracle.subjects.module):
            if number < len(physical):
                out.setdefault(physical[number], set()).add(version)
    return {number: frozenset(versions) for number, versions in out.items()}


def _physical(program: MergedProgram, version: VersionName) -> list[int]:
    """Return for each physical line number (from 1) the merged line that holds it."""
    lines = [-1]
    for number, line in enumerate(program.lines):
        if version in line.versions:
            lines += [number] * (line.text.count("\n") + 1)
    return lines


def _lines(traces: list[Traced], module: str) -> set[int]:
    file = f"{module}.py"
    found: set[int] = set()
    for traced in traces:
        found |= traced.import_lines.get(file, frozenset()) | traced.lines.get(file, frozenset())
    return found - {0}
