"""Run every lifted check alone on every tree, repeated, and say which pass."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from authoring.model.errors import RefusedError
from authoring.model.execution import How, Limits, Perturbation, Runner, ScriptFailure, ScriptRun
from authoring.model.incident import Side
from authoring.model.progress import Progress
from authoring.scenario.lifting import LiftedCase

__all__ = ["PERTURBATIONS", "Verdicts", "failure_words", "is_of_another_kind", "judge_all", "script_limits"]

PERTURBATIONS = (
    Perturbation(),
    Perturbation(hash_seed=1, tz="Pacific/Kiritimati", locale="C", order=1),
    Perturbation(hash_seed=20_011, tz="America/St_Johns", locale="C.UTF-8", order=2),
)
"""The first run, and two more under another hash seed, time zone, locale and order."""

_FIRST_CPU_S = 20.0
_LEAST_CPU_S = 3.0
_SLOWER = 10.0


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What each check's script said on one side."""

    side: Side
    runs: Mapping[str, ScriptRun]

    def bits(self, checks: Sequence[LiftedCase]) -> str:
        """Return pass (1) and fail (0) over the checks, in their order."""
        return "".join("1" if self.runs[case.id].verdict == "pass" else "0" for case in checks)

    def passes(self, check: str) -> bool:
        """Return whether a check passes."""
        return self.runs[check].verdict == "pass"


def script_limits(cpu_s: float) -> Limits:
    """Return limits for a script: it imports the package and sets up before it checks anything."""
    return Limits(call_cpu_s=cpu_s, run_s=max(10.0, 4 * cpu_s), cpu_s=int(cpu_s) + 5, processes=25)


def judge_all(
    trees: Mapping[Side, Path],
    checks: Sequence[LiftedCase],
    runner: Runner,
    how: How,
    progress: Progress,
) -> dict[Side, Verdicts]:
    """Return the verdicts of every check on every side, the fixed one first.

    The time that a check takes on the fixed side bounds it on the others. Raises :class:`RefusedError` INC023 where
    a repeat says something else.
    """
    sides: list[Side] = ["fixed", *(side for side in ("broken", "attempt") if side in trees)]
    progress.phase("running the reproducer's checks", len(sides) * (len(checks) + 2))
    budgets: dict[str, float] = {}
    found: dict[Side, Verdicts] = {}
    for side in sides:
        runs: dict[str, ScriptRun] = {}
        for case in checks:
            started = time.monotonic()
            limits = script_limits(budgets.get(case.id, _FIRST_CPU_S))
            runs[case.id] = _run(trees[side], case.script, runner, how, limits)
            if side == "fixed":
                budgets[case.id] = max(_LEAST_CPU_S, _SLOWER * (time.monotonic() - started))
            progress.step(f"{side} {case.id}")
        found[side] = Verdicts(side, runs)
    for side in sides:
        _repeat(side, trees[side], checks, found[side], runner, how, budgets, progress)
    return found


def _run(
    tree: Path,
    script: str,
    runner: Runner,
    how: How,
    limits: Limits,
    perturbation: Perturbation = PERTURBATIONS[0],
) -> ScriptRun:
    """Return one run; one that ended by itself or not at all is run again, and the second one counts."""
    how = replace(how, limits=limits, perturbation=perturbation)
    run = runner.script(tree, script, how)
    return runner.script(tree, script, how) if run.verdict in ("died", "hung") else run


def _repeat(
    side: Side,
    tree: Path,
    checks: Sequence[LiftedCase],
    first: Verdicts,
    runner: Runner,
    how: How,
    budgets: Mapping[str, float],
    progress: Progress,
) -> None:
    """Run the checks again under every perturbation: all in one process first, each alone where that differs."""
    again = [case for case in checks if first.runs[case.id].verdict != "hung"]
    limits = script_limits(sum(budgets[case.id] for case in again) or _LEAST_CPU_S)
    for perturbation in PERTURBATIONS[1:]:
        order = again if perturbation.order % 2 else again[::-1]
        script = _together([(case.script, first.passes(case.id)) for case in order])
        progress.step(f"{side}, all checks again")
        together = runner.script(tree, script, replace(how, limits=limits, perturbation=perturbation))
        if together.verdict == "pass":
            continue
        for case in again:
            progress.step(f"{side} {case.id} again")
            run = _run(tree, case.script, runner, how, script_limits(budgets[case.id]), perturbation)
            if (run.verdict == "pass") != first.passes(case.id):
                _refuse_flaky(side, case, first.runs[case.id], run, perturbation)


def _together(scripts: Sequence[tuple[str, bool]]) -> str:
    """Return a script that runs scripts one after the other and fails unless each does as before."""
    return f"""\
for _script, _passes in {list(scripts)!r}:
    try:
        exec(compile(_script, "repro.py", "exec"), globals())
    except BaseException:
        if _passes:
            raise
    else:
        if not _passes:
            raise AssertionError("it passes now")
"""


def _refuse_flaky(
    side: Side, case: LiftedCase, one: ScriptRun, other: ScriptRun, perturbation: Perturbation
) -> None:
    circumstances = f"hash seed {perturbation.hash_seed}, time zone {perturbation.tz}"
    message = f"The check {case.id} gives {one.verdict} and then {other.verdict} on the {side} side ({circumstances})."
    raise RefusedError(
        "INC023",
        message,
        "Remove what depends on chance, on the clock or on order from this check.",
        stage="capture",
        proof=case.script,
    )


def failure_words(run: ScriptRun) -> str:
    """Return a failure's identity: exception type and origin frame, or what became of the process."""
    if run.failure is None:
        return {"hung": "does not end", "died": "the process died"}.get(run.verdict, run.verdict)
    return f"{run.failure.type} in {run.failure.origin_file}:{run.failure.origin_function}"


_MISSING = ("ImportError", "ModuleNotFoundError", "NameError", "SyntaxError", "IndentationError")


def is_of_another_kind(run: ScriptRun) -> bool:
    """Return whether a check failed before it reached the behaviour that it asks about.

    So it is where the package does not import, or where the reproducer names something that the side lacks.
    """
    failure = run.failure
    if failure is None:
        return run.verdict == "died"
    if failure.during_import:
        return True
    if failure.origin_file != "repro.py":
        return False
    return failure.type in _MISSING or _lacks_name(failure)


def _lacks_name(failure: ScriptFailure) -> bool:
    return failure.type == "AttributeError" and failure.message.startswith("module ")
