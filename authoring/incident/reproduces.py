"""Tell whether the reproducer passes on a release that is no side of its incident."""

from collections.abc import Sequence
from pathlib import Path

from authoring.incident.patterns import PERTURBATIONS, failure_words, is_of_another_kind, script_limits
from authoring.model.capture import Capture
from authoring.model.execution import How, Runner, ScriptRun

__all__ = ["failure_on"]

_CHECK_CPU_S = 10.0


def failure_on(
    tree: Path, capture: Capture, runner: Runner, dependencies: Sequence[Path]
) -> tuple[str, bool]:
    """Return in words which of the captured checks fails first on a release, empty where all pass, and whether it
    fails before it reaches the behaviour: the release does not import, or lacks a name that the reproducer uses.

    Every check runs alone, then all of them again under another hash seed, time zone and locale; the first failure
    ends it.
    """
    for perturbation in PERTURBATIONS[:2]:
        how = How(
            limits=script_limits(_CHECK_CPU_S),
            python=capture.python,
            dependencies=tuple(dependencies),
            perturbation=perturbation,
        )
        for check in capture.checks:
            run = runner.script(tree, check.script, how)
            if run.verdict != "pass":
                return f"{check.id}: {_words(run)}", is_of_another_kind(run)
    return "", False


def _words(run: ScriptRun) -> str:
    if run.failure is not None and is_of_another_kind(run):
        return (
            f"{run.failure.type}: {run.failure.message.splitlines()[0][:100] if run.failure.message else ''}"
        )
    return failure_words(run)
