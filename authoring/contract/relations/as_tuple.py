"""Independence of the kind of sequence: a tuple does what a list does."""

from collections.abc import Iterator, Sequence

from authoring.contract.relations.changed import changed
from authoring.contract.relations.relation import Example, Proposal, Relation
from authoring.contract.relations.shape import Shape

__all__ = ["AS_TUPLE"]

_RULE = "{given} may be a tuple as well as a list; the result is the same."


def _propose(shape: Shape, _: Sequence[Shape]) -> Iterator[Proposal]:
    yield from changed(shape, "as_tuple", frozenset({"list"}), "tuple({given})", _RULE)


AS_TUPLE = Relation(
    "as_tuple",
    _propose,
    (
        Example(
            'def chain(program, p, seen):\n    convert = program.chain(p["steps"])\n    seen(convert(p["text"]))\n',
            "def chain_as_tuple(program, p, seen):\n"
            '    for steps in (p["steps"], tuple(p["steps"])):\n'
            "        convert = program.chain(steps)\n"
            '        seen(convert(p["text"]))\n',
            kinds="steps=list text=text",
        ),
    ),
)
