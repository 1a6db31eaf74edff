"""Drop arms of ``if``, ``try`` and loops, and put a block in the place of the statement that holds it."""

from collections.abc import Iterator, Mapping

from authoring.model.variants import VersionName
from authoring.reduction.edits import Change, Edit, Splice
from authoring.reduction.lines import indent_of
from authoring.reduction.passes.base import Example, Pass
from authoring.reduction.structure import Arm, Statement
from authoring.reduction.view import Unit, View

__all__ = ["EXAMPLES", "PASS", "arms_edit", "joined_units", "shapes_of", "stand_alone"]

EXAMPLES: tuple[Example, ...] = (
    ("if a:\n    f()\nelse:\n    g()\n", "f()\n"),
    ("if a:\n    f()\nelse:\n    g()\n", "g()\n"),
    ("if a:\n    f()\nelse:\n    g()\n", "if a:\n    f()\n"),
    ("if a:\n    f()\nelif b:\n    g()\n", "if b:\n    g()\n"),
    ("if a:\n    f()\nelif b:\n    g()\nelse:\n    h()\n", "if a:\n    f()\nelse:\n    h()\n"),
    ("if a:\n    f()\nelif b:\n    g()\n", "if a:\n    f()\nelse:\n    g()\n"),
    ("if a:\n    f()\nelif b:\n    g()\nelse:\n    h()\n", "if a:\n    f()\nelse:\n    g()\n"),
    ("try:\n    f()\nexcept E:\n    g()\n", "f()\n"),
    ("try:\n    f()\nexcept E:\n    g()\nfinally:\n    h()\n", "try:\n    f()\nfinally:\n    h()\n"),
    ("try:\n    f()\nexcept E:\n    g()\nexcept G:\n    h()\n", "try:\n    f()\nexcept G:\n    h()\n"),
    ("try:\n    a = f\nexcept E:\n    a = g\n", "a = g\n"),
    ("try:\n    f()\nfinally:\n    h()\n", "f()\nh()\n"),
    ("with a:\n    f()\n", "f()\n"),
    ("for a in b:\n    f()\nelse:\n    g()\n", "for a in b:\n    f()\n"),
    ("while a:\n    f()\n", "f()\n"),
)

Keep = Mapping[VersionName, tuple[Statement, frozenset[int]]]
_COMPOUND = frozenset(("if", "for", "while", "try", "with"))


def candidates(view: View) -> Iterator[Edit]:
    """Yield edits statement by statement, outer ones first."""
    for unit in joined_units(view):
        yield from arm_edits(view, unit)


def joined_units(view: View) -> list[Unit]:
    """Return the units; ones with other headers in other versions but shared lines in their blocks are one."""
    out: list[Unit] = []
    for unit in view.units:
        last = next((other for other in reversed(out) if _is_twin(view, other, unit)), None)
        if last is None:
            out.append(unit)
        else:
            out[out.index(last)] = Unit(
                last.line, last.block, last.depth, {**last.statements, **unit.statements}
            )
    return [unit for unit in out if unit.statements and _kind(unit) in _COMPOUND]


def _is_twin(view: View, other: Unit, unit: Unit) -> bool:
    if (
        other.block != unit.block
        or other.statements.keys() & unit.statements.keys()
        or _kind(other) != _kind(unit)
    ):
        return False
    return bool(view.extent(other).keys() & view.extent(unit).keys()) or unit.line == other.line + 1


def _kind(unit: Unit) -> str:
    return next(iter(unit.statements.values())).kind


def shapes_of(unit: Unit) -> dict[tuple[str, ...], dict[VersionName, Statement]]:
    """Return the versions' statements by the kinds of their arms."""
    shapes: dict[tuple[str, ...], dict[VersionName, Statement]] = {}
    for version, statement in unit.statements.items():
        shapes.setdefault(tuple(arm.kind for arm in statement.arms), {})[version] = statement
    return shapes


def arm_edits(view: View, unit: Unit) -> Iterator[Edit]:
    """Yield the edits of one compound statement."""
    shapes = shapes_of(unit)
    for kinds, held in shapes.items():
        for keep, unwrapped in _choices(kinds):
            yield arms_edit(view, held, keep, unwrapped=unwrapped)
        if kinds[0] == "if" and kinds[-1] == "elif":
            yield arms_edit(view, held, tuple(range(len(kinds))), otherwise=True)
        elif kinds[0] == "if" and len(kinds) > 2:
            yield arms_edit(view, held, tuple(range(len(kinds) - 1)), otherwise=True)
    if len(shapes) > 1:
        for left in _without_shared_arm(view, unit):
            yield arms_edit(view, {version: unit.statements[version] for version in left}, left)


def _without_shared_arm(view: View, unit: Unit) -> Iterator[dict[VersionName, tuple[int, ...]]]:
    """Yield, for each arm that versions with different arms share, which arms stay in these."""
    shared: dict[int, dict[VersionName, int]] = {}
    for version, statement in unit.statements.items():
        for number, arm in enumerate(statement.arms):
            shared.setdefault(view.held[version][arm.header], {})[version] = number
    for places in shared.values():
        if len(places) > 1:
            keep = {
                version: tuple(n for n in range(len(unit.statements[version].arms)) if n != number)
                for version, number in places.items()
            }
            if all(stand_alone(unit.statements[version], kept) for version, kept in keep.items()):
                yield keep


def stand_alone(statement: Statement, keep: tuple[int, ...]) -> bool:
    """Return whether some arms of a statement, in their order, are a statement."""
    kinds = [statement.arms[number].kind for number in keep]
    if statement.kind == "if":
        return bool(kinds) and kinds[0] in ("if", "elif")
    if statement.kind == "try":
        return "except" in kinds or ("finally" in kinds and "else" not in kinds)
    return kinds[:1] == [statement.kind]


def _choices(kinds: tuple[str, ...]) -> Iterator[tuple[tuple[int, ...], bool]]:
    """Yield which arms stay, and whether their blocks take the statement's place."""
    everything = tuple(range(len(kinds)))
    if kinds[0] == "if":
        for arm in everything:
            yield (arm,), True
        for arm in everything[1:] if len(kinds) > 1 else ():
            yield tuple(n for n in everything if n != arm), False
        if len(kinds) > 1 and kinds[1] == "elif":
            yield everything[1:], False
    elif kinds[0] == "try":
        yield (0,), True
        for arm in everything[1:]:
            if kinds[arm] == "except":
                yield (arm,), True
        plain = tuple(n for n, kind in enumerate(kinds) if kind in ("try", "else", "finally"))
        if len(plain) > 1:
            yield plain, True
        for arm in everything[1:]:
            rest = tuple(n for n in everything if n != arm)
            if any(kinds[n] in ("except", "finally") for n in rest):
                yield rest, False
    else:
        yield (0,), True
        if len(kinds) > 1:
            yield (0,), False


def arms_edit(
    view: View,
    held: Mapping[VersionName, Statement],
    keep: tuple[int, ...] | Mapping[VersionName, tuple[int, ...]],
    *,
    unwrapped: bool = False,
    otherwise: bool = False,
) -> Edit:
    """Return the edit that keeps some arms, the same of every version or others of each.

    ``unwrapped``: their blocks take the statement's place; ``otherwise``: the last one becomes ``else``.
    """
    gone: dict[VersionName, list[tuple[int, int]]] = {}
    moved: dict[VersionName, list[tuple[int, int]]] = {}
    first: dict[VersionName, list[tuple[int, int]]] = {}
    last: dict[VersionName, list[tuple[int, int]]] = {}
    kept = keep if isinstance(keep, Mapping) else dict.fromkeys(held, keep)
    for version, statement in held.items():
        for number, arm in enumerate(statement.arms):
            if number not in kept[version]:
                gone.setdefault(version, []).append((arm.header, arm.stop))
            elif unwrapped:
                gone.setdefault(version, []).append((arm.header, arm.header + 1))
                moved.setdefault(version, []).append((arm.header + 1, arm.stop))
        if not unwrapped and kept[version][0] > 0:
            first[version] = [_header(statement.arms[kept[version][0]])]
        if otherwise:
            last[version] = [_header(statement.arms[kept[version][-1]])]
    cuts = _merged(view, gone)
    changes: list[Change] = list(view.cuts(cuts))
    for number, versions in _merged(view, moved).items():
        width = _step(view, held, number)
        changes.append(Splice(number, versions, 0, width, ""))
    for number, versions in _merged(view, first).items():
        start = indent_of(view.program.lines[number].text)
        changes.append(Splice(number, versions, start, start + 2, ""))
    for number, versions in _merged(view, last).items():
        text = view.program.lines[number].text
        changes.append(Splice(number, versions, indent_of(text), len(text), "else:"))
    return Edit(tuple(changes), view.gain(cuts))


def _header(arm: Arm) -> tuple[int, int]:
    return arm.header, arm.header + 1


def _step(view: View, held: Mapping[VersionName, Statement], number: int) -> int:
    """Return by how much a block is deeper than its statement."""
    statement = next(iter(held.values()))
    return min(4, indent_of(view.program.lines[number].text) - statement.indent)


def _merged(
    view: View, ranges: Mapping[VersionName, list[tuple[int, int]]]
) -> dict[int, frozenset[VersionName]]:
    out: dict[int, frozenset[VersionName]] = {}
    for version, places in ranges.items():
        for place in places:
            for number, versions in view.lines_of({version: place}).items():
                out[number] = out.get(number, frozenset()) | versions
    return dict(sorted(out.items()))


PASS = Pass("branches", candidates, hope=0.3)
