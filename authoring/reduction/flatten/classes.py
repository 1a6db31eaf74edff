"""Which classes are read when they are made, so that all of their data counts."""

from authoring.reduction.flatten.resolve import Builtin, Defined, External
from authoring.reduction.flatten.version import Version
from authoring.reduction.sources.index import Unit
from authoring.reduction.sources.members import class_of, members
from authoring.reduction.sources.scan import Use
from authoring.reduction.sources.tree import descendants

__all__ = ["is_special_class"]


def is_special_class(version: Version, unit: Unit, depth: int = 0) -> bool:
    """Tell whether something reads the class's body when it is made: a decorator, a metaclass, an outside base."""
    if unit not in version.special:
        version.special[unit] = _is_special_class(version, unit, depth)
    return version.special[unit]


def _is_special_class(version: Version, unit: Unit, depth: int) -> bool:
    node = class_of(unit.text) if unit.kind == "definition" else None
    if node is None:
        return False
    if node.decorators or node.keywords:
        return True
    inside = {item for argument in node.bases for item in descendants(argument.value)}
    uses = [use for use in unit.scan.uses if use.node in inside]
    return any(_is_special_base(version, unit, use, depth) for use in uses)


def _is_special_base(version: Version, unit: Unit, use: Use, depth: int) -> bool:
    meaning = version.resolver.use(version.module(unit), unit, use).meaning
    if isinstance(meaning, Builtin):
        return False
    if isinstance(meaning, External):
        return meaning.module not in ("collections", "threading", "io", "string")
    if not isinstance(meaning, Defined) or depth > 8:
        return True
    module = version.index.module(meaning.module)
    units = module.bindings.get(meaning.name, ()) if module is not None else ()
    return any(_hooks(other) or is_special_class(version, other, depth + 1) for other in units)


def _hooks(unit: Unit) -> bool:
    return any("__init_subclass__" in member.names for member in members(unit.text))
