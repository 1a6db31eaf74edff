"""Judge candidates: every version must still give every observation that its real release gave.

A candidate is screened before it runs: it parses, brings no undefined or possibly unassigned name, and no function that
newly returns a value on some paths only. Each version's verdict is kept by the digest of its text, and the requests
that told most candidates apart so far run first.
"""

from collections import Counter
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace

from authoring.model.digest import sha256_hex, value_digest
from authoring.model.errors import RefusedError
from authoring.model.execution import (
    Died,
    How,
    Hung,
    Observed,
    ObservedTypes,
    Outcome,
    Perturbation,
    Program,
    Refused,
    Request,
    Runner,
    Traced,
)
from authoring.model.observation import Compare, equal
from authoring.model.variants import VersionName
from authoring.reduction.asking import first_unexpected
from authoring.reduction.merged import MergedProgram
from authoring.reduction.names import Issue, issues
from authoring.system.cpu import process_cpu_s

__all__ = [
    "HASH_SEEDS",
    "Budget",
    "BudgetSpentError",
    "Expectations",
    "Oracle",
    "Subjects",
    "UnfaithfulError",
    "VerdictStore",
    "agree",
]

Expectations = Mapping[VersionName, Sequence[Outcome]]
VerdictStore = MutableMapping[str, str]
"""Verdicts of trials, kept over a restart and for the next reduction with more requests.

By the digest of a text: ``-<id of a request that it fails>`` or ``+<name of a set of requests that it satisfies>``; by
the name of a set: the ids in it.
"""

HASH_SEEDS = (1, 2)
"""Hash seeds under which a result is run again in fresh boxes; what is asked must not depend on them."""


_CPU_EVERY = 16
"""Trials after which the CPU is looked at again: that takes a look at every process below."""


class BudgetSpentError(Exception):  # it is no error: the best state so far is the result
    """No trial is left; the reducer stops and gives its best state."""


class UnfaithfulError(RefusedError):
    """A flat program is not its release (RED050); ``request`` shows it, so that flattening can be asked again."""

    def __init__(self, request: Request, version: str = "a version") -> None:
        super().__init__(
            "RED050",
            f"The flat program of {version} does not behave as its release does in scenario {request.scenario}.",
            "Read the proof: it holds the scenario's parameters.",
            stage="reduce",
            proof=f"{request.scenario} {request.params}",
        )
        self.request = request


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a reduction may cost; None: no bound."""

    trials: int | None = None
    cpu_s: float | None = None
    """A bound on CPU makes the result depend on the machine's speed: it is for what would not end."""


@dataclass(frozen=True, slots=True)
class Subjects:
    """What every trial of one reduction has in common."""

    module: str
    scenarios: str
    types: ObservedTypes = field(default_factory=ObservedTypes)
    compare: Compare = field(default_factory=Compare)

    def program(self, source: str) -> Program:
        """Return the subject of one version's text."""
        return Program(source, self.module, self.scenarios, self.types)


def agree(expected: Outcome, seen: Outcome, compare: Compare) -> bool:
    """Say whether two outcomes are the same as far as the contract looks."""
    if isinstance(expected, Observed) and isinstance(seen, Observed):
        return equal(expected.observations, seen.observations, compare)
    return expected == seen


class Oracle:
    """The requests, what is expected of each version, and all verdicts so far."""

    def __init__(
        self,
        runner: Runner,
        how: How,
        subjects: Subjects,
        requests: Sequence[Request],
        expected: Expectations,
        *,
        budget: Budget | None = None,
        store: VerdictStore | None = None,
        cpu_s: Callable[[], float] = process_cpu_s,
    ) -> None:
        self.runner = runner
        self.how = how
        self.subjects = subjects
        self.requests: list[Request] = []
        self.expected: dict[VersionName, list[Outcome]] = {version: [] for version in expected}
        self.budget = budget or Budget()
        self.store: VerdictStore = {} if store is None else store
        self.known: dict[VersionName, frozenset[Issue]] = {}
        self.trials = 0
        self.runs = 0
        self.cache_hits = 0
        self.refusals: Counter[str] = Counter()
        self._satisfied: dict[tuple[VersionName, str], int] = {}
        self._failed: set[tuple[VersionName, str]] = set()
        self._kills: Counter[int] = Counter()
        self._version_kills: Counter[VersionName] = Counter()
        self.cpu_s = cpu_s
        self._started = cpu_s()
        self._is_late = False
        self._looked: int | None = None
        self._identity = value_digest([subjects.module, subjects.scenarios, repr(subjects.types), repr(how)])
        self._ids: dict[VersionName, dict[str, int]] = {version: {} for version in expected}
        self._sets: dict[tuple[VersionName, int], str] = {}
        self.add(requests, expected)

    def add(self, requests: Sequence[Request], expected: Expectations) -> None:
        """Let requests join, with each version's expected outcomes; what was refused before stays refused."""
        for version, outcomes in expected.items():
            for request, outcome in zip(requests, outcomes, strict=True):
                _check_observable(version, request, outcome)
            self.expected[version].extend(outcomes)
            for number, (request, outcome) in enumerate(
                zip(requests, outcomes, strict=True), len(self.requests)
            ):
                self._ids[version].setdefault(_request_id(request, outcome), number)
        self.requests.extend(requests)

    def admit(self, program: MergedProgram) -> None:
        """Take a first state, whose issues are not held against candidates; raise RED050 if it is wrong."""
        for version in program.versions:
            self.known[version] = issues(program.texts(version))
            if ("syntax", "", "") in self.known[version]:
                raise RefusedError(
                    "RED051",
                    f"The flat program of {version} does not compile with the Python that the tool runs on.",
                    "Run the tool with the Python that the incident needs.",
                )
        mixed = {issue for held in self.known.values() for issue in held if issue[0] == "mixed"}
        for version in program.versions:  # one version may be given another's text
            self.known[version] |= mixed
        for version in program.versions:
            failure = self.failure(version, program.project(version))
            if failure is not None:
                raise UnfaithfulError(self.requests[failure], version)

    def ask(self, program: MergedProgram) -> bool:
        """Say whether every version still gives what is expected of it; BudgetSpentError where no trial is left."""
        texts = {version: program.project(version) for version in program.versions}
        open_versions = []
        for version, text in texts.items():
            key = (version, text)
            if key in self._failed:
                self.cache_hits += 1
                return False
            if self._satisfied.get(key, -1) < len(self.requests):
                open_versions.append(version)
        if not open_versions:
            self.cache_hits += 1
            return True
        for version in open_versions:
            reason = self.screen(program, version)
            if reason:
                self.refusals[reason] += 1
                self._failed.add((version, texts[version]))
                return False
        self._spend()
        for version in sorted(open_versions, key=lambda v: -self._version_kills[v]):
            if self.failure(version, texts[version]) is not None:
                self._version_kills[version] += 1
                self.refusals["observation"] += 1
                return False
        return True

    def holds(self, program: MergedProgram) -> bool:
        """Say whether a state is right that was put together otherwise than by an edit of another.

        It is a trial like others, but never refused for the budget: what was right until now must not be lost.
        """
        texts = {version: program.project(version) for version in program.versions}
        if all(self._satisfied.get(key, -1) >= len(self.requests) for key in texts.items()):
            return True
        if any(key in self._failed for key in texts.items()):
            return False
        if any(self.screen(program, version) for version in texts):
            return False
        self.trials += 1
        return self.satisfies(program)

    def satisfies(self, program: MergedProgram) -> bool:
        """Say whether every version gives all that is expected of it; no trial."""
        return all(self.failure(version, program.project(version)) is None for version in program.versions)

    def gives(self, program: MergedProgram, number: int) -> bool:
        """Say whether a state gives what is expected for one request; a trial as in :meth:`holds`."""
        if any(self.screen(program, version) for version in program.versions):
            return False
        self.trials += 1
        texts = {version: program.project(version) for version in program.versions}
        return all(self._run(version, text, [number]) is None for version, text in texts.items())

    def screen(self, program: MergedProgram, version: VersionName) -> str:
        """Return why a version may not run, or ``""``: ``syntax``, ``undefined``, ``unassigned`` or ``mixed``."""
        fresh = issues(program.texts(version)) - self.known.get(version, frozenset())
        return min(kind for kind, _, _ in fresh) if fresh else ""

    def failure(self, version: VersionName, text: str) -> int | None:
        """Return the number of the request whose outcome is not the expected one, or None."""
        key = (version, text)
        done = max(self._satisfied.get(key, 0), 0)
        found = self._stored(version, text, done)
        if found is None:
            self._satisfied[key] = len(self.requests)
        else:
            self._failed.add(key)
            self._kills[found] += 1
        return found

    def refusing(self, program: MergedProgram, numbers: Sequence[int]) -> int | None:
        """Return the first of some requests that some version of a program fails, or None; no trial."""
        for version in program.versions:
            text = program.project(version)
            if self._satisfied.get((version, text), -1) < len(self.requests):
                found = self._run(version, text, numbers) if numbers else None
                if found is not None:
                    return found[0]
        return None

    def trace(self, version: VersionName, text: str) -> list[Traced]:
        """Trace the requests that end on one version's text: a call that hangs tells of no lines."""
        self.runs += 1
        pairs = zip(self.requests, self.expected[version], strict=True)
        ending = [request for request, outcome in pairs if outcome != Hung()]
        return self.runner.trace(self.subjects.program(text), ending, self.how)

    def cold_failure(
        self, program: MergedProgram, numbers: Sequence[int] | None = None
    ) -> tuple[VersionName, int] | None:
        """Run everything in fresh boxes under other hash seeds; return the version and request that disagree.

        With ``numbers`` only these requests.
        """
        asked = range(len(self.requests)) if numbers is None else numbers
        for seed in HASH_SEEDS:
            how = replace(self.how, fresh=True, perturbation=Perturbation(hash_seed=seed))
            for version in program.versions:
                self.runs += 1
                subject = self.subjects.program(program.project(version))
                outcomes = self.runner.observe(subject, [self.requests[number] for number in asked], how)
                for number, outcome in zip(asked, outcomes, strict=True):
                    if not agree(self.expected[version][number], outcome, self.subjects.compare):
                        return version, number
        return None

    def spent(self) -> bool:
        """Say whether the budget is used up."""
        return self.ended() != ""

    def ended(self) -> str:
        """Say which part of the budget is used up: ``trials``, ``cpu_s`` or nothing."""
        if self.budget.trials is not None and self.trials >= self.budget.trials:
            return "trials"
        is_due = self._looked is None or self.trials - self._looked >= _CPU_EVERY
        if self.budget.cpu_s is not None and not self._is_late and is_due:
            self._looked = self.trials
            self._is_late = self.cpu_s() - self._started >= self.budget.cpu_s
        return "cpu_s" if self._is_late else ""

    def _spend(self) -> None:
        if self.spent():
            raise BudgetSpentError
        self.trials += 1

    def _stored(self, version: VersionName, text: str, done: int) -> int | None:
        key = sha256_hex(f"{self._identity}\0{version}\0{text}".encode("utf-8", "surrogatepass"))
        verdict = self.store.get(key, "+")
        if verdict[1:] in self._ids[version] and verdict[0] == "-":
            return self._ids[version][verdict[1:]]
        satisfied = self.store.get(verdict[1:], "").split() if verdict[0] == "+" else ()
        known = {self._ids[version][one] for one in satisfied if one in self._ids[version]}
        pending = [n for n in range(done, len(self.requests)) if n not in known]
        if not pending:
            return None
        found = self._run(version, text, pending)
        if found is None:
            self.store[key] = self._set_of_all(version)
            return None
        number, outcome = found
        if not isinstance(outcome, Died):  # a process also dies with a run that is interrupted
            self.store[key] = f"-{self._id_of(version, number)}"
        return number

    def _id_of(self, version: VersionName, number: int) -> str:
        return _request_id(self.requests[number], self.expected[version][number])

    def _set_of_all(self, version: VersionName) -> str:
        """Return the verdict of a text that satisfies every request so far, and keep what these are."""
        at = (version, len(self.requests))
        if at not in self._sets:
            ids = " ".join(sorted(self._ids[version]))
            self._sets[at] = value_digest(ids)
            self.store[self._sets[at]] = ids
        return f"+{self._sets[at]}"

    def _run(self, version: VersionName, text: str, numbers: Sequence[int]) -> tuple[int, Outcome] | None:
        """Return the first request whose outcome is not the expected one, with it."""
        pending = sorted(numbers, key=lambda n: (self._is_slow(version, n), -self._kills[n], n))
        self.runs += 1
        found = first_unexpected(
            self.runner,
            self.subjects.program(text),
            [self.requests[n] for n in pending],
            [self.expected[version][n] for n in pending],
            self.how,
            lambda expected, seen: agree(expected, seen, self.subjects.compare),
        )
        return None if found is None else (pending[found[0]], found[1])

    def _is_slow(self, version: VersionName, number: int) -> bool:
        return not isinstance(self.expected[version][number], Observed)


def _request_id(request: Request, outcome: Outcome) -> str:
    doubles = [list(double) for double in request.doubles]
    told = [request.scenario, request.params, doubles, repr(outcome)]
    return value_digest(told if request.line_events is None else [*told, request.line_events])[:24]


def _check_observable(version: VersionName, request: Request, outcome: Outcome) -> None:
    if isinstance(outcome, Refused) or (isinstance(outcome, Died) and outcome.reason.startswith("import")):
        why = outcome.message if isinstance(outcome, Refused) else outcome.reason
        raise RefusedError(
            "RED052",
            f"Scenario {request.scenario} cannot be observed on {version}: {why}",
            "Observe a view of the result that is plain data.",
            proof=f"{request.scenario} {request.params}",
        )
