"""The values that varying takes and gives."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from authoring.model.contract import Contract
from authoring.model.execution import How, ObservedTypes, Runner
from authoring.model.task import Check, Checks, HiddenChecks, Pool
from authoring.model.variants import Variants, VariantSpec, VersionName
from authoring.variants.lines import VersionedLine

if TYPE_CHECKING:  # readers of tasks need no drafting, which brings in libcst
    from authoring.contract.material import Draft

__all__ = ["Material", "Tools", "VariantTask", "Variation", "observed_types"]


@dataclass(frozen=True, slots=True)
class Material:
    """A contract as it was drafted, with all that its variants are made of; everything under base names."""

    contract: Contract
    programs: Mapping[VersionName, str]
    """Source by version; the hard negative, captured or synthesised, among them where there is one."""
    scenarios: str
    domain: str
    prompt_template: str
    public: tuple[Check, ...]
    hidden: tuple[Check, ...]
    pools: tuple[Pool, ...]
    is_domain_edited: bool = False
    """Whether the author changed domain.py: then only what it draws is used."""
    repaired: str = ""
    """Where the contract is about one of several faults: the source with every fault repaired. A drawn input on which
    the reference is not like it belongs to another contract.
    """
    taken: tuple[Check, ...] = ()
    """Checks of the incident's other contracts, whose inputs no check of this one may show."""

    @classmethod
    def of(
        cls,
        draft: "Draft",
        programs: Mapping[VersionName, str],
        scenarios: str,
        is_domain_edited: bool = False,
        repaired: str = "",
        taken: tuple[Check, ...] = (),
    ) -> "Material":
        """Return the material of a draft; its hard negative joins the reduced programs."""
        negative: dict[VersionName, str] = (
            {"hard_negative": draft.hard_negative} if draft.hard_negative else {}
        )
        return cls(
            contract=draft.contract,
            programs={**programs, **negative},
            scenarios=scenarios,
            domain=draft.domain,
            prompt_template=draft.prompt_template,
            public=draft.public,
            hidden=draft.hidden,
            pools=draft.pools,
            is_domain_edited=is_domain_edited,
            repaired=repaired,
            taken=taken,
        )


@dataclass(frozen=True, slots=True)
class Tools:
    """What varying needs beside the material."""

    runner: Runner
    how: How
    key: bytes
    """The workspace key: every choice hangs on it, so that it stays and cannot be guessed."""
    words: Mapping[str, Sequence[str]]
    merge: Callable[[Mapping[VersionName, str]], Sequence[VersionedLine]]
    """Aligns the versions of a program by physical lines."""
    mutants_of: Callable[[str], Sequence[tuple[str, str]]]
    """Returns wrong versions of a source, id and source, in an order that does not change."""
    shapes: Mapping[str, Callable[[str], str]]
    """Behaviour-preserving rewrites of a source by id; they return the source itself where they do not apply.
    """


@dataclass(frozen=True, slots=True)
class VariantTask:
    """One variant: the material of its task folder and of its hidden folder."""

    spec: VariantSpec
    contract: Contract
    """The contract under this variant's names."""
    program: str
    """The wrong program that a candidate edits."""
    reference: str
    hard_negative: str
    """Empty where the contract has none."""
    scenarios: str
    prompt: str
    public: Checks
    hidden: HiddenChecks

    @property
    def id(self) -> str:
        """The task id, ``<contract>/<variant>``."""
        return f"{self.contract.id}/{self.spec.id}"


@dataclass(frozen=True, slots=True)
class Variation:
    """What varying gives."""

    template: str
    """The text of source.py.j2."""
    variants: Variants
    tasks: tuple[VariantTask, ...]
    warnings: tuple[str, ...] = ()
    """Sentences about what could not be varied."""


def observed_types(contract: Contract) -> ObservedTypes:
    """Return what may be observed under a contract beside built-in data."""
    return ObservedTypes(
        raises=contract.raises,
        records=contract.types.records,
        enums=contract.types.enums,
        iterators=contract.types.iterators,
        messages=any(spec.compare.exception == "type+message" for spec in contract.scenarios),
    )
