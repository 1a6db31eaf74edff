"""How parameters name operations on an object: ``steps``, a list of a method's name, its arguments, and keywords."""

import re

__all__ = ["names_steps"]

_STEPS = re.compile(r"steps\d*")


def names_steps(parameter: object) -> bool:
    """Return whether a parameter of this name may hold steps; its value has their form then."""
    return isinstance(parameter, str) and _STEPS.fullmatch(parameter) is not None
