"""What stands for a dependency's names in a flat program: one file a dependency, each a table ``NAMES``."""

from authoring.reduction.flatten.stand_ins import six, typing_extensions
from authoring.reduction.flatten.stand_ins.base import StandIn

__all__ = ["StandIn", "is_stand_in_module", "stand_in"]

_KNOWN = {**six.NAMES, **typing_extensions.NAMES}
_MODULES = frozenset(module for module, _ in _KNOWN)


def stand_in(module: str, attribute: str) -> StandIn | None:
    """Return what stands for an attribute of a module, or None where the module's own text does."""
    return _KNOWN.get((module, attribute))


def is_stand_in_module(module: str) -> bool:
    """Tell whether attributes of a module have stand-ins."""
    return module in _MODULES
