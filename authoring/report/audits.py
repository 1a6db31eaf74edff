"""Audits of a workspace's contracts, as data for one answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from authoring.model.progress import Progress
from authoring.system.configuration import load
from authoring.system.workspace import Workspace
from authoring.taskrepo.audits import audit_flaky, audit_weak, stored_contracts
from authoring.taskrepo.stages.opened import opened

__all__ = ["Audit", "flaky", "flaky_plan", "weak"]


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit found, contract by contract."""

    contracts: tuple[dict[str, Any], ...]
    """JSON data of each, sorted by id."""
    skipped: tuple[str, ...]
    """Ids of contracts that have no checks yet."""


def weak(folder: Path, ids: Sequence[str], progress: Progress) -> Audit:
    """Look for weak rules and checks of these contracts, or of all.

    Raises what opening the workspace and reading the contracts raise, and CannotJudgeError where something cannot be
    judged. Every contract's files are read before anything runs.
    """
    with opened(folder, progress) as work:
        found, skipped = stored_contracts(work.workspace, ids)
        return Audit(tuple(audit_weak(work, stored) for stored in found), skipped)


def flaky(folder: Path, ids: Sequence[str], repeats: int | None, progress: Progress) -> Audit:
    """Repeat the programs of these contracts, or of all; ``repeats`` is the setting's unless it is given.

    Raises as :func:`weak` does.
    """
    with opened(folder, progress, {"budget.flaky_repeats": repeats}) as work:
        found, skipped = stored_contracts(work.workspace, ids)
        times = work.settings.budget.flaky_repeats
        return Audit(tuple(audit_flaky(work, stored, times) for stored in found), skipped)


def flaky_plan(folder: Path, ids: Sequence[str], repeats: int | None) -> dict[str, Any]:
    """Return what :func:`flaky` would run, without running or writing anything."""
    workspace = Workspace.open(folder)
    found, _ = stored_contracts(workspace, ids)
    times = load(workspace.root, {"budget.flaky_repeats": repeats}).values.budget.flaky_repeats
    programs = sum(2 + bool(task.hard_negative) for stored in found for task in stored.tasks)
    return {
        "contracts": [stored.id for stored in found],
        "repeats": times,
        "runs": programs * times,
        "writes": ["evidence/"],
    }
