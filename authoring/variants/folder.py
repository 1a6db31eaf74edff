"""Lay out a variant as files: the task folder that is handed out, and the hidden folder that is not
(DESIGN.md 5.1).
"""

from collections.abc import Mapping

from authoring.model.digest import sha256_hex
from authoring.model.task import CheckCounts, Task, TaskEnvironment, TaskLimits
from authoring.variants.material import VariantTask

__all__ = ["difficulty_of", "hidden_files", "task_document", "task_files"]


def task_files(task: VariantTask, run_checks: str, limits: TaskLimits | None = None) -> dict[str, bytes]:
    """Return the task folder by file name; ``run_checks`` is the fixed text of run_checks.py."""
    files = _shown(task, run_checks)
    return {**files, "task.json": task_document(task, run_checks, limits).to_json()}


def _shown(task: VariantTask, run_checks: str) -> dict[str, bytes]:
    texts = {
        "prompt.md": task.prompt,
        "program.py": task.program,
        "scenarios.py": task.scenarios,
        "run_checks.py": run_checks,
    }
    if task.hard_negative:
        texts["hard_negative.py"] = task.hard_negative
    files = {name: text.encode() for name, text in texts.items()}
    return {**files, "checks.json": task.public.to_json()}


def task_document(task: VariantTask, run_checks: str, limits: TaskLimits | None = None) -> Task:
    """Return task.json of a variant."""
    contract = task.contract
    return Task(
        id=task.id,
        contract=contract.id,
        mechanism=contract.mechanism,
        group=contract.group,
        category=contract.category,
        difficulty=difficulty_of(len(task.public.checks)),
        entry=contract.entry,
        raises=contract.raises,
        types=contract.types,
        compare={spec.id: spec for spec in contract.scenarios},
        environment=TaskEnvironment(
            python=contract.environment.python,
            dependencies=contract.environment.dependencies,
            limits=limits or TaskLimits(),
        ),
        files={name: sha256_hex(data) for name, data in sorted(_shown(task, run_checks).items())},
        checks=CheckCounts(public=len(task.public.checks), hidden=len(task.hidden.checks)),
        origin=contract.origin,
        licence=contract.origin.licence,
    )


def hidden_files(task: VariantTask, run_checks: str, limits: TaskLimits | None = None) -> Mapping[str, bytes]:
    """Return the hidden folder by path: hidden checks, reference, and for hidden variants the task folder
    too.
    """
    files = {"hidden_checks.json": task.hidden.to_json(), "reference.py": task.reference.encode()}
    if task.spec.tier == "hidden":
        shown = task_files(task, run_checks, limits)
        files.update({f"task/{name}": data for name, data in shown.items()})
    return files


def difficulty_of(public_checks: int) -> str:
    """Return the class of difficulty by the number of public checks."""
    return next(
        (f"{low}-{high}" for low, high in ((1, 5), (6, 10), (11, 20)) if public_checks <= high), "21+"
    )
