"""An argument is not mutated: it is after the call what it was before.

Parameters that the program is handed as they are need no relation: every observation tells when one changed.
"""

from collections.abc import Iterator, Sequence

import libcst as cst
from libcst import matchers as m

from authoring.contract.relations.relation import Example, Proposal, Relation
from authoring.contract.relations.shape import Shape, called_on, function_text
from authoring.scenario.lifting.syntax import Statement

__all__ = ["KEPT"]

_RULE = "The program leaves `{given}` as it was."


def _propose(shape: Shape, _: Sequence[Shape]) -> Iterator[Proposal]:
    """Observe the first argument of a call that is a local name, before the call and at the end."""
    bound: set[str] = set()
    for at, line in enumerate((*shape.lines, shape.last)):
        names = [name for call in called_on(shape, line) for name in _arguments(call)]
        given = next((name for name in names if name in bound), None)
        if given is not None:
            show = f"seen({given})"
            name = f"{shape.name}_kept"
            lines = [*shape.lines[:at], show, *shape.lines[at:], shape.last, show]
            yield Proposal(name, shape.name, function_text(name, lines), _RULE.replace("{given}", given))
            return
        bound |= _bound(line)


def _arguments(call: cst.Call) -> list[str]:
    return [argument.value.value for argument in call.args if isinstance(argument.value, cst.Name)]


def _bound(line: Statement) -> set[str]:
    targets = m.findall(line, m.AssignTarget(target=m.Name()))
    return {
        cst.ensure_type(cst.ensure_type(each, cst.AssignTarget).target, cst.Name).value for each in targets
    }


KEPT = Relation(
    "kept",
    _propose,
    (
        Example(
            "def merge(program, p, seen):\n"
            '    rows = [dict(row) for row in p["rows"]]\n'
            '    seen(program.merge(rows, p["key"]))\n',
            "def merge_kept(program, p, seen):\n"
            '    rows = [dict(row) for row in p["rows"]]\n'
            "    seen(rows)\n"
            '    seen(program.merge(rows, p["key"]))\n'
            "    seen(rows)\n",
        ),
    ),
)
