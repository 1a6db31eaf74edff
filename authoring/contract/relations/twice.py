"""Asked twice in a row, the result is the same: nothing is left behind, nothing given is used up."""

from collections.abc import Iterator, Sequence

from authoring.contract.relations.relation import Example, Proposal, Relation
from authoring.contract.relations.shape import Shape, function_text

__all__ = ["TWICE"]

_RULE = "Asked twice in a row with the same arguments, the program gives the same result both times."


def _propose(shape: Shape, _: Sequence[Shape]) -> Iterator[Proposal]:
    name = f"{shape.name}_twice"
    text = function_text(name, [*shape.lines, shape.last, shape.last])
    yield Proposal(name, shape.name, text, _RULE)


TWICE = Relation(
    "twice",
    _propose,
    (
        Example(
            'def listing(program, p, seen):\n    seen(program.listing(p["names"]))\n',
            "def listing_twice(program, p, seen):\n"
            '    seen(program.listing(p["names"]))\n'
            '    seen(program.listing(p["names"]))\n',
        ),
    ),
)
