"""Objects as data: a recipe names the class of an object and what it holds, so that a scenario can make it again.

A recipe is a dict with one key. ``{"<module:Class>": attributes}`` is an instance; where the class derives from a
built-in, a tuple of what it holds as that and, if there are some, its attributes. ``{"<module:name>": None}`` is the
class, function or member of that name, and ``{"<module:name()>": arguments}`` what that call of the standard library
makes. No code of a value is run.
"""

import sys

from authoring.execution.driver.codec import Encoder, Outside, class_name, mro

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
else:
    Any = object

DEPTH_CAP = 12
_HEAP = 1 << 9
"""The flag of a class that a class statement made."""
PARTS_CAP = 2000
_flags_of = type.__dict__["__flags__"].__get__
_PLAIN = (type(None), bool, int, float, str, bytes, complex)
_FUNCTIONS = (type(lambda: None), type(len))
_SLOT: Any = type(type("S", (), {"__slots__": ("at",)}).__dict__["at"])
_CONTENT: Any = (
    (tuple, lambda value: tuple(tuple.__iter__(value))),
    (list, lambda value: list(list.__iter__(value))),
    (dict, lambda value: dict(dict.items(value))),
    (str, str.__str__),
    (int, int.__int__),
    (float, float.__float__),
    (bytes, lambda value: bytes(bytes.__iter__(value))),
    (set, lambda value: set(set.__iter__(value))),
    (frozenset, lambda value: frozenset(frozenset.__iter__(value))),
)


def _clock(at: Any) -> "list[Any]":
    if at.fold:
        raise Outside("zone", "the second of two times that a clock shows twice")
    return [at.hour, at.minute, at.second, at.microsecond, at.tzinfo]


_CALLED: Any = {
    "datetime:datetime": ("datetime", lambda at: [at.year, at.month, at.day, *_clock(at)]),
    "datetime:time": ("time", _clock),
    "collections:OrderedDict": ("OrderedDict", lambda value: [[(key, value[key]) for key in list(value)]]),
    "collections:defaultdict": (
        "defaultdict",
        lambda value: [value.default_factory, dict(dict.items(value))],
    ),
    "collections:deque": ("deque", lambda value: [list(value), value.maxlen]),
    "builtins:bytearray": ("bytearray", lambda value: [bytes(value)]),
    "re:Pattern": ("compile", lambda value: [value.pattern, value.flags]),
}


def place_of(kind: type) -> str:
    """Return where a class is from, ``module:qualified name``, without running its metaclass."""
    module, name = (type.__getattribute__(kind, part) for part in ("__module__", "__qualname__"))
    return f"{module}:{name}"[:200] if type(module) is str else class_name(kind)[:200]


def attributes_of(value: Any, kind: type) -> list[tuple[str, Any]]:
    """Return an object's own attributes by name, those in slots too, without running any of its code."""
    found: dict[str, Any] = {}
    try:
        found.update(object.__getattribute__(value, "__dict__"))
    except (AttributeError, TypeError):
        pass
    for base in mro(kind):
        for name, slot in base.__dict__.items():
            if type(slot) is _SLOT and name not in found:
                try:
                    found[name] = slot.__get__(value, kind)
                except AttributeError:
                    pass
    return [(name, held) for name, held in found.items() if type(name) is str]


class Recipes:
    """Writes values with objects in them, down to the attributes whose names are told."""

    def __init__(self, encoder: Encoder, names: Any) -> None:
        self.encoder = encoder
        self.names = frozenset(names)
        self.left = 0

    def text(self, value: Any) -> str | None:
        """Return the wire text of a value with recipes for its objects, or None where something has none."""
        self.left = PARTS_CAP
        try:
            made = self._made(value, 0, ())
            self.encoder.start()
            return self.encoder.encode(made)
        except Outside:
            return None

    def _made(self, value: Any, depth: int, above: "tuple[int, ...]") -> Any:
        kind = type(value)
        if kind in _PLAIN:
            return value
        self.left -= 1
        if depth > DEPTH_CAP or self.left < 0 or id(value) in above:
            raise Outside("depth", "nested too deeply")
        above = (*above, id(value))
        if kind is list or kind is tuple:
            return kind([self._made(one, depth + 1, above) for one in value])
        if kind is dict:
            return self._dict(value, depth, above)
        if type in mro(kind) or kind in _FUNCTIONS:
            return _named(value)
        return value if self._is_data(value) else self._object(value, kind, depth, above)

    def _dict(self, value: Any, depth: int, above: "tuple[int, ...]") -> Any:
        if any(type(key) is str and key[:1] == "<" for key in value):
            raise Outside("type", "a dict that looks like a recipe")
        if not all(self._is_data(key) for key in value):
            raise Outside("type", "an object as a key")
        return {key: self._made(held, depth + 1, above) for key, held in value.items()}

    def _is_data(self, value: Any) -> bool:
        self.encoder.start()
        try:
            self.encoder.encode(value)
        except Outside:
            return False
        return True

    def _object(self, value: Any, kind: type, depth: int, above: "tuple[int, ...]") -> Any:
        place = place_of(kind)
        if any(class_name(base) == "Enum" for base in mro(kind)):
            return {"<" + place + "." + str(object.__getattribute__(value, "_name_")) + ">": None}
        if (
            place in _CALLED
            and sys.modules[place.partition(":")[0]].__dict__.get(place.partition(":")[2]) is kind
        ):
            name, arguments = _CALLED[place]
            made = self._made(arguments(value), depth + 1, above)
            return {"<" + place.partition(":")[0] + ":" + name + "()>": made}
        if not _flags_of(kind) & _HEAP:
            raise Outside("type", "an object of a built-in class")
        held: dict[str, Any] = {}
        for name, one in attributes_of(value, kind):
            if name in self.names:
                try:
                    held[name] = self._made(one, depth + 1, above)
                except Outside:
                    if self.left < 0:
                        raise
        for base, content in _CONTENT:
            if base in mro(kind):
                made = self._made(content(value), depth + 1, above)
                return {"<" + place + ">": (made, held) if held else (made,)}
        return {"<" + place + ">": held}


def _named(value: Any) -> Any:
    """Return the recipe for a class or function that its module knows by its name."""
    module, name = (object.__getattribute__(value, part) for part in ("__module__", "__qualname__"))
    if type in mro(type(value)):
        module, _, name = place_of(value).partition(":")
    known = sys.modules.get(module) if type(module) is str else None
    if known is None or known.__dict__.get(name) is not value:
        raise Outside("type", "a function or class that is in no module")
    return {"<" + module + ":" + name + ">": None}
