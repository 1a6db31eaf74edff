"""The values that an audit of a contract takes and gives."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from authoring.model.contract import Contract
from authoring.model.task import Check, Pool
from authoring.model.variants import VersionName
from authoring.scenario.inputs import Input

__all__ = ["Audited", "Overspecified", "Survivor", "Weakness"]


@dataclass(frozen=True, slots=True)
class Audited:
    """A contract with its checks and programs, as an audit looks at it."""

    contract: Contract
    programs: Mapping[VersionName, str]
    scenarios: str
    public: Sequence[Check]
    hidden: Sequence[Check]
    pools: Sequence[Pool]
    domain: str
    """The text of domain.py."""
    is_domain_edited: bool = False
    """Whether the author changed domain.py: then only inputs that it draws are looked at, no neighbours."""
    repaired: str = ""
    """Where the contract is about one of several faults: the source with every fault repaired."""

    @property
    def checks(self) -> tuple[Check, ...]:
        """All checks, public ones first."""
        return (*self.public, *self.hidden)


@dataclass(frozen=True, slots=True)
class Survivor:
    """A wrong program that every check and pool accepts."""

    id: str
    source: str
    input: Input
    """An input of the domain that tells it from the reference: the smallest that was found."""


@dataclass(frozen=True, slots=True)
class Overspecified:
    """A check, or an input of a pool, that rejects a program which does the same as the reference."""

    check: str
    """A check's id, or ``pool:<scenario>:<index>``."""
    rewriting: tuple[str, ...]
    """The steps of the first rewriting that it rejects."""
    rejected: int
    """How many rewritings it rejects."""


@dataclass(frozen=True, slots=True)
class Weakness:
    """What an audit found; all empty: nothing."""

    rules_without_checks: tuple[tuple[str, str], ...]
    """Rule and the tier, ``public`` or ``hidden``, that has no check for it."""
    idle_checks: tuple[str, ...]
    """Ids of checks that no wrong program fails."""
    survivors: tuple[Survivor, ...]
    overspecified: tuple[Overspecified, ...]
    tried: int
    """Wrong programs that some input tells from the reference."""
    accepted_public: int
    """Of these, those that all public checks accept."""
    rewritings: int
    """Behaviour-preserving rewritings of the reference that were tried."""
    inputs: int
    """Further inputs on which programs were looked at that every check and pool accepts."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found."""
        return not (self.rules_without_checks or self.idle_checks or self.survivors or self.overspecified)
