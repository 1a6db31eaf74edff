"""Edits of a reduced program that no kept request refuses, each with the requests that do."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from authoring.model.execution import Hung, Outcome, Request
from authoring.model.variants import VersionName
from authoring.reduction.edits import Edit, applied
from authoring.reduction.merged import MergedProgram
from authoring.reduction.oracle import Expectations, Oracle, agree
from authoring.reduction.passes import PHASES
from authoring.reduction.passes.base import Pass
from authoring.reduction.traced import ran_lines
from authoring.reduction.view import View

__all__ = ["Asked", "Blocked", "Effort", "blocked_edits", "edits_by_promise"]

_PHASES = [phase for phase in PHASES if phase.name in ("unreferenced", "statements", "nodes")]
_BATCH = 24
_HANGS_CAP = 2
_SHARE = 0.6
"""An edit that a greater share of the requests refuses belongs to no class that is worth cutting off."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is tried."""

    edits: int = 160
    """Edits that are tried on the kept requests, at most."""
    whole: int = 48
    """Of those that they let pass, as many are tried on all requests, at most."""
    least: int = 6
    """Nodes that an edit must take away to be tried."""
    share: float = 0.1
    """What takes more than this share of a program away that is reduced already hangs on everything."""
    proposals: int = 4
    """Classes whose saving is measured, at most."""
    trials: int = 40
    """Questions for each of these, at most."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The requests of one question, with what is expected of each version."""

    requests: Sequence[Request]
    expected: Expectations
    kept: frozenset[int]
    """Positions of the requests that show the fault: no cut may take them."""

    def without(self, positions: frozenset[int]) -> "Asked":
        """Return the same without the requests at these positions."""
        left = [at for at in range(len(self.requests)) if at not in positions]
        numbers = {at: number for number, at in enumerate(left)}
        return Asked(
            [self.requests[at] for at in left],
            {version: [outcomes[at] for at in left] for version, outcomes in self.expected.items()},
            frozenset(numbers[at] for at in self.kept if at in numbers),
        )

    def only_kept(self) -> "Asked":
        """Return the same with the kept requests alone."""
        return self.without(frozenset(range(len(self.requests))) - self.kept)

    def and_also(self, request: Request, expected: Mapping[VersionName, Outcome]) -> "Asked":
        """Return the same with one request more."""
        outcomes = {version: [*own, expected[version]] for version, own in self.expected.items()}
        return Asked([*self.requests, request], outcomes, self.kept)


@dataclass(frozen=True, slots=True)
class Blocked:
    """An edit that only ``refusing`` requests, by their positions, keep from being made."""

    edit: Edit
    gain: int
    """Merged nodes that it takes away."""
    refusing: frozenset[int]


def blocked_edits(
    oracle: Oracle, program: MergedProgram, exports: frozenset[str], asked: Asked, effort: Effort
) -> list[Blocked]:
    """Return edits of a program that go through where some requests are not asked, the most promising first tried.

    ``oracle`` holds the kept requests alone and has admitted the program.
    """
    found: list[Blocked] = []
    tried = 0
    base = program.nodes()
    most = max(effort.share * base, 10 * effort.least)
    for edit in edits_by_promise(oracle, program, exports, effort.least):
        if tried >= effort.edits or len(found) >= effort.whole:
            break
        candidate = applied(program, edit)
        if candidate is None or not effort.least <= base - candidate.nodes() <= most:
            continue
        tried += 1
        if not oracle.ask(candidate):
            continue
        refusing = _refusing(oracle, candidate, asked)
        if refusing:
            found.append(Blocked(edit, base - candidate.nodes(), refusing))
    return found


def edits_by_promise(
    oracle: Oracle, program: MergedProgram, exports: frozenset[str], least: int
) -> list[Edit]:
    """Return edits of every pass: first what no kept request runs, then the others, those that take most first."""
    unrun, others = View(program, exports, ran_lines(oracle, program)), View(program, exports)
    first: list[Edit] = []
    rest: list[Edit] = []
    for each in _passes():
        found = [edit for edit in each.candidates(unrun if each.traced else others) if edit.gain >= least]
        (first if each.traced else rest).extend(found)
    return [*_largest(first), *_largest(rest)]


def _largest(edits: Iterable[Edit]) -> list[Edit]:
    return sorted(edits, key=lambda edit: -edit.gain)


def _passes() -> Iterator[Pass]:
    """Yield the passes that delete or simplify, each once."""
    found = {each.name: each for phase in _PHASES for each in phase.passes if each.guarded is None}
    yield from found.values()


def _refusing(oracle: Oracle, candidate: MergedProgram, asked: Asked) -> frozenset[int]:
    """Return which requests refuse a program; none where they are too many, or calls hang."""
    found: set[int] = set()
    others = [at for at in range(len(asked.requests)) if at not in asked.kept]
    for start in range(0, len(others), _BATCH):
        batch = others[start : start + _BATCH]
        hung = 0
        for version in candidate.versions:
            left = [at for at in batch if at not in found]
            outcomes = _outcomes(oracle, candidate, version, [asked.requests[at] for at in left])
            wanted = [asked.expected[version][at] for at in left]
            hung += sum(own == Hung() != real for own, real in zip(outcomes, wanted, strict=True))
            found |= _different(oracle, left, outcomes, asked.expected, version)
        if hung > _HANGS_CAP or len(found) > _SHARE * (start + len(batch)) + 2:
            return frozenset()
    return frozenset(found)


def _outcomes(
    oracle: Oracle, candidate: MergedProgram, version: VersionName, requests: Sequence[Request]
) -> list[Outcome]:
    subject = oracle.subjects.program(candidate.project(version))
    return oracle.runner.observe(subject, requests, oracle.how) if requests else []


def _different(
    oracle: Oracle,
    positions: Sequence[int],
    outcomes: Sequence[Outcome],
    expected: Mapping[VersionName, Sequence[Outcome]],
    version: VersionName,
) -> set[int]:
    compare = oracle.subjects.compare
    return {
        at
        for at, outcome in zip(positions, outcomes, strict=True)
        if not agree(expected[version][at], outcome, compare)
    }
