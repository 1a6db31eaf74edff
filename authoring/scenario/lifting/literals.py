"""Evaluate the expressions that are data: literals, displays of them, plain arithmetic, and dates and the like."""

import ast
import datetime
import decimal
import fractions
import operator
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import libcst as cst

from authoring.model.wire import WireError, encode
from authoring.scenario.lifting.syntax import code, dotted

__all__ = ["NOT_DATA", "Constants", "data_of", "is_changeable"]

SIZE_CAP = 1 << 16


class NotData:
    """The one answer for an expression that is not data."""


NOT_DATA = NotData()

_CONSTRUCTORS: dict[str, Callable[..., Any]] = {
    "datetime.date": datetime.date,
    "datetime.datetime": datetime.datetime,
    "datetime.time": datetime.time,
    "datetime.timedelta": datetime.timedelta,
    "datetime.timezone": datetime.timezone,
    "decimal.Decimal": decimal.Decimal,
    "fractions.Fraction": fractions.Fraction,
    "uuid.UUID": uuid.UUID,
}
_ZONES = {"datetime.timezone.utc": datetime.UTC, "datetime.UTC": datetime.UTC}
_BUILTINS: dict[str, Callable[..., Any]] = {
    "set": set,
    "frozenset": frozenset,
    "tuple": tuple,
    "list": list,
    "dict": dict,
    "float": float,
    "complex": complex,
}
_BINARY: dict[type, Callable[[Any, Any], Any]] = {
    cst.Add: operator.add,
    cst.Subtract: operator.sub,
    cst.Multiply: operator.mul,
    cst.Divide: operator.truediv,
    cst.FloorDivide: operator.floordiv,
    cst.Modulo: operator.mod,
    cst.Power: operator.pow,
}
_UNARY: dict[type, Callable[[Any], Any]] = {
    cst.Minus: operator.neg,
    cst.Plus: operator.pos,
    cst.BitInvert: operator.invert,
}
_ERRORS = (ArithmeticError, TypeError, ValueError, LookupError, MemoryError)


@dataclass(frozen=True, slots=True)
class Constants:
    """What names are known to stand for: values of data, and imports by the name that they bind."""

    values: Mapping[str, Any]
    imports: Mapping[str, str]
    """``{"dt": "datetime", "date": "datetime.date"}``."""

    def full_name(self, node: cst.CSTNode) -> str | None:
        """Return the imported dotted name that an expression stands for, or None."""
        name = dotted(node)
        if name is None:
            return None
        head, _, rest = name.partition(".")
        known = self.imports.get(head)
        return None if known is None else f"{known}.{rest}" if rest else known


def data_of(node: cst.BaseExpression, constants: Constants) -> Any:
    """Return the value of an expression that is data with a wire form, else :data:`NOT_DATA`."""
    try:
        value = _value(node, constants)
        if value is NOT_DATA or not _is_small(value):
            return NOT_DATA
        encode(value)
    except (*_ERRORS, WireError):
        return NOT_DATA
    return value


def is_changeable(value: Any) -> bool:
    """Return whether a value can be changed in place."""
    if isinstance(value, tuple | frozenset):
        return any(map(is_changeable, value))
    return isinstance(value, list | dict | set)


def _is_small(value: Any) -> bool:
    if isinstance(value, str | bytes):
        return len(value) <= SIZE_CAP
    return not isinstance(value, int) or value.bit_length() <= 4096


def _value(node: cst.BaseExpression, constants: Constants) -> Any:
    if isinstance(node, cst.Name):
        return _name(node, constants)
    if isinstance(node, cst.Integer | cst.Float | cst.Imaginary):
        return ast.literal_eval(code(node.with_changes(lpar=[], rpar=[])))
    if isinstance(node, cst.SimpleString | cst.ConcatenatedString):
        return _text(node)
    for kinds, evaluate in _COMPOUND:
        if isinstance(node, kinds):
            return evaluate(node, constants)
    return _ZONES.get(constants.full_name(node) or "", NOT_DATA)


def _name(node: cst.Name, constants: Constants) -> Any:
    if node.value in ("None", "True", "False"):
        return {"None": None, "True": True, "False": False}[node.value]
    if node.value in constants.values:
        return constants.values[node.value]
    return _ZONES.get(constants.full_name(node) or "", NOT_DATA)


def _text(node: cst.SimpleString | cst.ConcatenatedString) -> Any:
    if isinstance(node, cst.ConcatenatedString) and any(
        isinstance(part, cst.FormattedString) for part in (node.left, node.right)
    ):
        return NOT_DATA
    value = node.evaluated_value
    return NOT_DATA if value is None else value


def _items(node: cst.Tuple | cst.List | cst.Set, constants: Constants) -> Any:
    values = []
    for element in node.elements:
        value = _value(element.value, constants)
        if value is NOT_DATA:
            return NOT_DATA
        if isinstance(element, cst.StarredElement):
            values += list(value)
        else:
            values.append(value)
    return {cst.Tuple: tuple, cst.List: list, cst.Set: set}[type(node)](values)


def _mapping(node: cst.Dict, constants: Constants) -> Any:
    found: dict[Any, Any] = {}
    for element in node.elements:
        value = _value(element.value, constants)
        if value is NOT_DATA:
            return NOT_DATA
        if isinstance(element, cst.StarredDictElement):
            found |= value
            continue
        key = _value(element.key, constants) if isinstance(element, cst.DictElement) else NOT_DATA
        if key is NOT_DATA:
            return NOT_DATA
        found[key] = value
    return found


def _binary(node: cst.BinaryOperation, constants: Constants) -> Any:
    left, right = _value(node.left, constants), _value(node.right, constants)
    apply = _BINARY.get(type(node.operator))
    if left is NOT_DATA or right is NOT_DATA or apply is None or not _is_bounded(node.operator, left, right):
        return NOT_DATA
    return apply(left, right)


def _is_bounded(kind: cst.BaseBinaryOp, left: Any, right: Any) -> bool:
    if isinstance(kind, cst.Power):
        return isinstance(left, int) and isinstance(right, int) and abs(left) <= 1 << 64 and 0 <= right <= 64
    if isinstance(kind, cst.Multiply):
        sized = [side for side in (left, right) if hasattr(side, "__len__")]
        times = [side for side in (left, right) if isinstance(side, int)]
        return not sized or (len(times) == 1 and len(sized[0]) * abs(times[0]) <= SIZE_CAP)
    if isinstance(kind, cst.Modulo):
        return not isinstance(left, str | bytes)
    return True


def _unary(node: cst.UnaryOperation, constants: Constants) -> Any:
    value, apply = _value(node.expression, constants), _UNARY.get(type(node.operator))
    return NOT_DATA if value is NOT_DATA or apply is None else apply(value)


def _call(node: cst.Call, constants: Constants) -> Any:
    full = constants.full_name(node.func)
    build = _CONSTRUCTORS.get(full or "")
    if build is None and isinstance(node.func, cst.Name) and node.func.value not in constants.imports:
        build = _BUILTINS.get(node.func.value)
    if build is None:
        return NOT_DATA
    positional, named = [], {}
    for arg in node.args:
        value = _value(arg.value, constants)
        if value is NOT_DATA or arg.star:
            return NOT_DATA
        if arg.keyword is None:
            positional.append(value)
        else:
            named[arg.keyword.value] = value
    return build(*positional, **named)


_COMPOUND: tuple[tuple[Any, Callable[..., Any]], ...] = (
    ((cst.Tuple, cst.List, cst.Set), _items),
    (cst.Dict, _mapping),
    (cst.BinaryOperation, _binary),
    (cst.UnaryOperation, _unary),
    (cst.Call, _call),
)
