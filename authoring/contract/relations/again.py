"""Idempotence: applied to its own result, the program gives that result again."""

from collections.abc import Iterator, Sequence

import libcst as cst

from authoring.contract.relations.relation import Example, Proposal, Relation
from authoring.contract.relations.shape import Shape, called_on, function_text
from authoring.scenario.lifting.syntax import code

__all__ = ["AGAIN"]

_RULE = "{called} applied to its own result gives that result again."


def _propose(shape: Shape, _: Sequence[Shape]) -> Iterator[Proposal]:
    """Put the result of the outermost call in place of that call's first argument."""
    call = next(iter(called_on(shape, shape.observed)), None)
    if call is None or not call.args or call.args[0].keyword is not None or call.args[0].star == "**":
        return
    once = cst.Name(shape.free("once"))
    first, *others = call.args
    again = call.with_changes(args=[first.with_changes(value=once), *others])
    lines = [
        *shape.lines,
        f"{once.value} = {code(call)}",
        f"seen({code(_instead(shape, call, once))})",
        f"seen({code(_instead(shape, call, again))})",
    ]
    name = f"{shape.name}_again"
    called = code(call.func)
    words = f"`{called.removeprefix('program.')}`" if called.startswith("program.") else "The program"
    yield Proposal(name, shape.name, function_text(name, lines), _RULE.replace("{called}", words))


def _instead(shape: Shape, call: cst.Call, by: cst.BaseExpression) -> cst.CSTNode:
    found = shape.observed.deep_replace(call, by)
    assert isinstance(found, cst.CSTNode)
    return found


AGAIN = Relation(
    "again",
    _propose,
    (
        Example(
            'def listing(program, p, seen):\n    seen(sorted(program.Listing(p["names"], p["limit"])))\n',
            "def listing_again(program, p, seen):\n"
            '    once = program.Listing(p["names"], p["limit"])\n'
            "    seen(sorted(once))\n"
            '    seen(sorted(program.Listing(once, p["limit"])))\n',
        ),
    ),
)
