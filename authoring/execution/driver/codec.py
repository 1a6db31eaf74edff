"""The wire form (GRADER.md R13) inside the box: values to JSON text without running their code, and back."""

import sys
from _json import encode_basestring, encode_basestring_ascii, make_scanner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Quote = Callable[[str], str]
else:
    Any = Quote = object

DEPTH_CAP = 50
INT_BITS_CAP = 4096
DIGITS_CAP = 4096

_mro_of = type.__dict__["__mro__"].__get__
_name_of = type.__dict__["__name__"].__get__
_dict_of = type.__dict__["__dict__"].__get__
_attribute = object.__getattribute__
_MEMBER = type(type(lambda: None).__dict__["__globals__"])


def _generator() -> Any:
    yield


_GENERATOR = type(_generator())


_BUILT_IN = frozenset((object, bool, bytes, complex, dict, float, frozenset, int, list, set, str, tuple))


class Outside(BaseException):
    """A value that has no wire form left the program; not an Exception, so that scenarios do not swallow it."""

    def __init__(self, why: str, phrase: str) -> None:
        self.why = why
        self.phrase = phrase


class Awaited:
    """What a call of an asynchronous injected function gives: other tasks run once, then the parent answers."""

    __slots__ = ("_ask", "_call")

    def __init__(self, ask: Any, *call: Any) -> None:
        self._ask = ask
        self._call = call

    def __await__(self) -> Any:
        """Let other tasks run, and have the parent answer."""
        yield
        return self._ask(*self._call)


class Double:
    """An injected function: a call of it is answered by the parent."""

    __slots__ = ("_ask", "_name")

    def __init__(self, name: str, ask: Any) -> None:
        self._name = name
        self._ask = ask

    def __call__(self, *args: Any) -> Any:
        """Have the parent answer, at once or, where the name begins with ``async``, when it is awaited."""
        if self._name.startswith("async "):
            return Awaited(self._ask, self._name, args)
        return self._ask(self._name, args)


class _Settings:
    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


_settings: Any = _Settings
_scan = make_scanner(_settings)


def load_json(text: str) -> Any:
    """Return the value of a JSON text that the parent sent."""
    return _scan(text, 0)[0]


def float_text(value: float) -> str:
    """Return the shortest hexadecimal form of a float, ``nan``, ``inf`` or ``-inf``."""
    text = value.hex()
    if "p" not in text:
        return text
    mantissa, exponent = text.split("p")
    return (mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa) + "p" + exponent


def class_name(kind: type) -> str:
    """Return a class's name without running its metaclass."""
    name = _name_of(kind)
    return name if type(name) is str else "?"


def mro(kind: type) -> tuple[type, ...]:
    """Return a class's bases in order, itself first, without running its metaclass."""
    bases: tuple[type, ...] = _mro_of(kind)
    return bases


class Encoder:
    """Turns values into wire text; knows the classes, members and objects that the contract lets through."""

    def __init__(self, cap: int = 4 << 20, values_cap: int = 1 << 40) -> None:
        self.cap = cap
        self.left = cap
        self.values_cap = values_cap
        self.values_left = values_cap
        self.records: dict[type, str] = {}
        self.enums: dict[type, str] = {}
        self.handles: dict[type, str] = {}
        self.iterators = 0
        self._objects: list[Any] = []

    def start(self) -> None:
        """Begin a call: the size budget is whole and no object has a handle."""
        self.left = self.cap
        self.values_left = self.values_cap
        self._objects = []

    def encode(self, value: Any) -> str:
        """Return the wire text of a value; raise :class:`Outside` where it has none."""
        return self._encode(value, 0, encode_basestring_ascii)

    def _encode(self, value: Any, depth: int, quote: Quote) -> str:
        if value is None:
            return "null"
        if value is True:
            return "true"
        if value is False:
            return "false"
        if depth > DEPTH_CAP:
            raise Outside("depth", "nested too deeply")
        kind = type(value)
        self.left -= 8
        if kind is str:
            return self._text(value, quote)
        self._count()
        if kind is int:
            return '{"int":"' + self._int(value) + '"}'
        if kind is list or kind is tuple:
            return '{"%s":[%s]}' % (class_name(kind), self._items(value, depth + 1, quote))
        if kind is dict:
            return '{"dict":[' + self._pairs(dict.items(value), depth + 1, quote) + "]}"
        if kind is float:
            return '{"float":"' + float_text(value) + '"}'
        return self._other(value, kind, depth + 1, quote)

    def _spend(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise Outside("size", "larger than the reply may be")

    def _count(self) -> None:
        self.values_left -= 1
        if self.values_left < 0:
            raise Outside("size", "made of more values than a reply may be")

    def _text(self, value: str, quote: Quote) -> str:
        self._spend(len(value))
        if not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError:
                for left, right in zip(value, value[1:]):
                    if "\ud800" <= left <= "\udbff" and "\udc00" <= right <= "\udfff":
                        raise Outside("text", "a surrogate pair as two characters") from None
        quoted: str = quote(value)
        return quoted

    def _int(self, value: int) -> str:
        if value.bit_length() > INT_BITS_CAP:
            raise Outside("int", "an integer of more than 4,096 bits")
        self._spend(value.bit_length() >> 2)
        return hex(value)

    def _items(self, values: Any, depth: int, quote: Quote) -> str:
        parts = []
        for item in values:
            self._spend(2)
            parts.append(self._encode(item, depth, quote))
        return ",".join(parts)

    def _pairs(self, pairs: Any, depth: int, quote: Quote) -> str:
        parts = []
        for key, item in pairs:
            self._spend(4)
            self._count()
            parts.append("[" + self._encode(key, depth, quote) + "," + self._encode(item, depth, quote) + "]")
        return ",".join(parts)

    def _sorted(self, values: Any, depth: int, quote: Quote) -> str:
        items = []
        for item in values:
            key = self._encode(item, depth, encode_basestring)
            items.append((key, self._encode(item, depth, quote)))
        items.sort()
        return ",".join([text for _, text in items])

    def _other(self, value: Any, kind: type, depth: int, quote: Quote) -> str:
        if kind is bytes:
            self._spend(2 * len(value))
            return '{"bytes":"%s"}' % value.hex()
        if kind is complex:
            return '{"complex":["%s","%s"]}' % (float_text(value.real), float_text(value.imag))
        if kind is set or kind is frozenset:
            return '{"%s":[%s]}' % (class_name(kind), self._sorted(value, depth, quote))
        if kind is Double:
            return '{"double":' + quote(value._name) + "}"
        if kind in self.records:
            return self._record(value, kind, depth, quote)
        if kind in self.enums:
            return self._member(value, kind, quote)
        if kind in self.handles:
            return self._handle(value)
        text = _library(value, kind)
        if text is not None:
            self._spend(len(text))
            return text
        if self.iterators and (kind is _GENERATOR or _is_iterator(kind)):
            return self._drained(value, depth, quote)
        why = "equality" if _overrides_equality(kind) else "type"
        raise Outside(why, "a value of the type " + class_name(kind)[:80])

    def _record(self, value: Any, kind: type, depth: int, quote: Quote) -> str:
        pairs = [(name, field_of(value, kind, name, at)) for at, name in enumerate(field_names(kind))]
        self.values_left -= len(pairs)
        return '{"record":[%s,[%s]]}' % (
            quote(self.records[kind]),
            ",".join(
                "[" + quote(name) + "," + self._encode(item, depth, quote) + "]" for name, item in pairs
            ),
        )

    def _member(self, value: Any, kind: type, quote: Quote) -> str:
        name = _attribute(value, "__dict__").get("_name_")
        if type(name) is not str:
            raise Outside("enum", "a flag without a name of its own")
        return '{"enum":[' + quote(self.enums[kind]) + "," + quote(name) + "]}"

    def _handle(self, value: Any) -> str:
        for at, known in enumerate(self._objects):
            if known is value:
                return '{"handle":%d}' % at
        self._objects.append(value)
        return '{"handle":%d}' % (len(self._objects) - 1)

    def _drained(self, value: Any, depth: int, quote: Quote) -> str:
        parts: list[str] = []
        ended = "false"
        step = iter(value).__next__
        while len(parts) < self.iterators:
            try:
                item = step()
            except StopIteration:
                ended = "true"
                break
            parts.append(self._encode(item, depth, quote))
        return '{"iter":[[' + ",".join(parts) + "]," + ended + "]}"


def _overrides_equality(kind: type) -> bool:
    """Return whether a class passes itself off as built-in data and says itself what it equals."""
    bases = _mro_of(kind)
    own = [_dict_of(base) for base in bases if base not in _BUILT_IN]
    poses = "__class__" in set().union(*own) or any(
        base in _BUILT_IN and base is not object for base in bases
    )
    return poses and any("__eq__" in scope for scope in own)


def _is_iterator(kind: type) -> bool:
    return any("__next__" in _dict_of(base) for base in _mro_of(kind))


def field_names(kind: type) -> tuple[str, ...]:
    """Return the field names of a dataclass or named tuple, or raise :class:`Outside`."""
    for base in _mro_of(kind):
        scope = _dict_of(base)
        if "__dataclass_fields__" in scope:
            return tuple(name for name, field in scope["__dataclass_fields__"].items() if _is_field(field))
        if "_fields" in scope and tuple in _mro_of(kind):
            return tuple(scope["_fields"])
    raise Outside("record", "a class without fields: " + class_name(kind)[:80])


def _is_field(field: Any) -> bool:
    return getattr(getattr(field, "_field_type", None), "name", "") == "_FIELD"


def field_of(value: Any, kind: type, name: str, at: int) -> Any:
    """Return one field of a record as it is stored, without running the class's code."""
    if tuple in _mro_of(kind):
        return tuple.__getitem__(value, at)
    try:
        stored = _attribute(value, "__dict__")
    except AttributeError:
        stored = {}
    if name in stored:
        return stored[name]
    for base in _mro_of(kind):
        scope = _dict_of(base)
        if name in scope:
            slot = scope[name]
            return slot.__get__(value) if type(slot) is _MEMBER else slot
    raise Outside("record", "a field that is not set: " + name[:80])


def _library(value: Any, kind: type) -> str | None:
    """Return the wire text of a value of the standard library's classes, or None where it is of none."""
    for module_name, names, text_of in _LIBRARY:
        module = sys.modules.get(module_name)
        if module is not None:
            for name in names:
                if kind is module.__dict__.get(name):
                    return text_of(value, name)
    return None


def _decimal(value: Any, name: str) -> str:
    sign, digits, exponent = value.as_tuple()
    text = "".join(map(str, digits))
    if len(text) > DIGITS_CAP or (type(exponent) is int and abs(exponent) > 10**9):
        raise Outside("decimal", "a decimal of more than 4,096 digits")
    return '{"decimal":[%d,"%s",%s]}' % (
        sign,
        text,
        exponent if type(exponent) is int else '"' + exponent + '"',
    )


def _fraction(value: Any, name: str) -> str:
    top, bottom = value._numerator, value._denominator
    if top.bit_length() > INT_BITS_CAP or bottom.bit_length() > INT_BITS_CAP:
        raise Outside("fraction", "an integer of more than 4,096 bits")
    return '{"fraction":["%s","%s"]}' % (hex(top), hex(bottom))


def _offset(zone: Any) -> str:
    if zone is None:
        return "null"
    if type(zone) is not sys.modules["datetime"].timezone:
        raise Outside("zone", "a time zone object of the type " + class_name(type(zone))[:80])
    offset = zone.utcoffset(None)
    if offset.microseconds:
        raise Outside("zone", "a time zone offset of a fraction of a second")
    return str(offset.days * 86400 + offset.seconds)


def _moment(value: Any, name: str) -> str:
    if name == "timedelta":
        return '{"timedelta":[%d,%d,%d]}' % (value.days, value.seconds, value.microseconds)
    day = "%d,%d,%d" % (value.year, value.month, value.day) if name != "time" else ""
    if name == "date":
        return '{"date":[' + day + "]}"
    clock = "%d,%d,%d,%d,%d" % (value.hour, value.minute, value.second, value.microsecond, value.fold)
    return '{"%s":[%s%s,%s]}' % (name, day + "," if day else "", clock, _offset(value.tzinfo))


def _uuid(value: Any, name: str) -> str:
    return '{"uuid":"%032x"}' % _attribute(value, "int")


_LIBRARY = (
    ("datetime", ("datetime", "date", "time", "timedelta"), _moment),
    ("decimal", ("Decimal",), _decimal),
    ("fractions", ("Fraction",), _fraction),
    ("uuid", ("UUID",), _uuid),
)


def decode(wire: Any, ask: Any) -> Any:
    """Return the value of a wire form that the parent checked; ``ask`` answers the calls of doubles."""
    if type(wire) is not dict:
        return wire
    ((tag, body),) = wire.items()
    if tag in ("list", "tuple", "set", "frozenset"):
        items = [decode(item, ask) for item in body]
        return items if tag == "list" else {"tuple": tuple, "set": set, "frozenset": frozenset}[tag](items)
    if tag == "dict":
        return {decode(key, ask): decode(item, ask) for key, item in body}
    if tag == "int":
        return int(body, 16)
    if tag == "float":
        return float.fromhex(body)
    if tag == "bytes":
        return bytes.fromhex(body)
    if tag == "complex":
        return complex(float.fromhex(body[0]), float.fromhex(body[1]))
    if tag == "double":
        return Double(body, ask)
    return _decode_library(tag, body)


def _decode_library(tag: str, body: Any) -> Any:
    if tag == "decimal":
        from decimal import Decimal

        return Decimal((body[0], tuple(map(int, body[1])), body[2]))
    if tag == "fraction":
        from fractions import Fraction

        return Fraction(int(body[0], 16), int(body[1], 16))
    if tag == "uuid":
        from uuid import UUID

        return UUID(hex=body)
    import datetime

    if tag == "timedelta":
        return datetime.timedelta(*body)
    if tag == "date":
        return datetime.date(*body)
    zone = None if body[-1] is None else datetime.timezone(datetime.timedelta(seconds=body[-1]))
    if tag == "time":
        hour, minute, second, micros, fold, _ = body
        return datetime.time(hour, minute, second, micros, zone, fold=fold)
    if tag == "datetime":
        year, month, day, hour, minute, second, micros, fold, _ = body
        return datetime.datetime(year, month, day, hour, minute, second, micros, zone, fold=fold)
    raise ValueError("unknown tag")
