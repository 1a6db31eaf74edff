"""The value that a table of stand-ins holds."""

from dataclasses import dataclass

__all__ = ["StandIn"]


@dataclass(frozen=True, slots=True)
class StandIn:
    """A name of the standard library, or a built-in one."""

    module: str
    """``builtins`` for a built-in name."""
    attribute: str
    """Empty for the module itself."""
