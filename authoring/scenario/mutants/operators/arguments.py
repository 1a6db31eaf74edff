"""Call with an argument less, or with two of them swapped."""

from collections.abc import Iterator
from itertools import pairwise

import libcst as cst

from authoring.scenario.mutants.operator import Operator, Proposal

__all__ = ["ARGUMENTS"]


def _propose(node: cst.CSTNode) -> Iterator[Proposal]:
    if not isinstance(node, cst.Call):
        return
    args = list(node.args)
    for at in range(len(args)):
        rest = [*args[:at], *args[at + 1 :]]
        if rest:
            rest[-1] = rest[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        yield node.with_changes(args=rest)
    plain = [at for at, arg in enumerate(args) if arg.keyword is None and not arg.star]
    for one, other in pairwise(plain):
        swapped = list(args)
        swapped[one] = args[one].with_changes(value=args[other].value)
        swapped[other] = args[other].with_changes(value=args[one].value)
        yield node.with_changes(args=swapped)


ARGUMENTS = Operator(
    "argument",
    _propose,
    (
        ("f(a, b)\n", "f(b)\n"),
        ("f(a, b)\n", "f(a)\n"),
        ("f(a, b)\n", "f(b, a)\n"),
        ("f(a, key=b)\n", "f(a)\n"),
    ),
)
