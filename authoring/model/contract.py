"""contract.toml: the behaviour that must hold (DESIGN.md 5.3)."""

from typing import Literal

from pydantic import Field

from authoring.model.document import Document, Part
from authoring.model.incident import Dependency, Slug
from authoring.model.observation import Compare

__all__ = ["Contract", "Entry", "Environment", "Origin", "Rule", "ScenarioSpec", "Types"]


class Entry(Part):
    """The callable, class or module through which the reduced program is observed."""

    name: str
    kind: Literal["function", "class", "module"]
    original: str
    """``orders.pages:Cursor.after``."""


class Environment(Part):
    """What the programs need to run."""

    python: str
    dependencies: tuple[Dependency, ...] = ()


class Types(Part):
    """What may be observed beside built-in data."""

    records: tuple[str, ...] = ()
    enums: tuple[str, ...] = ()
    iterators: int = 0
    """Bound on the items drained; 0: iterators are refused."""


class Origin(Part):
    """Whose code the programs derive from."""

    package: str
    releases: tuple[str, ...]
    licence: str
    notices: tuple[str, ...] = ()
    """Texts of the licence files that must travel with a copy."""


class Rule(Part):
    """One sentence that must hold."""

    id: Slug
    text: str


class ScenarioSpec(Part):
    """How a scenario is used."""

    id: str
    function: str
    level: Literal["both", "outer", "entry"]
    outer: str | None = None
    """For level ``entry``: the outer scenario that its parameters were recorded from."""
    relation_of: str | None = Field(default=None, exclude_if=lambda of: of is None)
    """For a metamorphic relation: the scenario that it is made of, in whose domain its parameters lie."""
    compare: Compare = Field(default_factory=Compare)

    @property
    def drawn_as(self) -> str:
        """The scenario in whose domain its parameters lie: itself, but for a relation."""
        return self.relation_of or self.id


class Contract(Document):
    """A contract, as its author may edit it."""

    id: str
    incident: str
    mechanism: str
    group: str
    category: str
    tier: Literal["public+hidden", "hidden-only"] = "public+hidden"
    symptom: str
    returns: str
    domain: str
    entry: Entry
    environment: Environment
    raises: tuple[str, ...] = ()
    types: Types = Field(default_factory=Types)
    origin: Origin
    reference_digest: str
    rules: tuple[Rule, ...]
    scenarios: tuple[ScenarioSpec, ...]
