"""Round trip: what one name of the program makes of a value, another one turns into that value again."""

from collections.abc import Iterator, Sequence

import libcst as cst
from libcst import matchers as m

from authoring.contract.relations.relation import Example, Proposal, Relation
from authoring.contract.relations.shape import Shape, called_on, function_text, read_of, reads_of
from authoring.scenario.lifting.syntax import code

__all__ = ["BACK"]

_RULE = "`{back}` gives back what `{there}` was given."


def _propose(shape: Shape, shapes: Sequence[Shape]) -> Iterator[Proposal]:
    there = _whole_call(shape)
    if there is None or shape.lines:
        return
    given = code(there.args[0].value)
    seen: set[str] = set()
    for other in shapes:
        back = _whole_call(other)
        if back is None or other.lines or len(back.args) != 1 or code(back.func) in (code(there.func), *seen):
            continue
        seen.add(code(back.func))
        names = [code(call.func).removeprefix("program.") for call in (there, back)]
        returned = back.with_changes(args=[back.args[0].with_changes(value=there)])
        name = (
            f"{shape.name}_back" if len(seen) == 1 else f"{shape.name}_back_by_{names[1].replace('.', '_')}"
        )
        text = function_text(name, [f"seen({given})", f"seen({code(returned)})"])
        yield Proposal(name, shape.name, text, _RULE.replace("{back}", names[1]).replace("{there}", names[0]))


def _whole_call(shape: Shape) -> cst.Call | None:
    """Return the call of a name of the program that is all that is observed, on a parameter as it is."""
    call = next(iter(called_on(shape, shape.observed)), None)
    if call is None or call is not shape.observed or not m.matches(call, m.Call(func=m.Attribute())):
        return None
    plain = m.Arg(value=read_of(), keyword=None, star="")
    return call if call.args and m.matches(call.args[0], plain) and reads_of(call) else None


BACK = Relation(
    "back",
    _propose,
    (
        Example(
            'def dump(program, p, seen):\n    seen(program.dump(p["value"], indent=p["indent"]))\n'
            '\n\ndef load(program, p, seen):\n    seen(program.load(p["text"]))\n',
            "def dump_back(program, p, seen):\n"
            '    seen(p["value"])\n'
            '    seen(program.load(program.dump(p["value"], indent=p["indent"])))\n',
        ),
    ),
)
