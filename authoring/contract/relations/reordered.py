"""Order independence: the items of a list the other way round give the same result."""

from collections.abc import Iterator, Sequence

from authoring.contract.relations.changed import changed
from authoring.contract.relations.relation import Example, Proposal, Relation
from authoring.contract.relations.shape import Shape

__all__ = ["REORDERED"]

_RULE = "The order of the items of {given} makes no difference to the result."


def _propose(shape: Shape, _: Sequence[Shape]) -> Iterator[Proposal]:
    yield from changed(shape, "reordered", frozenset({"list", "tuple"}), "{given}[::-1]", _RULE, least=2)


REORDERED = Relation(
    "reordered",
    _propose,
    (
        Example(
            'def listing(program, p, seen):\n    seen(program.listing(p["names"], p["limit"]))\n',
            "def listing_reordered(program, p, seen):\n"
            '    for names in (p["names"], p["names"][::-1]):\n'
            '        seen(program.listing(names, p["limit"]))\n',
            kinds="names=list limit=int",
        ),
        Example(
            "def listing(program, p, seen):\n"
            "    import io\n"
            "\n"
            "    def read(text):\n"
            "        return program.read(io.StringIO(text))\n"
            "\n"
            '    names = read(p["text"])\n'
            '    names.update(p["names"])\n'
            "    seen(sorted(names))\n",
            "def listing_reordered(program, p, seen):\n"
            "    import io\n"
            "\n"
            "    def read(text):\n"
            "        return program.read(io.StringIO(text))\n"
            "\n"
            '    for names_ in (p["names"], p["names"][::-1]):\n'
            '        names = read(p["text"])\n'
            "        names.update(names_)\n"
            "        seen(sorted(names))\n",
            kinds="names=list text=text",
        ),
    ),
)
