"""Delete what no request ran: whole statements, and arms of statements that were entered elsewhere."""

from collections.abc import Iterator, Mapping

from authoring.model.variants import VersionName
from authoring.reduction.edits import Cut, Edit
from authoring.reduction.passes.base import Example, Pass
from authoring.reduction.passes.branches import arms_edit, joined_units, shapes_of, stand_alone
from authoring.reduction.structure import Statement
from authoring.reduction.view import Unit, View

__all__ = ["EXAMPLES", "PASS", "UNRUN"]

UNRUN = "  # did not run"
"""Ends the lines of examples that no request ran."""
EXAMPLES: tuple[Example, ...] = tuple(
    (before.replace("!", UNRUN), after)
    for before, after in (
        ("f()\ng()!\n", "f()\n"),
        ("if a:\n    f()\nelse:\n    g()!\n", "f()\n"),
        ("if a:\n    f()!\nelse:\n    g()\n", "g()\n"),
        ("if a:\n    f()!\ng()\n", "g()\n"),
        ("if a:\n    f()\nelif b:\n    g()!\nelse:\n    h()\n", "if a:\n    f()\nelse:\n    h()\n"),
        ("try:\n    f()\nexcept E:!\n    g()!\n", "f()\n"),
        ("try:\n    f()\nexcept E:!\n    g()!\nfinally:\n    h()\n", "try:\n    f()\nfinally:\n    h()\n"),
        ("for a in b:\n    f()\nelse:\n    g()!\n", "for a in b:\n    f()\n"),
        ("def f():\n    return g()\n    h()!\n", "def f():\n    return g()\n"),
    )
)

_SILENT = ("global ", "nonlocal ", "pass", "...", "'", '"')
"""Lines that may leave no trace although control passed them."""


def candidates(view: View) -> Iterator[Edit]:
    """Yield an edit for each statement in which an arm, or which itself, never ran; outer ones cover inner ones."""
    if view.ran is None:
        return
    compound = {unit.line: unit for unit in joined_units(view)}
    covered: set[int] = set()
    for unit in view.units:
        if unit.line in covered:
            continue
        edit = _edit(view, unit, compound.get(unit.line))
        if edit is not None:
            covered.update(change.line for change in edit.changes if isinstance(change, Cut))
            yield edit


def _edit(view: View, unit: Unit, compound: Unit | None) -> Edit | None:
    lines = view.extent(unit)
    if _ran(view, lines):
        return None if compound is None else _unentered(view, compound)
    if view.program.lines[unit.line].text.lstrip().startswith(_SILENT):
        return None
    return Edit(view.cuts(lines), view.gain(lines))


def _unentered(view: View, unit: Unit) -> Edit | None:
    """Return the edit that takes the arms away that never ran; None where that leaves no statement."""
    shapes = shapes_of(unit)
    if len(shapes) != 1:
        return _of_each(view, unit)
    ((kinds, held),) = shapes.items()
    entered = tuple(number for number in range(len(kinds)) if _entered(view, held, number))
    if len(entered) == len(kinds):
        return None
    if kinds[0] == "try":
        return _try(view, kinds, held, entered)
    if not entered:
        whole = view.extent(unit)
        return Edit(view.cuts(whole), view.gain(whole))
    return _if(view, kinds, held, entered) if kinds[0] == "if" else _loop(view, held, entered)


def _of_each(view: View, unit: Unit) -> Edit | None:
    """Return the edit where versions have other arms: those that they share go together."""
    places = {
        (version, number): view.held[version][arm.header]
        for version, statement in unit.statements.items()
        for number, arm in enumerate(statement.arms)
    }
    entered = {
        place
        for (version, number), place in places.items()
        if _entered(view, {version: unit.statements[version]}, number)
    }
    keep = {
        version: tuple(n for n in range(len(statement.arms)) if places[version, n] in entered)
        for version, statement in unit.statements.items()
    }
    is_less = any(len(kept) < len(unit.statements[version].arms) for version, kept in keep.items())
    stands = all(stand_alone(unit.statements[version], kept) for version, kept in keep.items())
    return arms_edit(view, unit.statements, keep) if is_less and stands else None


def _if(
    view: View, kinds: tuple[str, ...], held: Mapping[VersionName, Statement], entered: tuple[int, ...]
) -> Edit:
    if kinds[-1] != "else":
        return arms_edit(view, held, entered)
    alone = len(entered) == 1
    return arms_edit(
        view, held, entered, unwrapped=alone, otherwise=not alone and len(kinds) - 1 not in entered
    )


def _loop(view: View, held: Mapping[VersionName, Statement], entered: tuple[int, ...]) -> Edit | None:
    return arms_edit(view, held, (0,)) if entered == (0,) else None


def _try(
    view: View, kinds: tuple[str, ...], held: Mapping[VersionName, Statement], entered: tuple[int, ...]
) -> Edit | None:
    keep = tuple(n for n, kind in enumerate(kinds) if n in entered or kind in ("try", "finally"))
    if len(keep) == len(kinds):
        return None
    caught = any(kinds[n] in ("except", "finally") for n in keep)
    return arms_edit(view, held, keep, unwrapped=not caught)


def _entered(view: View, held: Mapping[VersionName, Statement], number: int) -> bool:
    """Say whether the block of an arm ran in some version, or cannot be told to have run."""
    for version, statement in held.items():
        arm = statement.arms[number]
        block = view.lines_of({version: (arm.header + 1, arm.stop)})
        silent = all(view.program.lines[n].text.lstrip().startswith(_SILENT) for n in block)
        if _ran(view, block) or (
            silent and _ran(view, view.lines_of({version: (arm.header, arm.header + 1)}))
        ):
            return True
    return False


def _ran(view: View, lines: Mapping[int, frozenset[VersionName]]) -> bool:
    ran = view.ran or {}
    return any(versions & ran.get(number, frozenset()) for number, versions in lines.items())


PASS = Pass("delete unrun", candidates, hope=0.9, whole=True, traced=True)
