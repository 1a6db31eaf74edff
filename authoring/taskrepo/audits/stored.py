"""The contracts of a workspace as their files are now, read for an audit before anything runs."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from authoring.model.capture import Capture
from authoring.model.contract import Contract
from authoring.model.errors import NothingJudgedError, UsageError
from authoring.scenario.compiles import compiles
from authoring.system.files import read_text_limited, read_tree
from authoring.system.workspace import Workspace
from authoring.taskrepo.contracts_of import contracts_of
from authoring.taskrepo.read import read_tasks, variant_of
from authoring.taskrepo.stages.separate import REPAIRED
from authoring.taskrepo.stages.source import read_capture
from authoring.variants.material import VariantTask

__all__ = ["StoredContract", "stored_contracts"]

_TEXT_CAP = 16 << 20
_FOLDERS = ("contracts", "hidden", "public/tasks")


@dataclass(frozen=True, slots=True)
class StoredContract:
    """One contract with everything that an audit needs of it."""

    contract: Contract
    """As contract.toml has it, under base names."""
    capture: Capture
    tasks: tuple[VariantTask, ...]
    """Every variant, ``base`` first."""
    domain: str
    """The text of domain.py."""
    repaired: str = ""
    """Where the contract is about one of several faults: the source with every fault repaired."""

    @property
    def id(self) -> str:
        """The contract's id."""
        return self.contract.id

    @property
    def base(self) -> VariantTask:
        """The variant under base names."""
        return self.tasks[0]


def stored_contracts(
    workspace: Workspace, ids: Sequence[str]
) -> tuple[tuple[StoredContract, ...], tuple[str, ...]]:
    """Return the contracts of these ids, or all, and the ids among all that have no checks yet; both sorted.

    The id of an incident of several contracts stands for these. Raises :class:`UsageError` TSK007 (no such
    contract), CTR020, TSK006, TSK012 and WSP011 (a file of it that cannot be read, which is named), and
    :class:`NothingJudgedError` TSK013 where there is nothing to audit.
    """
    names = _names(workspace)
    for unknown in sorted(set(ids) - names):
        near = get_close_matches(unknown, names, n=1)
        hint = f"Do you mean {near[0]}?" if near else "`authoring status` lists the contracts."
        raise UsageError("TSK007", f"There is no contract {ascii(unknown)[:90]}.", hint)
    separated = {name: contracts_of(workspace, name) for name in sorted(set(ids) or names)}
    wanted = sorted({one for name, contracts in separated.items() for one in contracts or (name,)})
    bare = tuple(name for name in wanted if not _has_tasks(workspace, name))
    if len(bare) == len(wanted) or (ids and bare):
        raise _nothing(bare[0] if ids else "")
    found = tuple(_read(workspace, name) for name in wanted if name not in bare)
    return found, bare


def _nothing(name: str) -> NothingJudgedError:
    if name:
        message = f"The contract {name} has no checks yet."
        return NothingJudgedError("TSK013", message, f"Run: authoring commit {name}")
    return NothingJudgedError(
        "TSK013", "The workspace has no contract with checks to audit.", "Make one with `authoring new`."
    )


def _names(workspace: Workspace) -> set[str]:
    return {
        path.name
        for folder in _FOLDERS
        if workspace.path(folder).is_dir()
        for path in workspace.path(folder).iterdir()
        if path.is_dir() and any(path.iterdir())
    }


def _has_tasks(workspace: Workspace, name: str) -> bool:
    return workspace.path("hidden", name).is_dir() or workspace.path("public", "tasks", name).is_dir()


def _read(workspace: Workspace, name: str) -> StoredContract:
    place = workspace.path("contracts", name)
    contract = _contract(place / "contract.toml", name)
    capture = read_capture(workspace.path("incidents", contract.incident, "capture.json"))
    domain, repaired = place / "domain.py", place / REPAIRED
    return StoredContract(
        contract,
        capture,
        _tasks(workspace, name),
        read_text_limited(domain, _TEXT_CAP),
        read_text_limited(repaired, _TEXT_CAP) if repaired.is_file() else "",
    )


def _contract(path: Path, name: str) -> Contract:
    text = read_text_limited(path, _TEXT_CAP)
    try:
        contract = Contract.model_validate(tomllib.loads(text), strict=False)
        if contract.id != name:
            raise ValueError(f"it says that it is {ascii(contract.id)[:90]}")
    except ValueError as error:
        raise UsageError(
            "CTR020",
            f"{path} cannot be read: {str(error).splitlines()[0]}.",
            "Mend it, or restore it from the history.",
        ) from error
    return contract


def _tasks(workspace: Workspace, name: str) -> tuple[VariantTask, ...]:
    """Return the variants as their folders hold them, ``base`` first."""
    hidden = _below(workspace.path("hidden", name), f"hidden/{name}")
    public = _below(workspace.path("public", "tasks", name), f"tasks/{name}")
    tasks = {task.spec.id: task for task in map(variant_of, read_tasks(hidden, public))}
    folders = {path.split("/")[2] for path in hidden} | {"base"}
    for lacking in sorted(folders - tasks.keys()):
        raise _malformed(f"{name}/{lacking}", "its task.json is missing")
    for task in tasks.values():
        _check_programs(task)
    return tuple(
        tasks[variant] for variant in sorted(tasks, key=lambda variant: (variant != "base", variant))
    )


def _below(folder: Path, prefix: str) -> dict[str, bytes]:
    files = read_tree(folder) if folder.is_dir() else {}
    return {f"{prefix}/{path}": data for path, data in files.items()}


def _check_programs(task: VariantTask) -> None:
    texts = {
        "program.py": task.program,
        "reference.py": task.reference,
        "hard_negative.py": task.hard_negative,
        "scenarios.py": task.scenarios,
    }
    for name, text in texts.items():
        if not compiles(text):
            raise _malformed(task.id, f"{name} is no Python")
    asked = {check.scenario for check in (*task.public.checks, *task.hidden.checks)}
    asked |= {pool.scenario for pool in task.hidden.pools}
    for unknown in sorted(asked - {spec.id for spec in task.contract.scenarios}):
        raise _malformed(task.id, f"it has no scenario {ascii(unknown)[:60]}")


def _malformed(identity: str, reason: str) -> UsageError:
    message = f"The task {identity} is malformed: {reason}."
    return UsageError("TSK006", message, "Restore it from the history.")
