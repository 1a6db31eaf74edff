"""The values that drafting a contract takes and gives."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from authoring.contract.hearing import Alternative, LaterFacts
from authoring.model.capture import Capture
from authoring.model.contract import Contract, Entry, Environment, Origin, Types
from authoring.model.execution import Package, Wire
from authoring.model.incident import Incident
from authoring.model.observation import Compare
from authoring.model.task import Check, Pool
from authoring.model.variants import VersionName
from authoring.scenario.inputs import Input

__all__ = ["Beside", "Draft", "DraftFacts", "HardNegativeKind", "LedgerLine", "Material", "WrongKind"]

WrongKind = Literal["broken", "hard_negative", "mutant", "partial-fix", "over-correction"]
HardNegativeKind = Literal["captured", "partial-fix", "near-fix", "over-correction", "far-mutant"]


@dataclass(frozen=True, slots=True)
class Beside:
    """What a contract about one of an incident's faults has to know of the others.

    Its reference is the broken program with its own fault repaired and no other, so that no text of it tells how
    another contract's program is repaired.
    """

    repaired: str
    """The source with every fault repaired: inputs on which the reference is not like it are none of the contract's.
    """
    taken: frozenset[str] = frozenset()
    """Keys of inputs that the other contracts' checks show; the reproducer's own are shared."""
    ids: tuple[str, ...] = ()
    """Ids of the contracts that were drafted before."""


@dataclass(frozen=True, slots=True)
class Material:
    """What is known before the contract: the incident, what capture showed, and the reduced programs."""

    incident: Incident
    capture: Capture
    programs: Mapping[VersionName, str]
    """``broken``, ``reference`` and, where an attempt was captured, ``hard_negative``."""
    scenarios: str
    """The text of scenarios.py; every scenario is of level ``both`` unless ``levels`` says otherwise."""
    domain: str
    """The text of domain.py."""
    entry: Entry
    environment: Environment
    origin: Origin
    types: Types = field(default_factory=Types)
    compares: Mapping[str, Compare] = field(default_factory=dict)
    """By scenario, where it is not the default."""
    levels: Mapping[str, Literal["both", "outer"]] = field(default_factory=dict)
    originals: Mapping[VersionName, Package] = field(default_factory=dict)
    """The real releases, bound by original.py: inputs on which a program differs from its release are
    dropped.
    """
    alternatives: Sequence[Alternative] = ()
    """Later releases in which the reproducer passes, oldest first: checks must accept them, or be relaxed or dropped.
    """
    bounded: Sequence[Input] = ()
    """Inputs with a bound on line events, of which some captured program takes many times as many, and small ones of
    their kind without: then no input counts on which only the clock would say what is slow."""
    author: Contract | None = None
    """The contract as its author edited it: words, rules and comparisons are taken from it."""
    is_domain_edited: bool = False
    """Whether the author changed domain.py: then only inputs that it draws are used, no neighbours of them.
    """
    is_scenarios_edited: bool = False
    """Whether the author changed scenarios.py: then its views stay."""
    is_inside: bool = False
    """Whether the programs are observed at an entry inside the package, which other releases need not have: then no
    relation is made of it.
    """
    must_be_faithful: bool = False
    """Whether a gathered input on which a program differs from its release ends the draft: the reduction will be
    done again, so that the rest of the draft would be thrown away.
    """
    seed: int = 0
    effort: float = 1.0
    """How much is tried, of the usual: inputs, mutants and further searches grow with it."""
    module: str = "program"
    contract_id: str = ""
    """The contract's id; empty: the incident's, or where the incident has several it is made of the first rule."""
    beside: Beside | None = None
    """Where the contract is about one of several faults: what it has to know of the others."""


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """What stands behind one rule."""

    rule: str
    public: tuple[str, ...]
    """Ids of its public checks."""
    hidden: tuple[str, ...]
    witness: str
    """Id of a wrong program that only this rule's checks reject."""


@dataclass(frozen=True, slots=True)
class DraftFacts:
    """What was measured while drafting."""

    inputs: int
    """Inputs inside the domain that every wrong program was tried on."""
    outside: int
    """Inputs on which the reference ended outside ``raises``, hung or could not be observed."""
    unstable: int
    """Inputs on which the reference gave another outcome under another hash seed, time zone or order."""
    unfaithful: int
    """Inputs dropped since a reduced program differs there from the real release."""
    requests: int
    mutants: int
    """Mutants of the reference that some input tells from it."""
    equivalent: tuple[str, ...]
    """Mutants that no input told from the reference: presumed equivalent."""
    equivalence_effort: int
    """Inputs that each of these was tried on."""
    killed_public: int
    killed_hidden: int
    """Mutants that the hidden checks alone reject."""
    killed_pool: int
    """Mutants that hidden checks and pools reject."""
    survivors: tuple[str, ...]
    """Mutants, not equivalent, that pass every public and hidden check and the pools."""
    hard_negative: HardNegativeKind
    ledger: tuple[LedgerLine, ...]
    patterns: Mapping[str, str]
    """By version: pass and fail over public, then hidden checks, ``1101/10``."""
    notes: tuple[str, ...] = ()
    """Sentences about what falls short of the usual and why."""
    later: LaterFacts = field(default_factory=LaterFacts)
    """What came of later releases."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A drafted contract with its checks."""

    contract: Contract
    scenarios: str
    """The text of scenarios.py, with the scenarios of relations at its end."""
    domain: str
    prompt_template: str
    public: tuple[Check, ...]
    hidden: tuple[Check, ...]
    pools: tuple[Pool, ...]
    """Inputs with the digests that hold for the variant ``base``."""
    hard_negative: str
    """Source of the hard negative, captured or synthesised."""
    mutants: tuple[tuple[str, str], ...]
    """Wrong programs that an input tells from the reference, by id: for variants and audits."""
    counterexamples: tuple[tuple[str, Wire, int | None], ...]
    """Scenario, parameters and bound of inputs on which a reduced program differs from its release: requests that the
    reduction's oracle lacked."""
    facts: DraftFacts
