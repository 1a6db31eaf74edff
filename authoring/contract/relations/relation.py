"""What a relation is: a name, examples, and the scenarios that it makes of a scenario."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from authoring.contract.relations.shape import Shape
from authoring.model.observation import Observation

__all__ = ["Example", "Proposal", "Relation", "is_held"]


@dataclass(frozen=True, slots=True)
class Example:
    """Scenarios before, with the kinds of their parameters, and one scenario made of the first of them."""

    before: str
    after: str
    kinds: str = ""
    """``items=list text=text``, as the reproducer's values are."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A scenario that may be added."""

    function: str
    """Its name, ``listing_twice``."""
    of: str
    """The scenario that it is made of: its parameters are that one's."""
    text: str
    rule: str
    """What holds where its first and its last observation are the same, as a sentence."""
    parameter: str = ""
    """The parameter that is changed, if one is."""
    least: int = 0
    """How many different items that parameter must hold for the change to be one."""

    @property
    def sentence(self) -> str:
        """The rule with the scenario that shows it."""
        return f"{self.rule.removesuffix('.')} (`{self.function}`)."


@dataclass(frozen=True, slots=True)
class Relation:
    """A property that may hold whatever the input is, seen by a scenario that observes both sides as data."""

    name: str
    propose: Callable[[Shape, Sequence[Shape]], Iterable[Proposal]]
    """Yield scenarios made of the first shape; the others are all shapes of the same contract."""
    examples: tuple[Example, ...]


def is_held(observations: Sequence[Observation]) -> bool | None:
    """Return whether a relation holds on what was observed: the first and the last value are the same.

    None where the first observation is no value, so that there is nothing to compare.
    """
    if not observations or "value" not in observations[0]:
        return None
    last = observations[-1]
    return len(observations) > 1 and "value" in last and last["value"] == observations[0]["value"]
