"""Delete what no request ran: whole statements, arms that were never entered, bodies that were never reached."""

from collections.abc import Iterator

from authoring.reduction.edits import Edit
from authoring.reduction.passes.base import Pass
from authoring.reduction.passes.branches import arm_edits, joined_units
from authoring.reduction.view import Unit, View

__all__ = ["PASS"]

_SILENT = ("global ", "nonlocal ", "pass", "...", "'", '"')


def candidates(view: View) -> Iterator[Edit]:
    """Yield an edit for each outermost statement that never ran, then for each arm that was never entered."""
    if view.ran is None:
        return
    covered: set[int] = set()
    for unit in view.units:
        if unit.line in covered:
            continue
        lines = view.extent(unit)
        if _is_unrun(view, lines) and not _is_silent(view, unit):
            covered.update(lines)
            yield Edit(view.cuts(lines), view.gain(lines))
    for unit in joined_units(view):
        if unit.line not in covered:
            yield from _unentered(view, unit)


def _unentered(view: View, unit: Unit) -> Iterator[Edit]:
    """Yield the biggest edit of a compound statement that takes away nothing but headers and lines that never ran."""
    fitting: list[Edit] = []
    for edit in arm_edits(view, unit):
        cut = {change.line: change.versions for change in edit.changes if type(change).__name__ == "Cut"}
        headers = {view.held[v][arm.header] for v, s in unit.statements.items() for arm in s.arms}
        if _is_unrun(view, {n: versions for n, versions in cut.items() if n not in headers}):
            fitting.append(edit)
    if fitting:
        yield max(fitting, key=lambda edit: edit.gain)


def _is_unrun(view: View, lines: dict[int, frozenset[str]]) -> bool:
    ran = view.ran or {}
    return all(not ran.get(number) for number in lines)


def _is_silent(view: View, unit: Unit) -> bool:
    return view.program.lines[unit.line].text.lstrip().startswith(_SILENT)


PASS = Pass("delete unrun", candidates, hope=0.9, whole=True, traced=True)
