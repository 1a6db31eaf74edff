"""Values as the Python text that a person would write for them."""

import datetime
import math
import uuid
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

__all__ = ["MODULES", "literal"]

MODULES = {
    datetime.date: "datetime",
    datetime.datetime: "datetime",
    datetime.time: "datetime",
    datetime.timedelta: "datetime",
    Decimal: "decimal",
    Fraction: "fractions",
    uuid.UUID: "uuid",
}
"""The standard module that the text of such a value needs."""


def literal(value: Any) -> str:
    """Return an expression that evaluates to an equal value of the same type.

    Takes the values that have a wire form; raises ``TypeError`` for any other.
    """
    kind = type(value)
    if kind in (bool, int, bytes, type(None)):
        return repr(value)
    writer = _WRITERS.get(kind)
    if writer is None:
        raise TypeError(f"no literal for the type {kind.__name__}")
    return writer(value)


def _text(value: str) -> str:
    return repr(value) if value.isprintable() else ascii(value)


def _float(value: float) -> str:
    if not math.isfinite(value):
        return f'float("{value}")'
    return repr(value)


def _complex(value: complex) -> str:
    return f"complex({_float(value.real)}, {_float(value.imag)})"


def _tuple(value: tuple[Any, ...]) -> str:
    inner = ", ".join(literal(item) for item in value)
    return f"({inner},)" if len(value) == 1 else f"({inner})"


def _dict(value: dict[Any, Any]) -> str:
    return "{" + ", ".join(f"{literal(key)}: {literal(item)}" for key, item in value.items()) + "}"


def _set(value: set[Any]) -> str:
    return "{" + ", ".join(sorted(map(literal, value))) + "}" if value else "set()"


def _frozenset(value: frozenset[Any]) -> str:
    return f"frozenset({_set(set(value))})" if value else "frozenset()"


def _zone(value: datetime.time | datetime.datetime) -> str:
    if value.tzinfo is None:
        return ""
    offset = value.utcoffset()
    seconds = int(offset.total_seconds()) if offset is not None else 0
    if seconds == 0:
        return ", tzinfo=datetime.timezone.utc"
    return f", tzinfo=datetime.timezone(datetime.timedelta(seconds={seconds}))"


def _fold(value: datetime.time | datetime.datetime) -> str:
    return ", fold=1" if value.fold else ""


def _date(value: datetime.date) -> str:
    return f"datetime.date({value.year}, {value.month}, {value.day})"


def _clock(value: datetime.time | datetime.datetime) -> list[int]:
    parts = [value.hour, value.minute, value.second, value.microsecond]
    while len(parts) > 2 and parts[-1] == 0:
        parts.pop()
    return parts


def _time(value: datetime.time) -> str:
    return f"datetime.time({', '.join(map(str, _clock(value)))}{_zone(value)}{_fold(value)})"


def _datetime(value: datetime.datetime) -> str:
    parts = [value.year, value.month, value.day, *_clock(value)]
    return f"datetime.datetime({', '.join(map(str, parts))}{_zone(value)}{_fold(value)})"


def _timedelta(value: datetime.timedelta) -> str:
    parts = {"days": value.days, "seconds": value.seconds, "microseconds": value.microseconds}
    inner = ", ".join(f"{name}={number}" for name, number in parts.items() if number)
    return f"datetime.timedelta({inner})"


_WRITERS: dict[type, Callable[[Any], str]] = {
    str: _text,
    float: _float,
    complex: _complex,
    list: lambda value: "[" + ", ".join(map(literal, value)) + "]",
    tuple: _tuple,
    dict: _dict,
    set: _set,
    frozenset: _frozenset,
    Decimal: lambda value: f'decimal.Decimal("{value}")',
    Fraction: lambda value: f"fractions.Fraction({value.numerator}, {value.denominator})",
    datetime.date: _date,
    datetime.time: _time,
    datetime.datetime: _datetime,
    datetime.timedelta: _timedelta,
    uuid.UUID: lambda value: f'uuid.UUID("{value.hex}")',
}
