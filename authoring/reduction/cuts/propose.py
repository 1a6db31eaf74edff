"""Propose cuts of the domain: classes of inputs, each with what the programs lose once nothing of it is asked."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from authoring.model.execution import Request
from authoring.model.variants import VersionName
from authoring.reduction.cuts.blocked import Asked, Blocked, Effort, blocked_edits
from authoring.reduction.cuts.measured import shrunk
from authoring.reduction.cuts.savings import Saving, savings
from authoring.reduction.merged import MergedProgram
from authoring.reduction.oracle import Oracle
from authoring.reduction.reduce import Counterexample
from authoring.scenario.domain import InputClass, classes_of

__all__ = ["Attack", "CutProposal", "Proposals", "propose"]

Attack = Callable[[Mapping[VersionName, str], InputClass], Counterexample | None]
"""Look for an input outside a class on which some program does not behave as its release."""

_ATTACKS = 4


@dataclass(frozen=True, slots=True)
class CutProposal:
    """A class of inputs, and the program without what it alone needs."""

    inputs: InputClass
    members: tuple[Request, ...]
    """The requests that it takes."""
    saves: int
    """Merged nodes."""


@dataclass(frozen=True, slots=True)
class Proposals:
    """What came of looking for cuts."""

    cuts: tuple[CutProposal, ...] = ()
    """Those that save most first."""
    blocked: tuple[Blocked, ...] = ()
    """All that some requests alone keep from being removed, what takes most first."""


def propose(
    program: MergedProgram,
    exports: frozenset[str],
    asked: Asked,
    oracle_of: Callable[[Asked, int | None], Oracle],
    attack: Attack,
    is_fit: Callable[[InputClass], bool],
    effort: Effort,
) -> Proposals:
    """Return cuts that keep every kept request, and what they were looked for in.

    ``oracle_of`` makes an oracle of requests with a budget of trials; ``is_fit`` tells whether a domain without a class
    is still worth something. What is stated is measured: the edits were made,
    and neither a request outside the class nor an attack with further inputs outside it tells the programs from
    their releases.
    """
    oracle = oracle_of(asked.only_kept(), None)
    oracle.admit(program)
    blocked = blocked_edits(oracle, program, exports, asked, effort)
    classes = classes_of([each.params for each in asked.requests], asked.kept) if blocked else {}
    found: list[CutProposal] = []
    for saving in savings(blocked, classes, most=effort.proposals, is_fit=is_fit):
        saves = _saved(program, exports, asked, oracle_of, attack, saving, effort)
        if saves >= effort.least:
            members = tuple(asked.requests[at] for at in sorted(saving.members))
            found.append(CutProposal(saving.inputs, members, saves))
    return Proposals(
        tuple(sorted(found, key=lambda one: -one.saves)), tuple(sorted(blocked, key=lambda one: -one.gain))
    )


def _saved(
    program: MergedProgram,
    exports: frozenset[str],
    asked: Asked,
    oracle_of: Callable[[Asked, int | None], Oracle],
    attack: Attack,
    saving: Saving,
    effort: Effort,
) -> int:
    """Return how many nodes go; none where attacks find ever more inputs that need them."""
    left = asked.without(saving.members)
    for _ in range(_ATTACKS):
        oracle = oracle_of(left, effort.trials)
        oracle.admit(program)
        small = shrunk(oracle, program, exports, saving)
        found = attack(small.programs(), saving.inputs)
        if found is None:
            return program.nodes() - small.nodes()
        left = left.and_also(found.request, found.expected)
    return 0
