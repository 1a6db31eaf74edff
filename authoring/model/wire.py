"""The wire form of values (GRADER.md R13): what may cross the border of a box, and nothing else.

Null, booleans and text stand for themselves; every other value is an object with exactly one key, its tag.
Only exact built-in types have a form, so a subclass that lies about itself has none. All is total:
any JSON value gives either a value or :class:`WireError`, and no code but ours runs.
"""

import datetime
import json
import math
import re
import uuid
from collections import Counter
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

__all__ = [
    "DEPTH_CAP",
    "INT_BITS_CAP",
    "Wire",
    "WireError",
    "check",
    "decode",
    "encode",
    "float_text",
    "sort_key",
]

Wire = Any
"""JSON data of the form that :func:`check` accepts."""

DEPTH_CAP = 50
INT_BITS_CAP = 4096
_DIGITS_CAP = 4096
_EXPONENT_CAP = 10**9
_SHARED_HASH_CAP = 64

_INT = re.compile(r"0x0|-?0x[1-9a-f][0-9a-f]*", re.ASCII)
_FLOAT = re.compile(r"-?0x[01](\.[0-9a-f]{1,13})?p[+-][0-9]{1,4}|nan|-?inf", re.ASCII)
_DIGITS = re.compile(r"0|[1-9][0-9]*", re.ASCII)
_HEX = re.compile(r"(?:[0-9a-f]{2})*", re.ASCII)
_SPLIT_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


class WireError(ValueError):
    """The value has no wire form, or the data is not of it."""


def encode(value: object) -> Wire:
    """Return the wire form of a value made of exact built-in types; raise :class:`WireError` for others."""
    return _encode(value, 0)


def decode(wire: Wire) -> Any:
    """Return the value of a wire form; raise :class:`WireError` where it has none outside a box."""
    return _decode(wire, 0)


def check(wire: Wire) -> None:
    """Raise :class:`WireError` unless the data is of the wire form, a box's own tags included."""
    _check(wire, 0)


def sort_key(wire: Wire) -> str:
    """Return the canonical JSON text by which the items of a set are sorted."""
    return json.dumps(wire, ensure_ascii=False, separators=(",", ":"))


def float_text(value: float) -> str:
    """Return the shortest C99 hexadecimal form of a float, ``nan``, ``inf`` or ``-inf``."""
    if not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    mantissa, exponent = value.hex().split("p")
    return (mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa) + "p" + exponent


def _encode(value: Any, depth: int) -> Wire:
    if depth > DEPTH_CAP:
        raise WireError("nested too deeply")
    if value is None or value is True or value is False:
        return value
    encoder = _ENCODERS.get(type(value))
    if encoder is None:
        raise WireError(f"no wire form for the type {type(value).__name__}")
    return encoder(value, depth + 1)


def _encode_text(value: str, _depth: int = 0) -> Wire:
    if not value.isascii() and _SPLIT_PAIR.search(value):
        raise WireError("a surrogate pair as two characters has no wire form")
    return value


def _int_text(value: int) -> str:
    if value.bit_length() > INT_BITS_CAP:
        raise WireError("integer too long")
    return hex(value)


def _encode_items(tag: str) -> Callable[[Any, int], Wire]:
    return lambda value, depth: {tag: [_encode(item, depth) for item in value]}


def _encode_set(tag: str) -> Callable[[Any, int], Wire]:
    return lambda value, depth: {tag: sorted((_encode(item, depth) for item in value), key=sort_key)}


def _encode_dict(value: dict[Any, Any], depth: int) -> Wire:
    return {"dict": [[_encode(key, depth), _encode(item, depth)] for key, item in value.items()]}


def _encode_decimal(value: Decimal, _depth: int = 0) -> Wire:
    sign, digits, exponent = value.as_tuple()
    text = "".join(map(str, digits))
    if len(text) > _DIGITS_CAP or (isinstance(exponent, int) and abs(exponent) > _EXPONENT_CAP):
        raise WireError("decimal too long")
    return {"decimal": [sign, text, exponent]}


def _offset(zone: datetime.tzinfo | None) -> int | None:
    if zone is None:
        return None
    if type(zone) is not datetime.timezone:
        raise WireError("a time zone object has no wire form")
    seconds = zone.utcoffset(None) / datetime.timedelta(seconds=1)
    if seconds != int(seconds):
        raise WireError("a time zone offset of a fraction of a second has no wire form")
    return int(seconds)


def _encode_time(value: datetime.time, _depth: int = 0) -> Wire:
    return {
        "time": [value.hour, value.minute, value.second, value.microsecond, value.fold, _offset(value.tzinfo)]
    }


def _encode_datetime(value: datetime.datetime, _depth: int = 0) -> Wire:
    day = [value.year, value.month, value.day]
    clock = [value.hour, value.minute, value.second, value.microsecond, value.fold, _offset(value.tzinfo)]
    return {"datetime": day + clock}


_ENCODERS: dict[type, Callable[[Any, int], Wire]] = {
    str: _encode_text,
    int: lambda value, _: {"int": _int_text(value)},
    float: lambda value, _: {"float": float_text(value)},
    complex: lambda value, _: {"complex": [float_text(value.real), float_text(value.imag)]},
    bytes: lambda value, _: {"bytes": value.hex()},
    list: _encode_items("list"),
    tuple: _encode_items("tuple"),
    dict: _encode_dict,
    set: _encode_set("set"),
    frozenset: _encode_set("frozenset"),
    Decimal: _encode_decimal,
    Fraction: lambda value, _: {"fraction": [_int_text(value.numerator), _int_text(value.denominator)]},
    datetime.date: lambda value, _: {"date": [value.year, value.month, value.day]},
    datetime.time: _encode_time,
    datetime.datetime: _encode_datetime,
    datetime.timedelta: lambda value, _: {"timedelta": [value.days, value.seconds, value.microseconds]},
    uuid.UUID: lambda value, _: {"uuid": value.hex},
}


def _tag(wire: Wire, depth: int) -> tuple[str, Any]:
    if depth > DEPTH_CAP:
        raise WireError("nested too deeply")
    if type(wire) is not dict or len(wire) != 1:
        raise WireError("neither null, a boolean, text nor an object with one key")
    ((tag, body),) = wire.items()
    if type(tag) is not str:
        raise WireError("a tag is text")
    return tag, body


def _is_plain(wire: Wire) -> bool:
    return wire is None or wire is True or wire is False or type(wire) is str


def _decode(wire: Wire, depth: int) -> Any:
    if _is_plain(wire):
        return wire
    tag, body = _tag(wire, depth)
    decoder = _DECODERS.get(tag)
    if decoder is None:
        raise WireError(f"the tag {tag[:20]!a} has no value outside a box")
    return decoder(body, depth + 1)


def _text(body: Any, cap: int) -> str:
    if type(body) is not str or len(body) > cap:
        raise WireError("expected text of a bounded length")
    return body


def _numbers(body: Any, length: int) -> list[int]:
    if type(body) is not list or len(body) != length or any(type(item) is not int for item in body):
        raise WireError(f"expected a list of {length} integers")
    if any(abs(item) > _EXPONENT_CAP for item in body):
        raise WireError("a number is out of range")
    return body


def _list(body: Any) -> list[Any]:
    if type(body) is not list:
        raise WireError("expected a list")
    return body


def _decode_int(body: Any, _depth: int = 0) -> int:
    if not _INT.fullmatch(_text(body, INT_BITS_CAP // 4 + 3)):
        raise WireError("not an integer in canonical hexadecimal")
    value = int(body, 16)
    if value.bit_length() > INT_BITS_CAP:
        raise WireError("integer too long")
    return value


def _decode_float(body: Any, _depth: int = 0) -> float:
    if not _FLOAT.fullmatch(_text(body, 30)):
        raise WireError("not a float in hexadecimal")
    try:
        return float.fromhex(body)
    except OverflowError as error:
        raise WireError("float out of range") from error


def _decode_complex(body: Any, _depth: int) -> complex:
    if type(body) is not list or len(body) != 2:
        raise WireError("expected two floats")
    return complex(_decode_float(body[0]), _decode_float(body[1]))


def _decode_bytes(body: Any, _depth: int = 0) -> bytes:
    if type(body) is not str or not _HEX.fullmatch(body):
        raise WireError("not bytes in lower-case hexadecimal")
    return bytes.fromhex(body)


def _unique(keys: Iterable[Any]) -> list[Any]:
    """Return the keys; raise where one is not hashable, two are equal, or many share a hash on purpose."""
    keys = list(keys)
    try:
        hashes = Counter(map(hash, keys))
    except TypeError as error:
        raise WireError("a key cannot be hashed") from error
    if hashes and max(hashes.values()) > _SHARED_HASH_CAP:
        raise WireError("too many keys share a hash")
    if len(set(keys)) != len(keys):
        raise WireError("two keys are equal")
    return keys


def _pairs(body: Any) -> list[list[Any]]:
    if type(body) is not list or any(type(pair) is not list or len(pair) != 2 for pair in body):
        raise WireError("expected a list of pairs")
    return body


def _decode_dict(body: Any, depth: int) -> dict[Any, Any]:
    pairs = _pairs(body)
    keys = _unique(_decode(key, depth) for key, _ in pairs)
    return dict(zip(keys, (_decode(item, depth) for _, item in pairs), strict=True))


def _decode_set(kind: type) -> Callable[[Any, int], Any]:
    def decoder(body: Any, depth: int) -> Any:
        _check_sorted(body)
        return kind(_unique(_decode(item, depth) for item in body))

    return decoder


def _check_sorted(body: Any) -> None:
    texts = [sort_key(item) for item in _list(body)]
    if any(left >= right for left, right in pairwise(texts)):
        raise WireError("the items of a set are not sorted or not distinct")


def _decode_decimal(body: Any, _depth: int = 0) -> Decimal:
    if type(body) is not list or len(body) != 3 or type(body[0]) is not int or body[0] not in (0, 1):
        raise WireError("expected a sign, digits and an exponent")
    sign, digits, exponent = body[0], _text(body[1], _DIGITS_CAP), body[2]
    if type(exponent) is str:
        special = exponent == "F" and digits == "0"
        payload = exponent in ("n", "N") and (digits == "" or _DIGITS.fullmatch(digits))
        if not special and not payload:
            raise WireError("not a special decimal")
    elif type(exponent) is not int or abs(exponent) > _EXPONENT_CAP or not _DIGITS.fullmatch(digits):
        raise WireError("not a decimal")
    return Decimal((sign, tuple(map(int, digits)), exponent))


def _decode_fraction(body: Any, _depth: int) -> Fraction:
    if type(body) is not list or len(body) != 2:
        raise WireError("expected a numerator and a denominator")
    numerator, denominator = _decode_int(body[0]), _decode_int(body[1])
    if denominator < 1 or math.gcd(numerator, denominator) != 1:
        raise WireError("not a fraction in lowest terms")
    return Fraction(numerator, denominator)


def _built(build: Callable[..., Any], *values: Any, **named: Any) -> Any:
    try:
        return build(*values, **named)
    except (ValueError, OverflowError, TypeError) as error:
        raise WireError("a number is out of range") from error


def _zone(offset: Any) -> datetime.timezone | None:
    if offset is None:
        return None
    (seconds,) = _numbers([offset], 1)
    zone: datetime.timezone = _built(lambda: datetime.timezone(datetime.timedelta(seconds=seconds)))
    return zone


def _clock(body: Any, length: int) -> tuple[list[int], int, datetime.timezone | None]:
    if type(body) is not list or len(body) != length:
        raise WireError(f"expected {length} numbers")
    *numbers, fold = _numbers(body[:-1], length - 1)
    return numbers, fold, _zone(body[-1])


def _decode_time(body: Any, _depth: int = 0) -> datetime.time:
    numbers, fold, zone = _clock(body, 6)
    result: datetime.time = _built(datetime.time, *numbers, zone, fold=fold)
    return result


def _decode_datetime(body: Any, _depth: int = 0) -> datetime.datetime:
    numbers, fold, zone = _clock(body, 9)
    result: datetime.datetime = _built(datetime.datetime, *numbers, zone, fold=fold)
    return result


def _decode_date(body: Any, _depth: int = 0) -> datetime.date:
    result: datetime.date = _built(datetime.date, *_numbers(body, 3))
    return result


def _decode_timedelta(body: Any, _depth: int = 0) -> datetime.timedelta:
    days, seconds, micros = _numbers(body, 3)
    if not (0 <= seconds < 86_400 and 0 <= micros < 1_000_000):
        raise WireError("not a normalised time difference")
    result: datetime.timedelta = _built(datetime.timedelta, days, seconds, micros)
    return result


def _decode_uuid(body: Any, _depth: int = 0) -> uuid.UUID:
    if not (len(_text(body, 32)) == 32 and _HEX.fullmatch(body)):
        raise WireError("not a UUID in lower-case hexadecimal")
    return uuid.UUID(hex=body)


def _decode_tuple(body: Any, depth: int) -> tuple[Any, ...]:
    return tuple(_decode(item, depth) for item in _list(body))


_DECODERS: dict[str, Callable[[Any, int], Any]] = {
    "int": _decode_int,
    "float": _decode_float,
    "complex": _decode_complex,
    "bytes": _decode_bytes,
    "list": lambda body, depth: [_decode(item, depth) for item in _list(body)],
    "tuple": _decode_tuple,
    "dict": _decode_dict,
    "set": _decode_set(set),
    "frozenset": _decode_set(frozenset),
    "decimal": _decode_decimal,
    "fraction": _decode_fraction,
    "date": _decode_date,
    "time": _decode_time,
    "datetime": _decode_datetime,
    "timedelta": _decode_timedelta,
    "uuid": _decode_uuid,
}


def _check(wire: Wire, depth: int) -> None:
    if type(wire) is str:
        _encode_text(wire)
        return
    if wire is None or wire is True or wire is False:
        return
    tag, body = _tag(wire, depth)
    checker = _CHECKERS.get(tag) or _DECODERS.get(tag)
    if checker is None:
        raise WireError(f"unknown tag {tag[:20]!a}")
    checker(body, depth + 1)


def _check_items(body: Any, depth: int) -> None:
    for item in _list(body):
        _check(item, depth)


def _check_dict(body: Any, depth: int) -> None:
    pairs = _pairs(body)
    for key, item in pairs:
        _check(key, depth)
        _check(item, depth)
    if len({sort_key(key) for key, _ in pairs}) != len(pairs):
        raise WireError("two keys are equal")


def _check_set(body: Any, depth: int) -> None:
    _check_items(body, depth)
    _check_sorted(body)


def _check_enum(body: Any, _depth: int = 0) -> None:
    if type(body) is not list or len(body) != 2:
        raise WireError("expected a type and a member")
    _text(body[0], 200)
    _text(body[1], 200)


def _check_record(body: Any, depth: int) -> None:
    if type(body) is not list or len(body) != 2:
        raise WireError("expected a type and its fields")
    _text(body[0], 200)
    for field, item in _pairs(body[1]):
        _text(field, 200)
        _check(item, depth)


def _check_iter(body: Any, depth: int) -> None:
    if type(body) is not list or len(body) != 2 or type(body[1]) is not bool:
        raise WireError("expected items and whether they ended")
    _check_items(body[0], depth)


def _check_handle(body: Any, _depth: int = 0) -> None:
    if type(body) is not int or not 0 <= body < 1_000_000:
        raise WireError("not a handle")


def _check_double(body: Any, _depth: int = 0) -> None:
    _text(body, 200)


_CHECKERS: dict[str, Callable[[Any, int], None]] = {
    "list": _check_items,
    "tuple": _check_items,
    "dict": _check_dict,
    "set": _check_set,
    "frozenset": _check_set,
    "enum": _check_enum,
    "record": _check_record,
    "iter": _check_iter,
    "handle": _check_handle,
    "double": _check_double,
}
"""Tags whose form is checked without building the value: containers, and what exists in a box only."""
