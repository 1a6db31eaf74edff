"""Independence of blanks around a text."""

from collections.abc import Iterator, Sequence

from authoring.contract.relations.changed import changed
from authoring.contract.relations.relation import Example, Proposal, Relation
from authoring.contract.relations.shape import Shape

__all__ = ["PADDED"]

_RULE = "Blanks around {given} make no difference to the result."


def _propose(shape: Shape, _: Sequence[Shape]) -> Iterator[Proposal]:
    yield from changed(shape, "padded", frozenset({"text"}), '" " + {given} + " "', _RULE)


PADDED = Relation(
    "padded",
    _propose,
    (
        Example(
            'def parse(program, p, seen):\n    seen(program.parse(p["text"], p["base"]))\n',
            "def parse_padded(program, p, seen):\n"
            '    for text in (p["text"], " " + p["text"] + " "):\n'
            '        seen(program.parse(text, p["base"]))\n',
            kinds="text=text base=int",
        ),
    ),
)
