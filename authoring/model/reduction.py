"""reduction.json: how a reduction went, and what it could not remove."""

from typing import Literal

from pydantic import Field

from authoring.model.document import Document, Part
from authoring.model.execution import Wire
from authoring.model.variants import VersionName

__all__ = ["ENDINGS", "HeldStatement", "PhaseRecord", "ReductionReport", "VersionSizes"]


ENDINGS = {
    "trials": "the budget of trials is used up (--budget, budget.trials)",
    "cpu_s": "the budget of CPU is used up (budget.cpu_s)",
    "cut-off": "it is under way, or was cut off: the same command goes on from there",
}
"""By what ended a reduction before nothing more could be removed, how that is said."""


class VersionSizes(Part):
    """AST nodes of one version, docstrings dropped."""

    executed_in_functions: int = 0
    """Of every function of the release that was entered; 0 while the reduction is not done."""
    executed: int = 0
    """Of these, and of the statements of modules and classes that ran."""
    reduced: int


class PhaseRecord(Part):
    """What one phase did; its seconds of CPU are a fact of the machine and stand elsewhere."""

    name: str
    nodes: int
    """Merged nodes at its end."""
    differing: int
    """Of these, nodes of lines that not every version holds."""
    trials: int
    kept: int
    """Edits that were kept."""
    counterexamples: int
    """Inputs that the search for such found."""


class HeldStatement(Part):
    """A statement that is left, with what its deletion would lose."""

    code: str
    """Its first line."""
    nodes: int
    """Merged nodes that would go with it."""
    by: Literal["check", "input"]
    """``check``: a lifted check that tells the versions apart needs it; ``input``: only others do."""
    checks: tuple[str, ...] = ()
    """Ids of the lifted checks with the input that needs it."""
    scenario: str
    params: Wire
    """The first such input."""


class ReductionReport(Document):
    """Size and cost by phase, refusals by kind, and what could not be removed and why; cuts.json holds the cuts."""

    complete: bool
    """False where the work ended before nothing more could be removed: the programs are the best so far."""
    ended: Literal["", "trials", "cpu_s", "cut-off"] = ""
    """Where it is not complete, the part of the budget that ended it; ``cut-off``: it is under way, or was killed."""
    phase: str = ""
    """The phase in which it was cut off."""
    nodes: int
    """Nodes of the merged program."""
    sizes: dict[VersionName, VersionSizes]
    trials: int
    """Questions to the oracle, of all reductions that led here."""
    cache_hits: int
    """Candidates whose answer was known already; they are no trials."""
    accepted: int
    """Edits that were kept."""
    requests: int
    """Requests of the oracle at the end."""
    dropped_requests: int = 0
    """Inputs that were left out, since the flat programs are wrong on them."""
    refusals: dict[str, int]
    """Candidates refused, by kind: ``observation`` after a run, the others before one."""
    phases: tuple[PhaseRecord, ...]
    """In their order; those of a reduction that went on with more inputs, or after a cut, begin with a word for it."""
    left: dict[str, int] = Field(default_factory=dict)
    """Statements at which was looked, by what keeps them: ``check``, ``input``, the kind of a refusal before a run, or
    ``untried``: nothing that is asked.
    """
    held: tuple[HeldStatement, ...] = ()
    """The largest statements that requests hold, but definitions; none inside one that only inputs hold."""
    third_party: tuple[str, ...] = ()
    """Modules of other packages that the programs still import."""
