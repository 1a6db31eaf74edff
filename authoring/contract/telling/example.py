"""An input with what the reference and the broken program do on it: what descriptions are learned from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from authoring.model.observation import Observation
from authoring.model.wire import WireError, decode, encode, sort_key
from authoring.scenario.inputs import Input

__all__ = ["KINDS", "UNKNOWN", "Example", "are_same", "kind_of", "parameters_of", "value_of"]

UNKNOWN: Any = object()
"""In place of a value that has none outside a box."""


KINDS = {
    bool: "a boolean",
    bytes: "bytes",
    dict: "a dict",
    float: "a float",
    int: "a whole number",
    list: "a list",
    set: "a set",
    str: "text",
    tuple: "a tuple",
}
"""How a value of a kind is called."""


@dataclass(frozen=True, slots=True)
class Example:
    """One input, what the reference observes there, and what the broken program does."""

    input: Input
    params: dict[str, Any]
    """The parameters that have a value outside a box."""
    wanted: tuple[Observation, ...]
    now: tuple[Observation, ...] | None
    """None: the broken program does not come to an end."""
    is_fault: bool

    @property
    def turn(self) -> int:
        """The index of the first observation in which the two differ; of the last where they do not."""
        seen = self.now or ()
        pairs = enumerate(zip(self.wanted, seen, strict=False))
        first = next((at for at, (one, other) in pairs if one != other), len(seen))
        return min(first, len(self.wanted) - 1)

    @property
    def right(self) -> Observation:
        """What the reference observes there."""
        return self.wanted[self.turn]

    @property
    def wrong(self) -> Observation | None:
        """What the broken program observes there; None: nothing."""
        seen = self.now or ()
        return seen[self.turn] if self.turn < len(seen) else None


def parameters_of(one: Input) -> dict[str, Any]:
    """Return the parameters of an input by name, without those that have no value outside a box."""
    found: dict[str, Any] = {}
    for name, wire in one.params["dict"]:
        try:
            found[name] = decode(wire)
        except WireError:
            continue
    return found


def value_of(observation: Observation | None) -> Any:
    """Return the value that an observation shows; ``UNKNOWN`` where it shows none, or none outside a box."""
    if observation is None or "value" not in observation:
        return UNKNOWN
    try:
        return decode(observation["value"])
    except WireError:
        return UNKNOWN


def are_same(one: Any, other: Any) -> bool:
    """Tell whether two values are equal in type and value, all the way down; what has no wire form is like nothing."""
    try:
        return type(one) is type(other) and sort_key(encode(one)) == sort_key(encode(other))
    except WireError:
        return False


def kind_of(seen: Sequence[Observation] | None) -> str:
    """Return what a program did, in a word or two: ``raises ValueError``, ``does not end``, or ``gives``."""
    if seen is None:
        return "does not end"
    if not seen:
        return "gives nothing that can be observed"
    raised = seen[-1].get("raised")
    return f"raises {raised['type']}" if raised is not None else "gives"
