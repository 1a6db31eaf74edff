"""Open a workspace for work: locked, with a clean start, a sound machine and an identity."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from authoring.execution import BoxRunner
from authoring.execution.doctor import require_sound
from authoring.model.progress import Progress
from authoring.system import git
from authoring.system.configuration import load
from authoring.system.journal import Journal
from authoring.system.lock import workspace_lock
from authoring.system.workspace import Workspace
from authoring.taskrepo.intent import finish
from authoring.taskrepo.stages.work import Work

__all__ = ["opened"]


_SERVERS = 24
"""Warm servers that stay up: the next task of an incident finds those of every perturbation of the last."""


@contextmanager
def opened(folder: Path, progress: Progress, overrides: Mapping[str, Any] | None = None) -> Iterator[Work]:
    """Open the workspace at ``folder`` for stages that run code; what an earlier run left half done is finished first.

    Raises what opening, locking and the settings raise (WSP…), and EXE… where the machine cannot isolate.
    """
    workspace = Workspace.open(folder)
    git.identity(workspace.root)
    settings = load(workspace.root, overrides).values
    with (
        workspace_lock(workspace.root),
        Journal(workspace.path(".authoring", "journal.sqlite")) as journal,
        BoxRunner(workspace.cache / "driver", servers=_SERVERS) as runner,
    ):
        finish(workspace)
        require_sound(runner)
        yield Work(workspace, settings, runner, progress, journal)
