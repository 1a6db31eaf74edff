"""What the question "does this flat program behave like its package?" is answered with."""

import re
from dataclasses import dataclass

__all__ = ["Answer", "Faithful", "Unfaithful", "missing_name"]


@dataclass(frozen=True, slots=True)
class Faithful:
    """Every request gave the observations of the package."""


@dataclass(frozen=True, slots=True)
class Unfaithful:
    """A request did not."""

    reason: str
    """The exception with its message where one escaped (``NameError: name 'x' is not defined``), else what differs."""
    proof: str = ""
    """The smallest request that shows it, as text that is safe to print."""


Answer = Faithful | Unfaithful

_UNDEFINED = re.compile(r"name '(\w+)' is not defined|free variable '(\w+)'")
_ATTRIBUTE = re.compile(r"(?:object|type object '\w+'|class \w+|module '[\w.]+') has no attribute '(\w+)'")
_STUB = re.compile(r"NotImplementedError: (\w+)$")
_MODULE = re.compile(r"No module named '([\w.]+)'")
_ABSTRACT = re.compile(r"abstract methods? (.*)")


def missing_name(answer: Unfaithful) -> tuple[str, str] | None:
    """Return what an answer says is missing: ``("name", x)``, an attribute or a module.

    None where it does not say.
    """
    found = _UNDEFINED.search(answer.reason)
    if found:
        return "name", found[1] or found[2]
    found = _STUB.search(answer.reason)
    if found:
        return "body", found[1]
    found = _MODULE.search(answer.reason)
    if found:
        return "module", found[1]
    found = _ATTRIBUTE.search(answer.reason)
    if found:
        return "attribute", found[1]
    found = _ABSTRACT.search(answer.reason)
    if found:
        return "attribute", re.findall(r"\w+", found[1])[0]
    return None
