"""Independence of items that come twice."""

from collections.abc import Iterator, Sequence

from authoring.contract.relations.changed import changed
from authoring.contract.relations.relation import Example, Proposal, Relation
from authoring.contract.relations.shape import Shape

__all__ = ["DOUBLED"]

_RULE = "Items that {given} holds twice make no difference to the result."


def _propose(shape: Shape, _: Sequence[Shape]) -> Iterator[Proposal]:
    yield from changed(shape, "doubled", frozenset({"list", "tuple"}), "{given} + {given}", _RULE, least=1)


DOUBLED = Relation(
    "doubled",
    _propose,
    (
        Example(
            'def tags(program, p, seen):\n    seen(program.tags(*p["names"]))\n',
            "def tags_doubled(program, p, seen):\n"
            '    for names in (p["names"], p["names"] + p["names"]):\n'
            "        seen(program.tags(*names))\n",
            kinds="names=tuple",
        ),
    ),
)
