"""`audit flaky` on contracts of a workspace: every run is evidence, so that an interrupted audit goes on."""

from dataclasses import asdict
from typing import Any

from authoring.model.digest import value_digest
from authoring.taskrepo.audits.stored import StoredContract
from authoring.taskrepo.commit import RUN_CHECKS
from authoring.taskrepo.dependencies import pinned_folders
from authoring.taskrepo.stages.contract import how_of
from authoring.taskrepo.stages.work import Work
from authoring.validation.flaky import Repeated, repeat_programs
from authoring.validation.laboratory import make_laboratory

__all__ = ["audit_flaky"]


def audit_flaky(work: Work, stored: StoredContract, times: int) -> dict[str, Any]:
    """Return what ``times`` runs of every program of every variant showed, as JSON data.

    Raises CannotJudgeError: WSP003 without the workspace's key, EXE… without the task's interpreter, and what
    obtaining the dependencies raises.
    """
    dependencies = pinned_folders(stored.contract.environment, work.cache)
    how = how_of(stored.capture, dependencies)
    workspace = work.workspace
    laboratory = make_laboratory(work.runner, how, workspace.key, workspace.path("evidence"), RUN_CHECKS)
    work.progress.phase(stored.id)
    found = repeat_programs(stored.tasks, laboratory.judge, times, stored.capture.python, work.progress)
    return {
        "id": stored.id,
        "repeats": times,
        "flakes": sum(len(each.flakes) for each in found),
        "bound": max(each.bound for each in found),
        "programs": [_data(each) for each in found],
    }


def _data(repeated: Repeated) -> dict[str, Any]:
    return {
        "task": repeated.task,
        "program": repeated.program,
        "runs": repeated.runs,
        "flakes": [
            {"perturbation": asdict(flake.perturbation), "changed": list(flake.changed)}
            for flake in repeated.flakes
        ],
        "bound": repeated.bound,
        "evidence": value_digest(list(repeated.keys)),
    }
