"""What is where: contracts by what the repositories have committed of them, and one contract in detail."""

from collections.abc import Sequence
from dataclasses import dataclass

from authoring.model.errors import UsageError
from authoring.system import git
from authoring.system.lock import is_locked
from authoring.system.workspace import Workspace
from authoring.taskrepo.contracts_of import contracts_of
from authoring.taskrepo.intent import is_pending
from authoring.taskrepo.read import StoredTask, read_tasks

__all__ = ["ContractState", "VariantState", "WorkspaceStatus", "show", "status"]

_FOLDERS = ("incidents", "contracts", "hidden")


@dataclass(frozen=True, slots=True)
class VariantState:
    """One variant as committed."""

    id: str
    tier: str
    public_checks: int
    hidden_checks: int
    folder: str
    """Path of its task folder, relative to the workspace."""


@dataclass(frozen=True, slots=True)
class ContractState:
    """One contract, or an incident that has none yet."""

    id: str
    incident: str
    """From its commit's trailer; empty before the first commit."""
    stage: str
    """``committed``, ``separated`` (an incident of several contracts, each of which has its own stage), or the last
    folder that its stages have written: ``incidents``, ``contracts``, ``hidden``.
    """
    mechanism: str
    contracts: tuple[str, ...]
    """Ids of the contracts that the incident of this id was separated into; none where it is one contract."""
    variants: tuple[VariantState, ...]
    private_commit: str
    public_commit: str
    uncommitted: tuple[str, ...]
    """Files of its folders that differ from the private commit or are not in it, sorted."""


@dataclass(frozen=True, slots=True)
class WorkspaceStatus:
    """A workspace at a glance."""

    root: str
    contracts: tuple[ContractState, ...]
    releases: tuple[str, ...]
    """Names of the private repository's annotated tags, sorted."""
    has_key: bool
    running: bool
    """Whether a run holds the lock."""
    interrupted: bool
    """Whether a commit was begun and not finished; the next command that writes finishes it."""
    changed: tuple[str, ...]
    """Committed files that the working folders hold otherwise, relative to the workspace."""


def status(workspace: Workspace) -> WorkspaceStatus:
    """Return what the workspace holds; nothing is written."""
    tasks = _tasks(workspace)
    dirty = git.dirty_paths(workspace.root)
    has_public = git.is_repository(workspace.public)
    public = [f"public/{path}" for path in git.dirty_paths(workspace.public)] if has_public else []
    changed = [*dirty, *git.untracked_paths(workspace.root)]
    names = sorted(_names(workspace) | {stored.task.contract for stored in tasks})
    return WorkspaceStatus(
        root=str(workspace.root),
        contracts=tuple(_contract(workspace, name, tasks, changed) for name in names),
        releases=tuple(tag.name for tag in git.list_tags(workspace.root)),
        has_key=workspace.has_key,
        running=is_locked(workspace.root),
        interrupted=is_pending(workspace),
        changed=tuple(sorted([*dirty, *public])),
    )


def show(workspace: Workspace, identity: str) -> ContractState:
    """Return one contract; raise :class:`UsageError` TSK007 for an id that is nowhere."""
    tasks = _tasks(workspace)
    known = _names(workspace) | {stored.task.contract for stored in tasks}
    if identity not in known:
        raise UsageError("TSK007", f"There is no contract {ascii(identity)[:90]}.", "Run: authoring status")
    changed = [*git.dirty_paths(workspace.root), *git.untracked_paths(workspace.root)]
    return _contract(workspace, identity, tasks, changed)


def _tasks(workspace: Workspace) -> list[StoredTask]:
    public = workspace.public
    public_files = git.read_files(public, git.head(public), "tasks/") if git.is_repository(public) else {}
    return read_tasks(git.read_files(workspace.root, git.head(workspace.root), "hidden/"), public_files)


def _names(workspace: Workspace) -> set[str]:
    """Return the ids that have a folder in the working folder."""
    return {
        path.name
        for folder in _FOLDERS
        if workspace.path(folder).is_dir()
        for path in workspace.path(folder).iterdir()
        if path.is_dir() and any(path.iterdir())
    }


def _contract(
    workspace: Workspace, name: str, tasks: Sequence[StoredTask], changed: Sequence[str]
) -> ContractState:
    own = [stored for stored in tasks if stored.task.contract == name]
    separated = contracts_of(workspace, name)
    written = [folder for folder in _FOLDERS if workspace.path(folder, name).is_dir()]
    uncommitted = [path for path in changed if path.startswith(tuple(f"{each}/{name}/" for each in _FOLDERS))]
    private = git.history(workspace.root, below=f"hidden/{name}")
    public = (
        git.history(workspace.public, below=f"tasks/{name}") if git.is_repository(workspace.public) else []
    )
    return ContractState(
        id=name,
        incident=_trailer(private[0].message, "Incident") if private else "",
        stage="committed" if own else "separated" if separated else written[-1] if written else "",
        mechanism=own[0].task.mechanism if own else "",
        contracts=separated,
        variants=tuple(_variant(stored) for stored in own),
        private_commit=private[0].id if private else "",
        public_commit=public[0].id if public else "",
        uncommitted=tuple(sorted(uncommitted)),
    )


def _variant(stored: StoredTask) -> VariantState:
    inside = f"public/tasks/{stored.task.id}" if stored.tier == "public" else f"hidden/{stored.task.id}/task"
    return VariantState(
        stored.task.id.partition("/")[2],
        stored.tier,
        stored.task.checks.public,
        stored.task.checks.hidden,
        inside,
    )


def _trailer(message: str, name: str) -> str:
    lines = [line for line in message.splitlines() if line.startswith(f"{name}: ")]
    return lines[-1].removeprefix(f"{name}: ") if lines else ""
