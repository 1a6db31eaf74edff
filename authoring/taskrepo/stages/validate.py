"""The stage `validate`: fill the matrix of every variant with evidence."""

from collections.abc import Sequence
from pathlib import Path

from authoring.model.capture import Capture
from authoring.taskrepo.commit import RUN_CHECKS
from authoring.taskrepo.stages.contract import how_of
from authoring.taskrepo.stages.work import Work
from authoring.validation.laboratory import make_laboratory
from authoring.validation.validate import LaterRelease, Plan, Validation, validate
from authoring.variants.material import VariantTask

__all__ = ["validate_tasks"]


def validate_tasks(
    work: Work,
    capture: Capture,
    tasks: Sequence[VariantTask],
    dependencies: tuple[Path, ...] = (),
    later: tuple[LaterRelease, ...] = (),
) -> Validation:
    """Return the filled matrix; cells whose evidence exists are not run again.

    ``later`` are releases that ``base`` must accept; ``dependencies`` are bound for them too.
    """
    workspace = work.workspace
    how = how_of(capture, dependencies)
    laboratory = make_laboratory(work.runner, how, workspace.key, workspace.path("evidence"), RUN_CHECKS)
    plan = Plan(times=work.settings.budget.repeats, pythons=(capture.python,), later=later)
    return validate(tasks, laboratory.judge, laboratory.outside, plan, work.progress)
