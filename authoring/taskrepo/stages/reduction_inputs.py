"""What the reduction asks: requests of the reproducer, drawn ones, and what the real releases answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from authoring.model.capture import Capture
from authoring.model.execution import (
    Died,
    How,
    Hung,
    Limits,
    Observed,
    ObservedTypes,
    Outcome,
    Package,
    Program,
    Refused,
    Request,
    Runner,
)
from authoring.model.observation import Compare
from authoring.model.variants import VersionName
from authoring.model.wire import sort_key
from authoring.scenario.inputs import is_same

__all__ = ["CALL_CPU_S", "VERSION_OF_SIDE", "Releases", "lifted_requests", "types_of"]

CALL_CPU_S = 0.1
"""CPU budget of one call of our own programs; what needs more is a hang (DESIGN.md 4.3)."""

PACKAGE_CALL_CPU_S = 2.0
"""The same of a real release."""

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
    found: dict[tuple[str, str], Request] = {}
    for check in capture.checks:
        if check.scenario:
            request = Request(check.scenario, check.params)
            found.setdefault((check.scenario, sort_key(check.params)), request)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Releases:
    """The real releases behind the versions, bound through original.py."""

    runner: Runner
    how: How
    """How flat programs run."""
    package_how: How
    """How the releases run: their imports and first calls may cost more than a tenth of a second."""
    packages: Mapping[VersionName, Package]

    @classmethod
    def of(
        cls,
        runner: Runner,
        capture: Capture,
        trees: Mapping[VersionName, Path],
        dependencies: Sequence[Path],
        scenarios: str,
        original: str,
    ) -> "Releases":
        """Bind the trees of the versions."""
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
        return cls(runner, how, replace(how, limits=patient), packages)

    def expected(self, requests: Sequence[Request]) -> dict[VersionName, list[Outcome]]:
        """Return what every release answers."""
        return {
            version: self.runner.observe(package, requests, self.package_how)
            for version, package in self.packages.items()
        }

    def usable(
        self, requests: Sequence[Request], limit_hangs: int
    ) -> tuple[list[Request], dict[VersionName, list[Outcome]]]:
        """Return the requests that every release answers with data, the same under another hash seed.

        A hang counts as an answer; at most ``limit_hangs`` requests on which some release hangs are kept, since
        each costs its whole budget in every trial.
        """
        answers = self.expected(requests)
        again = self._perturbed(requests)
        kept: list[int] = []
        hangs = 0
        for at in range(len(requests)):
            row = [answers[version][at] for version in self.packages]
            if any(isinstance(outcome, Died | Refused) for outcome in row):
                continue
            if not all(is_same(answers[v][at], again[v][at], Compare()) for v in self.packages):
                continue
            if any(isinstance(outcome, Hung) for outcome in row):
                hangs += 1
                if hangs > limit_hangs:
                    continue
            kept.append(at)
        return (
            [requests[at] for at in kept],
            {version: [answers[version][at] for at in kept] for version in self.packages},
        )

    def _perturbed(self, requests: Sequence[Request]) -> dict[VersionName, list[Outcome]]:
        varied = replace(self.package_how.perturbation, hash_seed=11, tz="Asia/Tokyo")
        how = replace(self.package_how, perturbation=varied)
        return {
            version: self.runner.observe(package, requests, how) for version, package in self.packages.items()
        }

    def program(self, version: VersionName, source: str) -> Program:
        """Return a flat text of a version as a subject of the same scenarios."""
        package = self.packages[version]
        return Program(source, "program", package.scenarios, package.types)


def is_answer(outcome: Outcome) -> bool:
    """Tell whether an outcome is data, or a hang, rather than a failure to look."""
    return isinstance(outcome, Observed | Hung)
