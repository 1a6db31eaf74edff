"""Delete statements with all that belongs to them: outer ones first, later ones before earlier ones."""

from collections.abc import Iterator

from authoring.reduction.edits import Edit
from authoring.reduction.passes.base import Example, Pass
from authoring.reduction.view import Unit, View

__all__ = ["EXAMPLES", "PASS"]

EXAMPLES: tuple[Example, ...] = (
    ("f()\ng()\n", "f()\n"),
    ("if a:\n    f()\nelse:\n    g()\nh()\n", "h()\n"),
    ("def f():\n    g()\n", "def f():\n    pass\n"),
    ("for a in b:\n    f()\n    g()\n", "for a in b:\n    f()\n"),
)


def candidates(view: View) -> Iterator[Edit]:
    """Yield deletions depth by depth; neighbours that no version holds both of are also tried together."""
    by_depth: dict[int, list[Unit]] = {}
    for unit in view.units:
        by_depth.setdefault(unit.depth, []).append(unit)
    for depth in sorted(by_depth):
        units = list(reversed(by_depth[depth]))
        for unit, before in zip(units, [*units[1:], None], strict=True):
            if _is_lone_pass(view, unit):
                continue
            yield _deletion(view, (unit,))
            if (
                before is not None
                and before.block == unit.block
                and not before.statements.keys() & unit.statements.keys()
            ):
                yield _deletion(view, (before, unit))


def _is_lone_pass(view: View, unit: Unit) -> bool:
    return (
        view.program.lines[unit.line].text.strip() == "pass"
        and sum(u.block == unit.block for u in view.units) == 1
    )


def _deletion(view: View, units: tuple[Unit, ...]) -> Edit:
    lines = view.lines_of(
        {version: (s.start, s.stop) for unit in units for version, s in unit.statements.items()}
    )
    return Edit(view.cuts(lines), view.gain(lines))


PASS = Pass("delete statements", candidates, hope=0.5)
