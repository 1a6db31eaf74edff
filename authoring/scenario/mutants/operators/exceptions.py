"""Raise, catch and let through otherwise."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.mutants.operator import Instead, Operator, Proposal

__all__ = ["EXCEPTIONS"]

_OTHERS = ("ValueError", "TypeError", "RuntimeError")


def _propose(node: cst.CSTNode) -> Iterator[Proposal]:
    if isinstance(node, cst.Raise) and node.exc is not None:
        yield from _raised(node, node.exc)
    elif isinstance(node, cst.ExceptHandler):
        yield node.with_changes(body=cst.IndentedBlock([cst.SimpleStatementLine([cst.Raise()])]))
        if node.type is not None:
            yield Instead(node.type, cst.Name("ZeroDivisionError"))
            yield Instead(node.type, cst.Name("Exception"))
            if isinstance(node.type, cst.Tuple):
                for element in node.type.elements:
                    yield node.with_changes(
                        type=element.value, whitespace_after_except=cst.SimpleWhitespace(" ")
                    )
    elif isinstance(node, cst.Try) and node.handlers and node.finalbody is None and node.orelse is None:
        yield cst.If(cst.Name("True"), node.body)


def _raised(node: cst.Raise, raised: cst.BaseExpression) -> Iterator[cst.CSTNode]:
    called = raised.func if isinstance(raised, cst.Call) else raised
    name = called.value if isinstance(called, cst.Name) else ""
    other = next(other for other in _OTHERS if other != name)
    if isinstance(raised, cst.Call):
        yield node.with_changes(exc=raised.with_changes(func=cst.Name(other)))
    else:
        yield node.with_changes(exc=cst.Name(other))


EXCEPTIONS = Operator(
    "exception",
    _propose,
    (
        ("raise ValueError(a)\n", "raise TypeError(a)\n"),
        ("try:\n    a()\nexcept KeyError:\n    b()\n", "try:\n    a()\nexcept KeyError:\n    raise\n"),
        ("try:\n    a()\nexcept KeyError:\n    b()\n", "try:\n    a()\nexcept Exception:\n    b()\n"),
        ("try:\n    a()\nexcept (A, B):\n    b()\n", "try:\n    a()\nexcept B:\n    b()\n"),
        ("try:\n    a()\nexcept KeyError:\n    b()\n", "if True:\n    a()\n"),
    ),
)
