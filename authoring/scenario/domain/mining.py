"""The constants and names that stand on given lines of a program."""

import ast
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

__all__ = ["Mined", "lines_of", "mine"]

_INT_BITS_CAP = 256
_TEXT_CAP = 200


@dataclass(slots=True)
class Mined:
    """What was found so far."""

    numbers: set[int] = field(default_factory=set)
    floats: set[float] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    """Names, attributes included."""


def mine(source: str, lines: frozenset[int] | None) -> Mined:
    """Return numbers, floats, texts and names of nodes on the lines; None means all lines.

    Docstrings are no constants. Text longer than 200 characters and huge integers are left out. Raises SyntaxError for
    text that is no Python.
    """
    mined = Mined()
    for node in _walk(ast.parse(source)):
        if lines is None or not lines.isdisjoint(lines_of(node)):
            _collect(node, mined)
    return mined


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):
            continue
        yield one
        waiting += ast.iter_child_nodes(one)


def lines_of(node: ast.AST) -> range:
    """Return the lines that a node stands on; none of what has no place."""
    first = getattr(node, "lineno", 0)
    last = getattr(node, "end_lineno", None)
    return range(first, (last or first) + 1) if first else range(0)


def _collect(node: ast.AST, mined: Mined) -> None:
    match node:
        case ast.Constant(value=bool() | None | complex()):
            mined.names.add(str(node.value))
        case ast.Constant(value=float() as number):
            mined.floats.add(number)
        case ast.Constant(value=str() as text):
            _add_text(text, mined)
        case ast.Constant(value=bytes() as data):
            _add_text(data.decode("latin-1"), mined)
        case ast.Constant() | ast.BinOp():
            value = _constant(node)
            if value is not None:
                mined.numbers.add(value)
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.alias(name=name):
            mined.names.add(name)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            mined.names.add(name)
        case ast.keyword(arg=str() as name):
            mined.names.add(name)


def _add_text(text: str, mined: Mined) -> None:
    if text and len(text) <= _TEXT_CAP:
        mined.texts.add(text)


def _constant(node: ast.AST) -> int | None:
    """Return the value of small arithmetic over integer literals, ``1024 ** 2`` or ``1 << 20``."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value if node.value.bit_length() <= _INT_BITS_CAP else None
    if not isinstance(node, ast.BinOp):
        return None
    compute = _ARITHMETIC.get(type(node.op))
    if compute is None:
        return None
    left, right = _constant(node.left), _constant(node.right)
    return None if left is None or right is None else compute(left, right)


def _power(left: int, right: int) -> int | None:
    is_small = 0 <= right <= 64 and left.bit_length() * right <= _INT_BITS_CAP
    return int(left**right) if is_small else None


def _shift(left: int, right: int) -> int | None:
    return left << right if 0 <= right <= _INT_BITS_CAP - left.bit_length() else None


_ARITHMETIC: dict[type[ast.operator], Callable[[int, int], int | None]] = {
    ast.Mult: operator.mul,
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Pow: _power,
    ast.LShift: _shift,
}
