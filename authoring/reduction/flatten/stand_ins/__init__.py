"""What stands for dependencies in a flat program: tables of names, one file each, and packages of our own texts."""

from authoring.reduction.flatten.stand_ins import six, typing_extensions
from authoring.reduction.flatten.stand_ins.base import StandIn
from authoring.reduction.flatten.stand_ins.packages import with_stand_ins

__all__ = ["StandIn", "is_stand_in_module", "stand_in", "with_stand_ins"]

_KNOWN = {**six.NAMES, **typing_extensions.NAMES}
_MODULES = frozenset(module for module, _ in _KNOWN)


def stand_in(module: str, attribute: str) -> StandIn | None:
    """Return what stands for an attribute of a module, or None where the module's own text does."""
    return _KNOWN.get((module, attribute))


def is_stand_in_module(module: str) -> bool:
    """Tell whether attributes of a module have stand-ins."""
    return module in _MODULES
