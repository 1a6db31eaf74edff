"""The constants and names that stand on given lines of a parsed module."""

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

__all__ = ["Mined", "mine"]

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

    Docstrings are no constants. Text longer than 200 characters and huge integers are left out. Raises
    ``libcst.ParserSyntaxError`` for text that is no Python.
    """
    wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
    positions = wrapper.resolve(PositionProvider)
    mined = Mined()
    for node in _walk(wrapper.module):
        if lines is None or not lines.isdisjoint(_lines_of(positions.get(node))):
            _collect(node, mined)
    return mined


def _walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(node, cst.Expr) and isinstance(node.value, cst.SimpleString | cst.ConcatenatedString):
        return
    yield node
    for child in node.children:
        yield from _walk(child)


def _lines_of(span: object) -> range:
    if not isinstance(span, cst.metadata.CodeRange):
        return range(0)
    return range(span.start.line, span.end.line + 1)


def _collect(node: cst.CSTNode, mined: Mined) -> None:
    match node:
        case cst.Integer() | cst.BinaryOperation():
            number = _constant(node)
            if number is not None:
                mined.numbers.add(number)
        case cst.Float():
            mined.floats.add(float(node.evaluated_value))
        case cst.SimpleString() | cst.ConcatenatedString():
            _add_text(node.evaluated_value, mined)
        case cst.FormattedStringText():
            _add_text(node.value, mined)
        case cst.Name():
            mined.names.add(node.value)


def _add_text(value: str | bytes | None, mined: Mined) -> None:
    if isinstance(value, bytes):
        value = value.decode("latin-1")
    if value and len(value) <= _TEXT_CAP:
        mined.texts.add(value)


def _constant(node: cst.BaseExpression) -> int | None:
    """Return the value of small arithmetic over integer literals, ``1024 ** 2`` or ``1 << 20``."""
    if isinstance(node, cst.Integer):
        return node.evaluated_value if node.evaluated_value.bit_length() <= _INT_BITS_CAP else None
    if not isinstance(node, cst.BinaryOperation):
        return None
    left, right = _constant(node.left), _constant(node.right)
    compute = _ARITHMETIC.get(type(node.operator))
    if left is None or right is None or compute is None:
        return None
    return compute(left, right)


def _power(left: int, right: int) -> int | None:
    is_small = 0 <= right <= 64 and left.bit_length() * right <= _INT_BITS_CAP
    return int(left**right) if is_small else None


def _shift(left: int, right: int) -> int | None:
    return left << right if 0 <= right <= _INT_BITS_CAP - left.bit_length() else None


_ARITHMETIC: dict[type[cst.CSTNode], Callable[[int, int], int | None]] = {
    cst.Multiply: operator.mul,
    cst.Add: operator.add,
    cst.Subtract: operator.sub,
    cst.Power: _power,
    cst.LeftShift: _shift,
}
