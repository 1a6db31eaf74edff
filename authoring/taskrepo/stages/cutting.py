"""Cut the domain of a reduction: propose what could be cut off, and take it where the author accepts cuts."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from authoring.model.capture import Capture
from authoring.model.cuts import CutRecord, Cuts, HeldCode
from authoring.model.errors import RefusedError
from authoring.model.execution import ObservedTypes, Request
from authoring.model.observation import Compare
from authoring.model.reduction import HeldStatement
from authoring.model.variants import VersionName
from authoring.model.wire import Wire, sort_key
from authoring.reduction.cuts import Asked, Blocked, CutProposal, Effort, Proposals, propose
from authoring.reduction.held import Left, left_statements
from authoring.reduction.oracle import Budget, Oracle, Subjects
from authoring.reduction.reduce import Counterexample, Reduction
from authoring.scenario.domain import DomainCut, InputClass, Membership, cut_sentence, holds
from authoring.scenario.inputs import is_same
from authoring.taskrepo.stages.reduction_inputs import Releases
from authoring.taskrepo.stages.verdicts import verdicts_of
from authoring.taskrepo.stages.work import Work

__all__ = ["Cutting", "Narrowed", "capture_inside", "left_of", "outside_any"]

LEAST_SHARE = 0.03
"""A cut is taken only where it saves this share of the merged nodes."""
LEAST_NODES = 10
"""And at least so many of them."""
MOST_TAKEN = 5
_HOPE = 0.5
"""A cut is tried where the edits that it frees save this share of what is needed: reducing further saves more."""

_SHARE = 0.5
"""The share of the inputs that must be left."""
_OBSERVED = 20
"""Different answers of the reference that are enough; where there are fewer, two thirds of them must be left."""

_GLANCE = Effort(edits=60, whole=16, proposals=3, trials=25)
"""What a report may cost."""
_LOOK = Effort(edits=160, whole=48, proposals=4, trials=50)
"""What is tried where cuts are taken."""

_HELD = 12

ReduceAgain = Callable[[Reduction, Sequence[Request], Callable[[Request], bool]], Reduction]
"""Reduce a reduction's programs further with the requests that are left, attacked by what the predicate lets in."""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """A reduction after its cuts, and what is said of them."""

    reduction: Reduction
    taken: tuple[DomainCut, ...]
    document: Cuts
    left: Mapping[str, int] = field(default_factory=dict)
    """Statements that are left, by what keeps them, as far as was looked."""
    held: tuple[HeldStatement, ...] = ()
    """The largest of them that requests hold."""


@dataclass(slots=True)
class Cutting:
    """What cuts need to know of one reduction's surroundings."""

    work: Work
    capture: Capture
    releases: Releases
    types: ObservedTypes
    lifted: Sequence[Request]
    attacks: Sequence[Request]
    """Further inputs that all releases answer."""
    recorded: Sequence[Wire] = ()
    """Recorded parameters of an entry inside the package."""
    _records: list[CutRecord] = field(default_factory=list)
    _unlooked: str = ""

    def proposed(self, reduction: Reduction) -> Narrowed:
        """Return the reduction as it is, with the cuts that would save most."""
        return self._narrowed(reduction, (), self._proposals(reduction, (), _GLANCE))

    def taken(self, reduction: Reduction, reduce_again: ReduceAgain) -> Narrowed:
        """Take cuts one after another, the one that saves most first, as long as one saves a sizeable share."""
        taken: list[DomainCut] = []
        while True:
            proposals = self._proposals(reduction, taken, _LOOK)
            made = None
            for one in proposals.cuts if len(taken) < MOST_TAKEN else ():
                made = self._without(reduction, one, [*taken, DomainCut(one.inputs, 0)], reduce_again)
                if made is not None:
                    break
            if made is None:
                return self._narrowed(reduction, taken, proposals)
            smaller, one = made
            cut = DomainCut(one.inputs, reduction.nodes - smaller.nodes)
            self._records.append(self._record(replace(one, saves=cut.saves)))
            taken.append(cut)
            reduction = smaller

    def _without(
        self,
        reduction: Reduction,
        one: CutProposal,
        cuts: Sequence[DomainCut],
        reduce_again: ReduceAgain,
    ) -> tuple[Reduction, CutProposal] | None:
        """Return what is left without a class; None where that does not save a sizeable share."""
        needed = max(LEAST_NODES, LEAST_SHARE * reduction.nodes)
        if one.saves < _HOPE * needed or self._empties(cuts):
            return None
        left = [each for each in reduction.requests if each not in one.members]
        try:
            smaller = reduce_again(reduction, left, lambda request: not outside_any(cuts, request.params))
        except RefusedError:
            return None
        if reduction.nodes - smaller.nodes < needed:
            return None
        return _together(reduction, smaller), one

    def _empties(self, cuts: Sequence[DomainCut]) -> bool:
        """Tell whether cuts leave some scenario without a lifted input: a domain starts from these."""
        left = {one.scenario for one in self.lifted if not outside_any(cuts, one.params)}
        return left != {one.scenario for one in self.lifted}

    def _proposals(self, reduction: Reduction, taken: Sequence[DomainCut], effort: Effort) -> Proposals:
        self.work.progress.phase("look for cuts")
        expected = self.releases.expected(reduction.requests)
        asked = Asked(reduction.requests, expected, self.kept(reduction.requests))
        if not asked.kept:
            self._unlooked = "no lifted input that fails on some side is among the requests"
            return Proposals()
        if not reduction.complete:
            self._unlooked = "the budget ended the reduction before its end"
            return Proposals()
        attacks = [one for one in self.attacks if not outside_any(taken, one.params)]
        answers = self.releases.expected(attacks)

        def attack(programs: Mapping[VersionName, str], outside: InputClass) -> Counterexample | None:
            some = [at for at, one in enumerate(attacks) if not holds(outside, one.params)]
            for version in sorted(programs):
                subject = self.releases.program(version, programs[version])
                seen = self.work.runner.observe(subject, [attacks[at] for at in some], self.releases.how)
                for at, own in zip(some, seen, strict=True):
                    if not is_same(answers[version][at], own, Compare()):
                        return Counterexample(attacks[at], {name: answers[name][at] for name in answers})
            return None

        population = [*reduction.requests, *attacks]
        told = [repr(one) for one in (*expected["reference"], *answers["reference"])]

        def is_fit(outside: InputClass) -> bool:
            left = [
                answer for one, answer in zip(population, told, strict=True) if not holds(outside, one.params)
            ]
            enough = min(_OBSERVED, 2 * len(set(told)) / 3)
            return len(left) >= _SHARE * len(population) and len(set(left)) >= enough

        try:
            return propose(reduction.state, reduction.exports, asked, self._oracle, attack, is_fit, effort)
        except RefusedError as error:  # a report must not cost the reduction that it is about
            self._unlooked = error.message
            return Proposals()

    def _oracle(self, asked: Asked, trials: int | None) -> Oracle:
        self.work.progress.step(f"{len(asked.requests)} requests")
        return Oracle(
            self.work.runner,
            self.releases.how,
            Subjects("program", self.releases.packages["reference"].scenarios, self.types),
            asked.requests,
            asked.expected,
            budget=Budget(trials=trials),
            store=verdicts_of(self.work.journal, self.capture.incident),
        )

    def kept(self, requests: Sequence[Request]) -> frozenset[int]:
        """Return the positions of the lifted requests on which some side fails: no cut takes them."""
        positions = [at for at, one in enumerate(requests) if one in self.lifted]
        answers = self.releases.expected([requests[at] for at in positions])
        return frozenset(
            at
            for number, at in enumerate(positions)
            if requests[at].line_events is not None
            or any(not is_same(own[number], answers["reference"][number]) for own in answers.values())
        )

    def _narrowed(self, reduction: Reduction, taken: Sequence[DomainCut], proposals: Proposals) -> Narrowed:
        document = Cuts(
            nodes=reduction.nodes,
            requests=len(reduction.requests),
            taken=tuple(self._records),
            proposed=tuple(self._record(one) for one in proposals.cuts),
            unlooked=self._unlooked,
            held=_held(reduction, proposals.blocked),
        )
        left = self._left(reduction)
        return Narrowed(reduction, tuple(taken), document, dict(left.counts), self._told(left))

    def _left(self, reduction: Reduction) -> Left:
        """Return why the largest statements are left."""
        expected = self.releases.expected(reduction.requests)
        asked = Asked(reduction.requests, expected, self.kept(reduction.requests))
        oracle = self._oracle(asked, None)
        try:
            oracle.admit(reduction.state)
        except RefusedError:  # as above
            return Left()
        return left_statements(oracle, reduction.state, reduction.exports, asked.kept)

    def _told(self, left: Left) -> tuple[HeldStatement, ...]:
        return tuple(
            HeldStatement(
                code=one.code,
                nodes=one.nodes,
                by="check" if one.is_kept else "input",
                checks=tuple(
                    check.id
                    for check in self.capture.checks
                    if (check.scenario, check.params) == (one.request.scenario, one.request.params)
                ),
                scenario=one.request.scenario,
                params=one.request.params,
            )
            for one in left.held
        )

    def _record(self, one: CutProposal) -> CutRecord:
        members = {sort_key([each.scenario, each.params]) for each in one.members}
        return CutRecord(
            sentence=cut_sentence(DomainCut(one.inputs, one.saves)),
            saves=one.saves,
            checks=tuple(
                check.id
                for check in self.capture.checks
                if sort_key([check.scenario, check.params]) in members
            ),
            requests=len(one.members),
            recorded=sum(holds(one.inputs, params) for params in self.recorded),
        )


def capture_inside(capture: Capture, membership: Membership) -> Capture:
    """Return the capture with the checks outside a domain as such that could not be lifted."""
    if not membership.is_narrowed:
        return capture
    lifted = [check for check in capture.checks if check.scenario]
    allowed = membership.allows([Request(check.scenario, check.params) for check in lifted])
    outside = {check.id for check, is_in in zip(lifted, allowed, strict=True) if not is_in}
    checks = tuple(
        check.model_copy(update={"scenario": "", "params": {"dict": []}}) if check.id in outside else check
        for check in capture.checks
    )
    recorded = capture.recorded
    if recorded is not None:
        requests = [Request(one.scenario, one.params) for one in recorded.inputs]
        allowed = membership.allows(requests)
        inside = tuple(one for one, is_in in zip(recorded.inputs, allowed, strict=True) if is_in)
        recorded = recorded.model_copy(update={"inputs": inside})
    return capture.model_copy(update={"checks": checks, "recorded": recorded})


def outside_any(cuts: Sequence[DomainCut], params: Wire) -> bool:
    """Tell whether some cut takes an input."""
    return any(holds(cut.inputs, params) for cut in cuts)


def left_of(params: Sequence[Wire], cuts: Sequence[DomainCut]) -> list[Wire]:
    """Return the parameters that no cut takes, in their order."""
    return [one for one in params if not outside_any(cuts, one)]


def _held(reduction: Reduction, blocked: Sequence[Blocked]) -> tuple[HeldCode, ...]:
    """Return the code that some requests hold, each line once."""
    lines, requests = reduction.state.lines, reduction.requests
    found: dict[str, HeldCode] = {}
    for one in blocked:
        first = min(change.line for change in one.edit.changes)
        code = lines[min(first, len(lines) - 1)].text.strip().splitlines()[0]
        example = min(
            (requests[at] for at in sorted(one.refusing)), key=lambda each: len(sort_key(each.params))
        )
        held = HeldCode(
            code=code,
            nodes=one.gain,
            requests=len(one.refusing),
            scenario=example.scenario,
            params=example.params,
        )
        found.setdefault(code, held)
    return tuple(found.values())[:_HELD]


def _together(first: Reduction, second: Reduction) -> Reduction:
    """Return the second reduction, which went on from the first, with the cost of both."""
    phases = [replace(phase, name=f"after a cut: {phase.name}") for phase in second.phases]
    return replace(
        second,
        trials=first.trials + second.trials,
        runs=first.runs + second.runs,
        cache_hits=first.cache_hits + second.cache_hits,
        accepted=first.accepted + second.accepted,
        refusals=dict(sorted((Counter(first.refusals) + Counter(second.refusals)).items())),
        phases=(*first.phases, *phases),
        complete=first.complete and second.complete,
    )
