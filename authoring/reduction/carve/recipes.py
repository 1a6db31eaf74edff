"""Arguments with objects in them: recorded as recipes, and made again by the scenario that calls the entry.

The tracer writes an object as ``{"<module:Class>": attributes}`` (see the driver's ``recipes``). A scenario's
parameters name the class alone, and a helper beside the scenario knows where each is from.
"""

import sys
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from keyword import iskeyword
from typing import Any

from authoring.model.capture import Binding
from authoring.model.wire import Wire

__all__ = [
    "HELPER",
    "attributes_in",
    "bindings_of",
    "helper_text",
    "named",
    "places_in",
    "without",
]

HELPER = "rebuilt"
_BODY = """\
    if type(value) in (list, tuple):
        return type(value)([rebuilt(program, one) for one in value])
    if type(value) is not dict:
        return value
    name = next(iter(value), None)
    if type(name) is not str or not name.startswith("<"):
        return {key: rebuilt(program, held) for key, held in value.items()}
    kind, held = kinds[name](), rebuilt(program, value[name])
    if held is None:
        return kind
    if name.endswith("()>"):
        return kind(*held)
    content, attributes = (held[:1], *held[1:], {})[:2] if type(held) is tuple else ((), held)
    base = next(one for one in kind.__mro__ if not one.__flags__ & 1 << 9)  # the built-in that it derives from
    made = base.__new__(kind, *content)
    if base in (list, dict, set):
        base.__init__(made, *content)
    for name, one in attributes.items():
        object.__setattr__(made, name, one)
    return made
"""


def places_in(values: Iterable[Wire]) -> set[str]:
    """Return what recipes in values name: ``module:Class``, ``module:name`` or ``module:name()``."""
    return {place for value in values for place, _ in _recipes(value)}


def attributes_in(values: Iterable[Wire]) -> set[str]:
    """Return the names of the attributes that recipes in values tell."""
    return {name for value in values for _, held in _recipes(value) for name, _ in _attributes(held)}


def without(value: Any, names: Container[str]) -> Any:
    """Return a value whose recipes tell nothing of attributes of those names."""

    def left(held: Any) -> Any:
        return {"dict": [pair for pair in _attributes(held) if pair[0] not in names]}

    def changed(held: Any) -> Any:
        if not _attributes(held):
            return held
        return left(held) if "dict" in held else {"tuple": [held["tuple"][0], left(held)]}

    return _rewritten(value, lambda key, held: (key, changed(held)))


def named(value: Any) -> Any:
    """Return a value whose recipes name their classes without the modules."""
    return _rewritten(value, lambda key, held: (f"<{_short(key[1:-1])}>", held))


def bindings_of(places: Iterable[str]) -> tuple[Binding, ...] | None:
    """Return what has to be bound for recipes by canonical name; None where two are of one name, or one of none."""
    found: dict[str, str] = {}
    for place in sorted(places):
        module, _, name = place.partition(":")
        parts = [*module.split("."), *name.removesuffix("()").split(".")]
        if not all(part.isidentifier() and not iskeyword(part) for part in parts):
            return None
        first = name.removesuffix("()").partition(".")[0]
        if found.setdefault(first, module) != module:
            return None
    return tuple(
        Binding(name=name, original=f"{module}:{name}")
        for name, module in found.items()
        if not _is_library(module)
    )


def helper_text(places: Sequence[str]) -> str:
    """Return the function that makes the objects of a parameter again."""
    kinds = "".join(
        f'        "<{_short(place)}>": lambda: {_expression(place)},\n' for place in sorted(places)
    )
    modules = sorted({place.partition(":")[0] for place in places})
    imports = "".join(f"    import {module}\n" for module in modules if _is_library(module))
    return (
        f"def {HELPER}(program, value):\n"
        '    """Make the objects in recorded data again: ``{"<Class>": attributes}`` stands for one."""\n'
        f"{imports}    kinds = {{\n{kinds}    }}\n{_BODY}"
    )


def _short(place: str) -> str:
    return place.partition(":")[2]


def _expression(place: str) -> str:
    module, _, name = place.removesuffix("()").partition(":")
    return f"{module}.{name}" if _is_library(module) else f"program.{name}"


def _is_library(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names


def _recipe(value: Any) -> str:
    """Return the key of a recipe without its brackets, or nothing where a dict is none."""
    pairs = value["dict"]
    key = pairs[0][0] if len(pairs) == 1 else None
    return key[1:-1] if type(key) is str and key.startswith("<") and key.endswith(">") else ""


def _attributes(held: Any) -> list[Any]:
    """Return the pairs of names and values that a recipe tells of an object; none where it is of something else."""
    if type(held) is dict and "tuple" in held:
        held = held["tuple"][1] if len(held["tuple"]) > 1 else None
    pairs: list[Any] = held["dict"] if type(held) is dict and "dict" in held else []
    return pairs


def _recipes(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield what each recipe in a value names, with what it tells of that."""
    if type(value) is not dict:
        return
    ((tag, body),) = value.items()
    if tag == "dict":
        place = _recipe(value)
        if place:
            yield place, body[0][1]
        for _, held in body:
            yield from _recipes(held)
    elif tag in ("list", "tuple"):
        for one in body:
            yield from _recipes(one)


def _rewritten(value: Any, rewrite: Callable[[str, Any], tuple[str, Any]]) -> Any:
    """Return a value with each recipe's pair rewritten, those inside it afterwards."""
    if type(value) is not dict:
        return value
    ((tag, body),) = value.items()
    if tag == "dict":
        pairs = [rewrite(*body[0])] if _recipe(value) else body
        return {"dict": [[key, _rewritten(held, rewrite)] for key, held in pairs]}
    return {tag: [_rewritten(one, rewrite) for one in body]} if tag in ("list", "tuple") else value
