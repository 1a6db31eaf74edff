"""Verdicts of candidates on one task of a workspace, or on a public task folder that stands alone."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Generic, TypeVar

from authoring.execution import BoxRunner
from authoring.execution.doctor import require_sound
from authoring.model.errors import UsageError
from authoring.model.progress import Progress
from authoring.system.journal import Journal
from authoring.system.workspace import Workspace
from authoring.taskrepo.dependencies import pinned_folders
from authoring.validation.grade import Grader, Item, Options, grade_many, load_material

__all__ = ["Verdicts", "grade_candidates"]

Told = TypeVar("Told")


@dataclass(frozen=True, slots=True)
class Verdicts(Generic[Told]):
    """What is kept of the candidates of one task."""

    task: str
    has_hidden: bool
    """Whether hidden checks were there to be judged."""
    items: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a task lies."""

    folder: Path
    hidden: Path | None
    workspace: Workspace | None


def grade_candidates(
    root: Path,
    task: str,
    candidates: Sequence[Path],
    told: Callable[[Item], Told],
    *,
    python: str,
    workers: int,
    progress: Progress,
) -> Verdicts[Told]:
    """Judge candidates on a task of the workspace in ``root``, or of the task folder that ``task`` names.

    Of each only what ``told`` returns is kept, so that memory does not grow with what was seen of thousands.
    Raises :class:`UsageError` TSK007 where there is no such task, and what reading and judging raise.
    """
    place = _place(root, task)
    material = load_material(place.folder, place.hidden)
    key = place.workspace.key if place.workspace and place.hidden else None
    with ExitStack() as stack:
        cache, journal = _stores(place, stack)
        runner = stack.enter_context(BoxRunner(cache / "driver"))
        progress.phase("proving the sandbox")
        require_sound(runner, python or material.task.environment.python)
        material = replace(material, dependencies=pinned_folders(material.task.environment, cache, python))
        progress.phase("grading", len(candidates))
        items = grade_many(
            Grader(runner, material, key),
            candidates,
            journal,
            Options(python=python),
            workers=workers,
            done=lambda item: progress.step(f"{item.path.name}: {item.graded.verdict}"),
        )
        return Verdicts(material.task.id, material.hidden is not None, tuple(map(told, items)))


def _stores(place: _Place, stack: ExitStack) -> tuple[Path, Journal | None]:
    """Return the cache and the journal: the workspace's, or for a folder that stands alone none that stay."""
    if place.workspace is None:
        return Path(stack.enter_context(TemporaryDirectory(prefix="authoring-"))), None
    journal = stack.enter_context(Journal(place.workspace.path(".authoring", "journal.sqlite")))
    return place.workspace.cache, journal


def _place(root: Path, task: str) -> _Place:
    alone = Path(task)
    if (alone / "task.json").is_file():
        return _Place(alone, None, None)
    workspace = Workspace.open(root)
    tasks = {f"{path.parent.parent.name}/{path.parent.name}": path.parent for path in _task_files(workspace)}
    tasks |= {
        f"{path.parents[2].name}/{path.parents[1].name}": path.parent
        for path in sorted(workspace.root.glob("hidden/*/*/task/task.json"))
    }
    if task not in tasks:
        near = get_close_matches(task, tasks, n=1)
        hint = f"Do you mean {near[0]}?" if near else "`authoring status` lists the tasks."
        raise UsageError("TSK007", f"There is no task {task!a}.", hint)
    hidden = workspace.path("hidden", *task.split("/"))
    return _Place(tasks[task], hidden if (hidden / "hidden_checks.json").is_file() else None, workspace)


def _task_files(workspace: Workspace) -> list[Path]:
    return sorted(workspace.public.glob("tasks/*/*/task.json"))
