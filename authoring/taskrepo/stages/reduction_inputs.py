"""What the reduction asks: requests of the reproducer, drawn ones, and what the real releases answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path

from authoring.contract.bench import CALL_CPU_S, UNHURRIED_CPU_S
from authoring.contract.gather import gather
from authoring.model.capture import Capture
from authoring.model.digest import value_digest
from authoring.model.execution import (
    How,
    Hung,
    Limits,
    Observed,
    ObservedTypes,
    Outcome,
    Package,
    Program,
    Request,
    Runner,
)
from authoring.model.observation import Compare
from authoring.model.variants import VersionName
from authoring.model.wire import Wire, sort_key
from authoring.reduction.oracle import HASH_SEEDS
from authoring.scenario.domain import ChangedCode
from authoring.scenario.inputs import Stock, candidates, decided_by_depth, is_same, palette_of

__all__ = [
    "VERSION_OF_SIDE",
    "Answers",
    "Releases",
    "failing_requests",
    "gathered",
    "lifted_requests",
    "neighbours_of",
    "not_among",
    "params_by_scenario",
    "place_of",
    "recorded_requests",
    "types_of",
]

Answers = dict[str, dict[str, Outcome]]
"""What releases answered: by the digest of a package and of how it ran, then by the place of the request."""

PACKAGE_CALL_CPU_S = 2.0
"""CPU budget of one call of a real release, whose first call may be slow; a program has CALL_CPU_S."""

VERSION_OF_SIDE: dict[str, VersionName] = {
    "broken": "broken",
    "attempt": "hard_negative",
    "fixed": "reference",
}
"""The program that is made of each tree."""


def types_of(capture: Capture) -> ObservedTypes:
    """Return what may be observed beside built-in data while reducing."""
    return ObservedTypes(raises=capture.raises)


def lifted_requests(capture: Capture) -> list[Request]:
    """Return the distinct requests of the lifted checks, in their order."""
    found: dict[str, Request] = {}
    for check in capture.checks:
        if check.scenario:
            request = Request(check.scenario, check.params, line_events=check.line_events)
            found.setdefault(place_of(request), request)
    return list(found.values())


def recorded_requests(capture: Capture) -> list[Request]:
    """Return what was recorded from the project's own tests, for scenarios that lifted checks are asked by."""
    scenarios = {check.scenario for check in capture.checks}
    inputs = capture.recorded.inputs if capture.recorded is not None else ()
    return [Request(one.scenario, one.params) for one in inputs if one.scenario in scenarios]


def failing_requests(capture: Capture) -> list[Request]:
    """Return the requests of the lifted checks that fail on some side."""
    sides = [pattern.bits for pattern in capture.patterns]
    return [
        Request(check.scenario, check.params, line_events=check.line_events)
        for at, check in enumerate(capture.checks)
        if check.scenario and any(bits[at] == "0" for bits in sides)
    ]


def params_by_scenario(requests: Sequence[Request]) -> dict[str, list[Wire]]:
    """Return the parameters of the requests by scenario, both in the order of the requests."""
    found: dict[str, list[Wire]] = {}
    for one in requests:
        found.setdefault(one.scenario, []).append(one.params)
    return found


def gathered(
    capture: Capture, domain: str, code: ChangedCode, runner: Runner, how: How, is_domain_edited: bool
) -> list[Request]:
    """Return what the contract will gather too, as far as it can be known before programs are reduced.

    What a program answers wrong there costs another reduction.
    """
    found = gather(capture, domain, code, runner, how, is_domain_edited=is_domain_edited)
    return [one.request for one in found.all]


def neighbours_of(requests: Sequence[Request], code: ChangedCode, seed: int, count: int) -> list[Request]:
    """Return ``count`` inputs around the requests, guided by what changed; the same for the same seed."""
    rows = params_by_scenario(requests)
    stocks = {name: Stock(wires, palette_of(wires, code)) for name, wires in sorted(rows.items())}
    return [Request(one.scenario, one.params) for one in candidates(stocks, seed, count)]


def not_among(known: Sequence[Request], requests: Sequence[Request]) -> list[Request]:
    """Return the requests that are none of the known ones, in their order."""
    taken = {place_of(one) for one in known}
    return [one for one in requests if place_of(one) not in taken]


def place_of(request: Request) -> str:
    """Return what two requests for the same input have in common."""
    return sort_key([request.scenario, request.params, request.line_events])


@dataclass(frozen=True, slots=True)
class Releases:
    """The real releases behind the versions, bound through original.py."""

    runner: Runner
    how: How
    """How flat programs run."""
    package_how: How
    """How the releases run: their imports and first calls may cost more than a tenth of a second."""
    packages: Mapping[VersionName, Package]
    memory: Answers = field(default_factory=dict, repr=False)
    call_cpu_s: float = CALL_CPU_S
    """What a call may take that is asked without patience."""
    _known: dict[tuple[VersionName, str], Outcome] = field(default_factory=dict, repr=False)
    """What releases answered: a hang is waited for once."""
    _late: set[tuple[VersionName, str]] = field(default_factory=set, repr=False)
    """What they did not answer in the time that a program has."""

    @classmethod
    def of(
        cls,
        runner: Runner,
        capture: Capture,
        trees: Mapping[VersionName, Path],
        dependencies: Sequence[Path],
        scenarios: str,
        original: str,
        memory: Answers | None = None,
    ) -> "Releases":
        """Bind the trees of the versions; ``memory`` holds what they were asked before, and will hold what is new."""
        how = How(
            limits=Limits(
                call_cpu_s=CALL_CPU_S, call_s=10.0, run_s=120.0, cpu_s=120, processes=capture.processes
            ),
            python=capture.python,
            dependencies=tuple(dependencies),
            fork_per_request=capture.fork_per_check,
        )
        types = types_of(capture)
        packages = {
            version: Package(tree, capture.modules, original, scenarios, types)
            for version, tree in trees.items()
        }
        patient = replace(how.limits, call_cpu_s=PACKAGE_CALL_CPU_S, call_s=20.0, import_s=20.0)
        package_how = replace(how, limits=patient)
        return cls(runner, how, package_how, packages, memory={} if memory is None else memory)

    def expected(self, requests: Sequence[Request]) -> dict[VersionName, list[Outcome]]:
        """Return what every release answers."""
        return {version: self.answers(version, requests) for version in self.packages}

    def is_late(self, request: Request) -> bool:
        """Tell whether some release was asked and needs longer for a request than a program may."""
        return any((version, place_of(request)) in self._late for version in self.packages)

    def hasty(self) -> "Releases":
        """Return the same with a quarter of the time for calls, so that no answer hangs on the machine's speed."""
        return replace(self, call_cpu_s=UNHURRIED_CPU_S, _known={}, _late=set())

    def answers(
        self, version: VersionName, requests: Sequence[Request], *, patient: bool = True
    ) -> list[Outcome]:
        """Return what one release answers; what it was asked before is remembered, however patiently.

        What needs longer than a program may is asked once more with patience. It stays a hang where it then ends
        without data too: a loop that fills its memory is a hang for a program, which has less time.
        """
        keys = [(version, place_of(one)) for one in requests]
        new = {key: one for key, one in zip(keys, requests, strict=True) if key not in self._known}
        self._known.update(zip(new, self._ask(version, list(new.values()), self.call_cpu_s), strict=True))
        self._late.update(key for key in new if self._known[key] == Hung())
        late = {key: one for key, one in new.items() if patient and self._known[key] == Hung()}
        again = self._ask(version, list(late.values()), PACKAGE_CALL_CPU_S)
        self._known.update((key, told) for key, told in zip(late, again, strict=True) if _is_told(told))
        return [self._known[key] for key in keys]

    def _ask(self, version: VersionName, requests: list[Request], call_cpu_s: float) -> list[Outcome]:
        how = replace(self.package_how, limits=replace(self.package_how.limits, call_cpu_s=call_cpu_s))
        return self._observed(version, requests, how)

    def _observed(self, version: VersionName, requests: Sequence[Request], how: How) -> list[Outcome]:
        """Ask a release what it was not asked so before."""
        package = self.packages[version]
        known = self.memory.setdefault(value_digest([repr(package), repr(how)]), {})
        new = {place_of(one): one for one in requests if place_of(one) not in known}
        known.update(zip(new, self.runner.observe(package, list(new.values()), how), strict=True))
        return [known[place_of(one)] for one in requests]

    def usable(
        self, requests: Sequence[Request], limit_hangs: int, *, patient: bool = False
    ) -> list[Request]:
        """Return the requests that every release answers with data, the same under the hash seeds of the cold check.

        What a release needs longer for than a program may is of no use for telling programs apart: the default.

        A hang counts as an answer; at most ``limit_hangs`` requests on which some release hangs are kept, since
        each costs its whole budget in every trial.
        """
        kept = list(range(len(requests)))
        hanging: set[int] = set()
        for version in self.packages:
            answers = self.answers(version, [requests[at] for at in kept], patient=patient)
            hanging |= {at for at, answer in zip(kept, answers, strict=True) if answer == Hung()}
            spare = sorted(hanging)[limit_hangs:]
            kept = [
                at
                for at, answer in zip(kept, answers, strict=True)
                if isinstance(answer, Observed | Hung) and at not in spare
            ]
        for version, hash_seed in product(self.packages, HASH_SEEDS):
            plain = [at for at in kept if at not in hanging]
            asked = [requests[at] for at in plain]
            again = self._perturbed(version, asked, hash_seed)
            pairs = zip(plain, self.answers(version, asked), again, strict=True)
            unstable = {at for at, first, second in pairs if not is_same(first, second, Compare())}
            kept = [at for at in kept if at not in unstable]
        return [requests[at] for at in kept]

    def without_depth(self, requests: Sequence[Request], own: Sequence[Request]) -> list[Request]:
        """Return the requests without those on which the recursion limit decides what some release answers.

        ``own`` are the reproducer's: what goes as deep as they do is left.
        """
        kept = list(requests)
        for version, package in self.packages.items():
            answers = self.answers(version, kept)
            deep = decided_by_depth(self.runner, package, kept, answers, self.package_how, own)
            kept = [one for at, one in enumerate(kept) if at not in deep]
        return kept

    def quick(self, requests: Sequence[Request]) -> list[Request]:
        """Return the requests that every release answers in the time that a program has."""
        kept = list(requests)
        for version in self.packages:
            answers = self.answers(version, kept, patient=False)
            kept = [one for one, answer in zip(kept, answers, strict=True) if answer != Hung()]
        return kept

    def _perturbed(self, version: VersionName, requests: Sequence[Request], hash_seed: int) -> list[Outcome]:
        varied = replace(self.package_how.perturbation, hash_seed=hash_seed, tz="Asia/Tokyo")
        return self._observed(version, requests, replace(self.package_how, perturbation=varied))

    def program(self, version: VersionName, source: str) -> Program:
        """Return a flat text of a version as a subject of the same scenarios."""
        package = self.packages[version]
        return Program(source, "program", package.scenarios, package.types)


def _is_told(outcome: Outcome) -> bool:
    """Tell whether a call ended with data, and not for lack of memory."""
    if not isinstance(outcome, Observed):
        return False
    return all(one.get("raised", {}).get("type") != "MemoryError" for one in outcome.observations)
