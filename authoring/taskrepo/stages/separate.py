"""Separate the independent faults of a reduced incident, where its failing checks allow it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import TypeAdapter

from authoring.model.capture import Capture, LiftedCheck
from authoring.model.digest import value_digest
from authoring.model.execution import How, Observed, Outcome, Program, Request, Runner
from authoring.model.observation import Compare
from authoring.model.progress import Progress
from authoring.model.variants import VersionName
from authoring.reduction.pieces import Difference
from authoring.reduction.separate import Fault, independent_faults
from authoring.scenario.compiles import compiles
from authoring.scenario.inputs import is_same
from authoring.taskrepo.stages.reduction_inputs import lifted_requests, not_among, types_of

__all__ = ["PARTS", "REPAIRED", "Part", "capture_of_part", "separate", "whole"]

REPAIRED = "program/repaired.py"
"""Where a contract of one of several faults keeps the source with every fault repaired."""
_DRAWN = 32
"""Inputs drawn for each scenario, on which no repair of one fault may break what is right."""
_SEED = 29


@dataclass(frozen=True, slots=True)
class Part:
    """What one contract is about: a whole incident, or one of its independent faults."""

    programs: dict[VersionName, str]
    """The broken program, the same with this fault repaired, and where it fails for this fault too, the attempt."""
    others: tuple[str, ...] = ()
    """Ids of lifted checks that fail for another fault."""
    repaired: str = ""
    """The source with every fault repaired; empty: the part is the whole incident."""
    is_attempt_cut: bool = False
    """Whether the attempt's text at other faults was replaced, so that it is no longer the captured one."""

    @property
    def key(self) -> str:
        """What tells the part from others of its incident, however its programs are reduced."""
        return value_digest(list(self.others))[:16] if self.repaired else ""


PARTS: TypeAdapter[tuple[Part, ...]] = TypeAdapter(tuple[Part, ...])
"""How parts are kept between stages."""


def whole(programs: Mapping[VersionName, str]) -> Part:
    """Return the part that is the whole incident."""
    return Part(dict(programs))


def capture_of_part(capture: Capture, part: Part) -> Capture:
    """Return the capture without the checks that fail for another fault."""
    kept = [at for at, check in enumerate(capture.checks) if check.id not in part.others]
    patterns = tuple(
        one.model_copy(
            update={
                "bits": "".join(one.bits[at] for at in kept),
                "failures": tuple(
                    text
                    for text, check in zip(one.failures, _failed(capture, one.bits), strict=False)
                    if check.id not in part.others
                ),
            }
        )
        for one in capture.patterns
    )
    checks = tuple(capture.checks[at] for at in kept)
    return capture.model_copy(update={"checks": checks, "patterns": patterns})


def _failed(capture: Capture, bits: str) -> list[LiftedCheck]:
    return [check for check, bit in zip(capture.checks, bits, strict=True) if bit == "0"]


def separate(
    runner: Runner,
    progress: Progress,
    capture: Capture,
    programs: Mapping[VersionName, str],
    scenarios: str,
    domain: str,
    how: How,
) -> tuple[Part, ...]:
    """Return a part for each independent fault, in the order of the program; one that is all where they hang together.

    A fault's repair alone makes its checks pass, without it alone they fail, and it breaks none of the inputs that
    broken answers rightly, lifted or drawn.
    """
    difference = Difference(programs)
    trial = _Trial(runner, progress, capture, programs, difference, scenarios, how)
    failing = capture.model_copy(update={"checks": tuple(_failed(capture, _broken_bits(capture)))})
    if len(difference) < 2 or len(lifted_requests(failing)) < 2:
        return (whole(programs),)
    progress.phase("separate the faults")
    faults = independent_faults(len(difference), trial.wrong)
    if len(faults) < 2 or any(trial.breaks(fault, domain) for fault in faults):
        return (whole(programs),)
    return tuple(_part(trial, fault) for fault in faults)


def _broken_bits(capture: Capture) -> str:
    return next(pattern.bits for pattern in capture.patterns if pattern.side == "broken")


@dataclass(slots=True)
class _Trial:
    """The programs between broken and the reference, and which requests each of them fails."""

    runner: Runner
    progress: Progress
    capture: Capture
    programs: Mapping[VersionName, str]
    difference: Difference
    scenarios: str
    how: How
    _known: dict[frozenset[int], frozenset[str]] = field(default_factory=dict)
    _asked: dict[str, Request] = field(init=False)
    """By the id of a lifted check."""

    def __post_init__(self) -> None:
        alone = {
            check.id: self.capture.model_copy(update={"checks": (check,)}) for check in self.capture.checks
        }
        self._asked = {name: request for name, one in alone.items() for request in lifted_requests(one)}

    def wrong(self, pieces: frozenset[int]) -> frozenset[str]:
        """Return the ids of lifted checks that fail once these pieces are repaired."""
        if pieces not in self._known:
            self._known[pieces] = self.fails(self.difference.repaired(pieces))
            self.progress.step(f"{len(self._known)} programs")
        return self._known[pieces]

    def fails(self, source: str) -> frozenset[str]:
        """Return the ids of lifted checks on which a source is not like the reference."""
        if not compiles(source):
            return frozenset(self._asked)
        same = self._is_same(source, list(self._asked.values()))
        return frozenset(name for name, like in zip(self._asked, same, strict=True) if not like)

    def breaks(self, fault: Fault, domain: str) -> bool:
        """Tell whether a fault's repair alone goes wrong on a drawn input that broken answers rightly."""
        lifted = lifted_requests(self.capture)
        drawn = [
            Request(scenario, params)
            for scenario in sorted({one.scenario for one in lifted})
            for params in self.runner.draw(domain, scenario, _DRAWN, _SEED, self.how)
        ]
        asked = not_among(lifted, drawn)
        right = self._is_same(self.programs["broken"], asked)
        repaired = self._is_same(self.difference.repaired(fault.pieces), asked)
        return any(was and not still for was, still in zip(right, repaired, strict=True))

    def _is_same(self, source: str, requests: Sequence[Request]) -> list[bool]:
        """Tell for each request whether a source gives what the reference gives, and gives data."""
        pairs = zip(
            self._seen(self.programs["reference"], requests), self._seen(source, requests), strict=True
        )
        return [isinstance(right, Observed) and is_same(right, own, Compare()) for right, own in pairs]

    def _seen(self, source: str, requests: Sequence[Request]) -> list[Outcome]:
        subject = Program(source, "program", self.scenarios, types_of(self.capture))
        return list(self.runner.observe(subject, requests, self.how)) if requests else []


def _part(trial: _Trial, fault: Fault) -> Part:
    capture, difference = trial.capture, trial.difference
    own = fault.failing
    failing = trial.wrong(frozenset())
    others = tuple(check.id for check in capture.checks if check.id in failing - own)
    programs: dict[VersionName, str] = {
        "broken": trial.programs["broken"],
        "reference": difference.repaired(fault.pieces),
    }
    attempt = trial.programs.get("hard_negative", "")
    cut = difference.attempt(set(range(len(difference))) - fault.pieces) if attempt else ""
    if cut and compiles(cut) and trial.fails(cut) & own:
        programs["hard_negative"] = cut
    return Part(programs, others, trial.programs["reference"], cut != attempt)
