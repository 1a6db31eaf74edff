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
PARTS_CAP = 2000
VALUES_CAP = 20000
"""Most objects and containers, and most plain values, that a recipe is made of."""
_HEAP, _NEVER_MADE = 1 << 9, 1 << 7
"""Flags of a class that is made while a program runs, and of one of which no call makes an instance."""
_dict_of = type.__dict__["__dict__"].__get__
_DICT: Any = type(type("D", (), {}).__dict__["__dict__"])
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
    scopes = [_dict_of(base) for base in mro(kind)]
    held: Any = next((scope["__dict__"] for scope in scopes if "__dict__" in scope), None)
    if type(held) is _DICT:
        found.update(held.__get__(value, kind))
    for scope in scopes:
        for name, slot in scope.items():
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
        self.plain = 0

    def text(self, value: Any) -> str | None:
        """Return the wire text of a value with recipes for its objects, or None where something has none.

        What the value's own code raises while it is read is no affair of the program that is traced.
        """
        self.left, self.plain = PARTS_CAP, VALUES_CAP
        try:
            made = self._made(value, 0, ())
            self.encoder.start()
            return self.encoder.encode(made)
        except (Outside, Exception):
            return None

    def _made(self, value: Any, depth: int, above: "tuple[int, ...]") -> Any:
        kind = type(value)
        if any(kind is one for one in _PLAIN):
            self.plain -= 1
            if self.plain < 0:
                raise Outside("size", "made of too many values")
            return value
        self.left -= 1
        if depth > DEPTH_CAP or self.left < 0 or id(value) in above:
            raise Outside("depth", "nested too deeply")
        above = (*above, id(value))
        if kind is list or kind is tuple:
            return kind([self._made(one, depth + 1, above) for one in value])
        if kind is dict:
            return self._dict(value, depth, above)
        if _is_class(value) or any(kind is one for one in _FUNCTIONS):
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
        module = place.partition(":")[0]
        if not _is_found(place, kind):
            raise Outside("type", "an object of a class that is in no module")
        if any(base is _enum() for base in mro(kind)):
            member = object.__getattribute__(value, "_name_")
            if type(member) is not str:
                raise Outside("enum", "a flag without a name of its own")
            return {"<" + place + "." + member + ">": None}
        if place in _CALLED:
            name, arguments = _CALLED[place]
            return {"<" + module + ":" + name + "()>": self._made(arguments(value), depth + 1, above)}
        held: dict[str, Any] = {}
        for name, one in attributes_of(value, kind):
            if name in self.names:
                try:
                    held[name] = self._made(one, depth + 1, above)
                except Outside:
                    if self.left < 0 or self.plain < 0:
                        raise
        (built_in,) = [base for base in mro(kind) if _is_built_in(base)][:1]
        for base, content in _CONTENT:
            if base is built_in:
                made = self._made(content(value), depth + 1, above)
                return {"<" + place + ">": (made, held) if held else (made,)}
        if built_in is not object and place_of(built_in) != "datetime:tzinfo":
            raise Outside("type", "an object of a built-in class with a state of its own")
        return {"<" + place + ">": held}


def _is_built_in(kind: type) -> bool:
    """Return whether a class is made by C code, which keeps a state that no attribute shows."""
    flags = _flags_of(kind)
    return not flags & _HEAP or bool(flags & _NEVER_MADE) or type(_dict_of(kind).get("__new__")) is type(len)


def _is_class(value: Any) -> bool:
    return any(base is type for base in mro(type(value)))


def _enum() -> Any:
    module = sys.modules.get("enum")
    return module.__dict__.get("Enum") if module is not None else None


def _is_found(place: str, value: Any) -> bool:
    """Return whether something is what its module has under its name."""
    module, _, names = place.partition(":")
    known = sys.modules.get(module)
    found: Any = None
    scope = known.__dict__ if known is not None else {}
    for name in names.split("."):
        found = scope.get(name)
        scope = _dict_of(found) if _is_class(found) else {}
    return found is value


def _named(value: Any) -> Any:
    """Return the recipe for a class or function that its module knows by its name."""
    if _is_class(value):
        place = place_of(value)
    else:
        module, name = (object.__getattribute__(value, part) for part in ("__module__", "__qualname__"))
        place = str(module) + ":" + str(name)
    if not _is_found(place, value):
        raise Outside("type", "a function or class that is in no module")
    return {"<" + place + ">": None}
