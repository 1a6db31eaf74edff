"""Reduce the versions of a flat program together to the smallest one that still behaves like all of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from authoring.model.errors import RefusedError
from authoring.model.execution import How, ObservedTypes, Outcome, Request, Runner
from authoring.model.observation import Compare
from authoring.model.progress import Progress, SilentProgress
from authoring.model.variants import VersionName
from authoring.reduction.align import merge, realign
from authoring.reduction.history import History
from authoring.reduction.lines import words
from authoring.reduction.merged import MergedProgram, program_nodes
from authoring.reduction.oracle import (
    Budget,
    BudgetSpentError,
    Expectations,
    Oracle,
    Subjects,
    UnfaithfulError,
    VerdictStore,
)
from authoring.reduction.passes import PHASES
from authoring.reduction.passes.base import Pass, Phase
from authoring.reduction.readable import Readable, readable, tidy
from authoring.reduction.refusals import Refusals
from authoring.reduction.sweep import Rate, Sweep, measure_size
from authoring.reduction.traced import ran_lines
from authoring.reduction.view import View
from authoring.system.cpu import process_cpu_s

__all__ = ["Counterexample", "Milestone", "PhaseReport", "Reduction", "Search", "SoFar", "Way", "reduce"]


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A request on which some version does not behave as its release, and what every release answers."""

    request: Request
    expected: Mapping[VersionName, Outcome]


Search = Callable[[Mapping[VersionName, str]], Request | Counterexample | None]
"""Look for an input on which some version does not behave as its release; None: none was found.

Of a bare request the unreduced programs say what is expected.
"""

_GLANCED = 10
"""Edits that are kept before the state is attacked with a few inputs."""
_SMALL_EDITS = next(number for number, phase in enumerate(PHASES) if phase.name == "nodes")
"""The phase whose passes hold all kinds of edits."""
_ROUNDS = 40
_COLD = 4
"""Requests that fail in fresh processes only for which something is undone, at most."""
_COUNTEREXAMPLES = 200


@dataclass(frozen=True, slots=True)
class Milestone:
    """A state on the way: where a later reduction with more requests may begin."""

    phases: int
    """How many phases are done."""
    program: MergedProgram


@dataclass(frozen=True, slots=True)
class Way:
    """How a reduction went: what a later one with more requests goes on from."""

    milestones: tuple[Milestone, ...] = ()
    """In their order, from the unreduced programs on."""
    refused: tuple[str, ...] = ()
    """Edits that were refused, or given up with others of their table, as digests: they will be with more requests."""


@dataclass(frozen=True, slots=True)
class PhaseReport:
    """What one phase did and cost."""

    name: str
    nodes: int
    """Merged nodes at its end."""
    differing: int
    trials: int
    kept: int
    counterexamples: int
    cpu_s: float


@dataclass(frozen=True, slots=True)
class Reduction:
    """The reduced programs and how it went."""

    programs: dict[VersionName, str]
    """Formatted sources, by version."""
    merged: MergedProgram
    """The same by physical lines: its projections are ``programs``."""
    sizes: dict[VersionName, int]
    """AST nodes of each version."""
    nodes: int
    """AST nodes of the merged program."""
    trials: int
    runs: int
    cache_hits: int
    accepted: int
    refusals: dict[str, int]
    """Candidates refused, by reason."""
    phases: tuple[PhaseReport, ...]
    requests: tuple[Request, ...]
    """The oracle's requests at the end, counterexamples included."""
    complete: bool
    """False where the budget ended the work before nothing more could be removed."""
    ended: str
    """Which part of the budget ended it: ``trials`` or ``cpu_s``; empty where none did."""
    state: MergedProgram
    """The programs before formatting, a statement a line: what a further reduction starts from."""
    exports: frozenset[str]
    """All names by which scenarios may reach into the programs."""
    way: Way = Way()


@dataclass(frozen=True, slots=True)
class SoFar:
    """How far a reduction has come: a state that gives all that was asked, not yet attacked nor run cold."""

    program: MergedProgram
    phase: str
    """The phase that is under way, or that has just ended."""
    is_end: bool
    """Whether it has just ended."""
    phases: tuple[PhaseReport, ...]
    """Those that have ended."""
    trials: int
    cache_hits: int
    accepted: int
    refusals: Mapping[str, int]
    requests: int


def reduce(
    flats: Mapping[VersionName, str],
    requests: Sequence[Request],
    expected: Expectations,
    runner: Runner,
    how: How,
    types: ObservedTypes,
    scenarios: str,
    exports: Sequence[str],
    *,
    module: str = "program",
    compare: Compare | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
    search: Search | None = None,
    glance: Search | None = None,
    store: VerdictStore | None = None,
    earlier: Way | None = None,
    on_state: Callable[[SoFar], None] | None = None,
    cpu_s: Callable[[], float] = process_cpu_s,
) -> Reduction:
    """Return the smallest versions that give every expected outcome.

    ``flats`` holds one simple statement a line, without comments and docstrings. ``search`` attacks the state at the
    end of every phase, ``glance`` with less effort after every few edits, so that little is undone where it finds
    something. ``store`` keeps verdicts over a restart: the same call with the same store asks of no edit twice and
    ends in the same programs. ``earlier`` is the way of a reduction with fewer requests, of the same texts or of some
    that lacked what these requests need: the work begins at its end, without what no longer holds. ``on_state`` is
    told of every state that is kept, and of what counterexamples leave of it. ``cpu_s`` gives the seconds of CPU that
    the work has taken, for the budget and for what is said of phases. Raises RefusedError RED050 to RED053.
    """
    subjects = Subjects(module, scenarios, types, compare or Compare())
    oracle = Oracle(runner, how, subjects, requests, expected, budget=budget, store=store, cpu_s=cpu_s)
    reducer = _Reducer(flats, oracle, exports, progress or SilentProgress(), (search, glance), on_state)
    return reducer.run(earlier or Way())


class _Reducer:
    def __init__(
        self,
        flats: Mapping[VersionName, str],
        oracle: Oracle,
        exports: Sequence[str],
        progress: Progress,
        searches: tuple[Search | None, Search | None],
        on_state: Callable[[SoFar], None] | None,
    ) -> None:
        self.oracle = oracle
        self.progress = progress
        self.search, self.glance = searches
        self.glanced = 0
        self.on_state = on_state
        self.phase = ""
        self.first = merge(flats)
        self.program = self.first
        self.history = History(self.first)
        self.done = 0
        self.exports = _mentioned(exports, oracle.subjects)
        self.rates: dict[str, Rate] = {}
        self.refusals = Refusals()
        self.told: frozenset[str] = frozenset()
        self.accepted = 0
        self.counterexamples = 0
        self.reports: list[PhaseReport] = []

    def run(self, earlier: Way) -> Reduction:
        """Do all phases that are not done at the start; a spent budget ends them early."""
        self.oracle.admit(self.first)
        complete = True
        phases = self._begin(earlier)
        try:
            for number in phases:
                self.done = number
                self._phase(PHASES[number])
                self.history.add(self.program, number + 1)
                self._tell(is_end=True)
        except BudgetSpentError:
            complete = False
        final = self._final()
        return Reduction(
            programs=final.programs,
            merged=final.merged,
            sizes=self.program.sizes(),
            nodes=self.program.nodes(),
            trials=self.oracle.trials,
            runs=self.oracle.runs,
            cache_hits=self.oracle.cache_hits,
            accepted=self.accepted,
            refusals=dict(sorted(self.oracle.refusals.items())),
            phases=tuple(self.reports),
            requests=tuple(self.oracle.requests),
            complete=complete,
            ended="" if complete else self.oracle.ended(),
            state=self.program,
            exports=self.exports,
            way=self._way(),
        )

    def _begin(self, earlier: Way) -> range:
        """Go to the end of an earlier way, without what no longer holds; return the phases that are to be done.

        Where anything was undone, or is new in the unreduced programs, all kinds of edits are tried on what came
        with it.
        """
        if not earlier.milestones:
            return range(len(PHASES))
        self.told = frozenset(earlier.refused)
        self.refusals = Refusals(self.told)
        is_new = self.history.follow([(one.phases, one.program) for one in earlier.milestones])
        ended = self.history.states[-1]
        self.history.mend(self.oracle.holds, self.oracle.holds)
        self.program = self.history.last
        is_new |= self.history.states[-1] is not ended or self._take_counterexamples()
        done = self.history.states[-1].phases
        return range(min(done, _SMALL_EDITS) if is_new else done, len(PHASES))

    def _way(self) -> Way:
        milestones = tuple(Milestone(phases, program) for phases, program in self.history.known)
        return Way(milestones, tuple(sorted(self.told | self.refusals.told)))

    def _phase(self, phase: Phase) -> None:
        self.progress.phase(phase.name)
        self.phase = phase.name
        if phase.anew:
            before, self.told = self.told, self.told | self.refusals.told
            self.refusals = Refusals(before)
        trials, kept, found, cpu = (
            self.oracle.trials,
            self.accepted,
            self.counterexamples,
            self.oracle.cpu_s(),
        )
        try:
            while True:
                self._fixed_point(phase)
                if not self._take_counterexamples():
                    break
        finally:
            self.reports.append(
                PhaseReport(
                    phase.name,
                    self.program.nodes(),
                    self.program.differing(),
                    self.oracle.trials - trials,
                    self.accepted - kept,
                    self.counterexamples - found,
                    self.oracle.cpu_s() - cpu,
                )
            )

    def _fixed_point(self, phase: Phase) -> None:
        for _ in range(_ROUNDS):
            before = self.program
            for each in phase.passes:
                self._sweep(each)
                self._take_glance()
            if self.program == before:
                return

    def _sweep(self, each: Pass) -> None:
        """Try a pass's edits that were never refused."""
        ran = ran_lines(self.oracle, self.program) if each.traced else None
        view = View(self.program, self.exports, ran)
        known = self.refusals.fresh(each.name, view, each.candidates(view))
        if not known:
            return
        rate = self.rates.setdefault(each.name, Rate(10 * each.hope))
        sweep = Sweep(self.program, self._ask, rate, _measure(self.program, each.guarded))
        try:
            sweep.run([one.edit for one in known], whole=each.whole)
        finally:
            if sweep.kept:
                self._accept(realign(sweep.program), sweep.program, len(sweep.kept))
        refused, kept = ({id(edit) for edit in edits} for edits in (sweep.refused, sweep.kept))
        self.refusals.add(one for one in known if id(one.edit) in refused)
        now_kept = {one.says for one in known if id(one.edit) in kept}
        self.refusals.drop(now_kept)
        self.told -= now_kept  # what is undone later may be tried again

    def _ask(self, program: MergedProgram) -> bool:
        self.progress.step(f"{program.nodes()} nodes")
        return self.oracle.ask(program)

    def _accept(self, program: MergedProgram, fallback: MergedProgram, edits: int) -> None:
        self.program = program if program.nodes() <= fallback.nodes() else fallback
        self.history.add(self.program, self.done)
        self.accepted += edits
        self._tell()

    def _tell(self, *, is_end: bool = False) -> None:
        """Tell of the present state."""
        if self.on_state is None:
            return
        oracle = self.oracle
        self.on_state(
            SoFar(
                self.program,
                self.phase,
                is_end,
                tuple(self.reports),
                oracle.trials,
                oracle.cache_hits,
                self.accepted,
                dict(sorted(oracle.refusals.items())),
                len(oracle.requests),
            )
        )

    def _take_glance(self) -> None:
        """Attack the state with little effort where some edits were kept since the last time."""
        if self.accepted - self.glanced >= _GLANCED:
            self.glanced = self.accepted
            self._attack(self.glance)

    def _take_counterexamples(self) -> bool:
        """Let the search attack this state; True where it found something and the phase must go on."""
        return self._attack(self.search)

    def _attack(self, search: Search | None) -> bool:
        if search is None:
            return False
        found = False
        while self.counterexamples < _COUNTEREXAMPLES:
            answer = search(self.program.programs())
            if answer is None:
                return found
            self._join(self._explained(answer))
            found = True
        return found

    def _explained(self, answer: Request | Counterexample) -> Counterexample:
        """Return what the search found with what is expected: by the search, else by the unreduced programs."""
        if isinstance(answer, Counterexample):
            return answer
        expected: dict[VersionName, Outcome] = {}
        for version in self.first.versions:
            subject = self.oracle.subjects.program(self.first.project(version))
            (expected[version],) = self.oracle.runner.observe(subject, [answer], self.oracle.how)
        return Counterexample(answer, expected)

    def _join(self, found: Counterexample) -> None:
        if found.request in self.oracle.requests:
            raise UnfaithfulError(found.request)
        self.counterexamples += 1
        self.oracle.add(
            [found.request], {version: [found.expected[version]] for version in self.first.versions}
        )
        number = len(self.oracle.requests) - 1
        if not self.history.mend(self.oracle.holds, lambda state: self.oracle.gives(state, number)):
            raise UnfaithfulError(found.request)
        self.program = self.history.last
        self._tell()

    def _final(self) -> Readable:
        """Return the form that people read, once it gives the same in fresh processes.

        What is lost only there is undone like what any request refutes; where that does not help, the last state
        that loses nothing is taken.
        """
        for _ in range(_COLD):
            made = self._tidied()
            failure = self.oracle.cold_failure(made.merged)
            if failure is None:
                return made
            if self._mend_cold(failure[1]):
                continue
            failure = self.oracle.cold_failure(readable(self.program).merged)  # without what tidying did
            if failure is None or not self._mend_cold(failure[1]):
                break
        if not self.history.back_to(self._is_cold_safe):
            self._refuse_varying()
        self.program = self.history.last
        made = self._tidied()
        if self.oracle.cold_failure(made.merged) is not None:
            self.program = self.history.last
            made = readable(self.program)
        return made

    def _mend_cold(self, number: int) -> bool:
        """Undo what makes a request fail in fresh processes only; tell whether something was undone for it."""

        def holds_anew(state: MergedProgram) -> bool:
            is_whole = not any(self.oracle.screen(state, version) for version in state.versions)
            return is_whole and self._is_cold_safe(state, [number])

        before = self.history.last
        is_mended = self.history.mend(
            lambda state: self.oracle.holds(state) and holds_anew(state), holds_anew
        )
        self.program = self.history.last
        return is_mended and self.program != before

    def _is_cold_safe(self, state: MergedProgram, numbers: Sequence[int] | None = None) -> bool:
        return self.oracle.cold_failure(readable(state).merged, numbers) is None

    def _refuse_varying(self) -> None:
        version, at = self.oracle.cold_failure(self.first) or (self.first.versions[0], 0)
        request = self.oracle.requests[at]
        raise RefusedError(
            "RED053",
            f"The flat program of {version} itself behaves differently in fresh processes.",
            "Capture the incident again with repeats, and drop the observation that varies.",
            proof=f"{request.scenario} {request.params}",
        )

    def _tidied(self) -> Readable:
        """Put the program in the order and form that a person would write, where all observations stay."""
        for step in tidy(self.program, self.exports):
            candidate = step(self.program)
            if candidate == self.program or any(self.oracle.screen(candidate, v) for v in candidate.versions):
                continue
            if self.oracle.satisfies(candidate):
                self.program = candidate
        return readable(self.program)


def _measure(base: MergedProgram, guarded: VersionName | None) -> Callable[[MergedProgram], tuple[int, ...]]:
    """Return what must fall with every edit of a pass; first of all a guarded version must not grow."""
    if guarded is None:
        return measure_size
    limit = program_nodes(base.texts(guarded))
    return lambda program: (max(0, program_nodes(program.texts(guarded)) - limit), *measure_size(program))


def _mentioned(exports: Sequence[str], subjects: Subjects) -> frozenset[str]:
    """Return all names by which a scenario may reach into the program."""
    types = subjects.types
    return frozenset((*exports, *types.raises, *types.records, *types.enums)) | words(subjects.scenarios)
