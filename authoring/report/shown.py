"""All that a reviewer wants to see of one contract, read from the workspace's files."""

import tomllib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from authoring.model.alternatives import Alternatives
from authoring.model.contract import Contract
from authoring.model.errors import UsageError
from authoring.model.task import Checks, HiddenChecks
from authoring.system import git
from authoring.system.files import read_limited, read_text_limited
from authoring.system.journal import Journal
from authoring.system.workspace import Workspace
from authoring.taskrepo.stages.alternatives_file import read_alternatives
from authoring.taskrepo.stages.cuts_file import read_cuts
from authoring.taskrepo.stages.reduction_file import phase_cpu_s, read_reduction
from authoring.taskrepo.status import ContractState, show

__all__ = ["Shown", "look_at"]

_CAP = 16 << 20
_VERSIONS = ("broken", "hard_negative", "reference")


@dataclass(frozen=True, slots=True)
class Shown:
    """One contract with its texts; everything that is not there yet is empty."""

    state: ContractState
    contract: dict[str, Any]
    """contract.toml as data, without the texts of its notices."""
    programs: dict[str, str]
    """Source of the base by version."""
    checks: dict[str, tuple[dict[str, Any], ...]]
    """By tier: id, name, rules, parameters, expectation and cost, where it has one, of the base's checks."""
    later_releases: tuple[dict[str, Any], ...]
    """What came of the later releases of its package, as alternatives.json has it."""
    relaxed: tuple[tuple[str, str], ...]
    """Scenario, and what of its comparison is more tolerant since a later release disputed it."""
    dropped: int
    """Inputs that were left out since a later release disputed them."""
    cuts: dict[str, Any]
    """What was cut off the domain and what could be, as cuts.json has it."""
    reduction: dict[str, Any]
    """How the reduction went, as reduction.json has it."""
    phase_cpu_s: dict[str, float]
    """Seconds of CPU by phase of the reduction, where this workspace made it; a fact of its machine."""
    evidence: tuple[str, ...]
    """The evidence trailer of the contract's commit."""
    tags: tuple[str, ...]
    """Annotated tags of the private repository whose commit holds the contract."""

    def data(self) -> dict[str, Any]:
        """Return it as JSON data; the hidden tier is private, and so is who reads it."""
        return {
            **asdict(self.state),
            "contract": self.contract,
            "programs": self.programs,
            "checks": {tier: list(checks) for tier, checks in self.checks.items()},
            "later_releases": list(self.later_releases),
            "relaxed": [list(each) for each in self.relaxed],
            "dropped": self.dropped,
            "cuts": self.cuts,
            "reduction": self.reduction,
            "phase_cpu_s": self.phase_cpu_s,
            "evidence": list(self.evidence),
            "tags": list(self.tags),
        }


def look_at(folder: Path, identity: str) -> Shown:
    """Return a contract as the workspace holds it; raise :class:`UsageError` TSK007 for an unknown id."""
    workspace = Workspace.open(folder)
    state = show(workspace, identity)
    place = workspace.path("contracts", identity)
    later = _later(place / "alternatives.json")
    return Shown(
        state,
        _contract(place / "contract.toml"),
        {
            version: read_text_limited(place / "program" / f"{version}.py", _CAP)
            for version in _VERSIONS
            if (place / "program" / f"{version}.py").is_file()
        },
        _checks(workspace, identity),
        () if later is None else tuple(each.model_dump(mode="json") for each in later.releases),
        () if later is None else later.relaxed,
        0 if later is None else later.dropped,
        _cuts(place / "cuts.json"),
        _reduction(place / "reduction.json"),
        _phase_cpu_s(workspace, identity),
        _evidence(workspace, state),
        _tags(workspace, state),
    )


def _contract(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        data = tomllib.loads(read_text_limited(path, _CAP))
        Contract.model_validate(data, strict=False)
    except ValueError as error:
        raise UsageError(
            "CTR020",
            f"{path} cannot be read: {str(error).splitlines()[0]}.",
            "Mend it, or delete it to have it drafted anew.",
        ) from error
    data["origin"].pop("notices", None)
    return data


def _later(path: Path) -> Alternatives | None:
    return read_alternatives(path) if path.is_file() else None


def _cuts(path: Path) -> dict[str, Any]:
    return read_cuts(path).model_dump(mode="json") if path.is_file() else {}


def _reduction(path: Path) -> dict[str, Any]:
    return read_reduction(path).model_dump(mode="json") if path.is_file() else {}


def _phase_cpu_s(workspace: Workspace, identity: str) -> dict[str, float]:
    """Return what the journal knows of the phases' cost; a clone knows nothing."""
    path = workspace.path(".authoring", "journal.sqlite")
    if not path.is_file():
        return {}
    with Journal(path) as journal:
        known = journal.get("reduce", identity)
    return {} if known is None else phase_cpu_s(known["result"]["report"])


def _checks(workspace: Workspace, identity: str) -> dict[str, tuple[dict[str, Any], ...]]:
    found: dict[str, tuple[dict[str, Any], ...]] = {}
    public = workspace.path("public", "tasks", identity, "base", "checks.json")
    hidden = workspace.path("hidden", identity, "base", "hidden_checks.json")
    if public.is_file():
        found["public"] = _rows(public, Checks)
    if hidden.is_file():
        found["hidden"] = _rows(hidden, HiddenChecks)
    return found


def _rows(path: Path, kind: type[Checks]) -> tuple[dict[str, Any], ...]:
    try:
        checks = kind.from_json(read_limited(path, _CAP))
    except ValueError as error:
        raise UsageError("TSK006", f"{path} is malformed.", "Restore it from the history.") from error
    return tuple(
        {
            "id": check.id,
            "name": check.name,
            "rules": list(check.rules),
            "params": check.params,
            "expect": list(check.expect),
            **({} if check.cost is None else {"cost": check.cost.model_dump()}),
        }
        for check in checks.checks
    )


def _evidence(workspace: Workspace, state: ContractState) -> tuple[str, ...]:
    if not state.private_commit:
        return ()
    newest = git.history(workspace.root, below=f"hidden/{state.id}")[0]
    return tuple(
        line.removeprefix("Evidence: ")
        for line in newest.message.splitlines()
        if line.startswith("Evidence: ")
    )


def _tags(workspace: Workspace, state: ContractState) -> tuple[str, ...]:
    if not state.private_commit:
        return ()
    return tuple(
        tag.name
        for tag in git.list_tags(workspace.root)
        if any(commit.id == state.private_commit for commit in git.history(workspace.root, tag.commit))
    )
