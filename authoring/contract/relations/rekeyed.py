"""Independence of the order in which a mapping lists its keys."""

from collections.abc import Iterator, Sequence

from authoring.contract.relations.changed import changed
from authoring.contract.relations.relation import Example, Proposal, Relation
from authoring.contract.relations.shape import Shape

__all__ = ["REKEYED"]

_RULE = "The order in which {given} lists its keys makes no difference to the result."


def _propose(shape: Shape, _: Sequence[Shape]) -> Iterator[Proposal]:
    yield from changed(
        shape, "rekeyed", frozenset({"dict"}), "dict(reversed({given}.items()))", _RULE, least=2
    )


REKEYED = Relation(
    "rekeyed",
    _propose,
    (
        Example(
            'def merge(program, p, seen):\n    seen(program.merge(p["one"], p["other"]))\n',
            "def merge_other_rekeyed(program, p, seen):\n"
            '    for other in (p["other"], dict(reversed(p["other"].items()))):\n'
            '        seen(program.merge(p["one"], other))\n',
            kinds="one=dict other=dict",
        ),
    ),
)
