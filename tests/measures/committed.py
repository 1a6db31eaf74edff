"""Committed contracts of a workspace with the real releases behind them, ready to be measured."""

from dataclasses import dataclass, replace

from authoring.incident.obtain import Trees, obtain
from authoring.model.observation import Compare
from authoring.model.variants import VersionName
from authoring.model.wire import Wire
from authoring.taskrepo.audits import StoredContract
from authoring.taskrepo.stages.carving import Inside
from authoring.taskrepo.stages.reduction_inputs import VERSION_OF_SIDE, Releases
from authoring.taskrepo.stages.source import stored_source
from authoring.taskrepo.stages.stored import inside_of
from authoring.taskrepo.stages.work import Work
from authoring.variants.material import observed_types

__all__ = ["Committed", "committed"]


@dataclass(frozen=True, slots=True)
class Committed:
    """One committed contract."""

    stored: StoredContract
    trees: Trees
    releases: Releases
    """Bound through the contract's own original.py."""
    inside: Inside | None
    """The entry inside the package at which the programs are observed; None: the package's own interface."""

    @property
    def id(self) -> str:
        """The contract's id."""
        return self.stored.id

    @property
    def programs(self) -> dict[VersionName, str]:
        """The programs that have a release of their own, by version.

        Of a contract about one of several faults the program with every fault repaired stands for the fixed release,
        and the attempt, which may be cut, for none.
        """
        base, repaired = self.stored.base, self.stored.repaired
        programs: dict[VersionName, str] = {
            "broken": base.program,
            **({} if repaired else {"hard_negative": base.hard_negative}),
            "reference": repaired or base.reference,
        }
        return {version: programs[version] for version in self.releases.packages if version in programs}

    @property
    def compares(self) -> dict[str, Compare]:
        """How the observations of each scenario are compared."""
        return {spec.id: spec.compare for spec in self.stored.contract.scenarios}

    @property
    def seen(self) -> dict[str, list[Wire]]:
        """What was lifted, by the scenario of the package's interface: the SEEN of domain.py."""
        found: dict[str, list[Wire]] = {}
        for check in self.stored.capture.checks:
            if check.scenario:
                found.setdefault(check.scenario, []).append(check.params)
        return found


def committed(work: Work, stored: StoredContract) -> Committed:
    """Bind the releases of a stored contract; obtains what is not in the workspace's cache."""
    source = stored_source(work, stored.contract.incident)
    trees = obtain(source.incident, source.folder, work.cache, stored.capture.python)
    sides = {VERSION_OF_SIDE[side]: tree.path for side, tree in trees.sides.items()}
    original = work.workspace.path("contracts", stored.id, "original.py").read_text(encoding="utf-8")
    scenarios = stored.base.scenarios
    releases = Releases.of(work.runner, stored.capture, sides, trees.dependencies, scenarios, original)
    types = observed_types(stored.contract)
    packages = {version: replace(package, types=types) for version, package in releases.packages.items()}
    reduced = work.journal.get("reduce", stored.contract.incident)
    inside = inside_of(reduced["result"].get("inside")) if reduced else None
    return Committed(stored, trees, replace(releases, packages=packages), inside)
