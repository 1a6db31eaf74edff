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
_LEAST_CPU_S = 1.5
_SLOWER = 4.0
_PATIENCE = 3.0


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
    return Limits(call_cpu_s=cpu_s, run_s=max(20.0, 12 * cpu_s), cpu_s=int(cpu_s) + 5, processes=25)


@dataclass(frozen=True, slots=True)
class _Bench:
    """What scripts are run with."""

    runner: Runner
    how: How
    progress: Progress
    budgets: dict[str, float]
    """CPU seconds for each check's script."""

    def run(self, tree: Path, case: LiftedCase, perturbation: Perturbation = PERTURBATIONS[0]) -> ScriptRun:
        """Return one run; one whose process died, or that does not end, counts only with more time too."""
        budget = self.budgets.get(case.id, _FIRST_CPU_S)
        how = replace(self.how, limits=script_limits(budget), perturbation=perturbation)
        run = self.runner.script(tree, case.script, how)
        if run.verdict not in ("died", "hung"):
            return run
        return self.runner.script(tree, case.script, replace(how, limits=script_limits(_PATIENCE * budget)))

    def run_all(self, tree: Path, scripts: Sequence[tuple[str, bool]], perturbation: Perturbation) -> bool:
        """Return whether scripts, one after the other in one process, pass and fail as they are said to."""
        limits = script_limits(sum(self.budgets.values()) or _LEAST_CPU_S)
        how = replace(self.how, limits=limits, perturbation=perturbation)
        return self.runner.script(tree, _together(scripts), how).verdict == "pass"


def judge_all(
    trees: Mapping[Side, Path],
    checks: Sequence[LiftedCase],
    runner: Runner,
    how: How,
    progress: Progress,
) -> dict[Side, Verdicts]:
    """Return the verdicts of every check on every side, the fixed one first.

    The time that a check takes on the fixed side bounds it on the others; where one does not end there, nothing else
    is asked. Raises :class:`RefusedError` INC023 where a repeat says something else.
    """
    sides: list[Side] = ["fixed", *(side for side in _OTHERS if side in trees)]
    progress.phase("running the reproducer's checks", len(sides) * (len(checks) + 2))
    bench = _Bench(runner, how, progress, {})
    found: dict[Side, Verdicts] = {}
    for side in sides:
        runs: dict[str, ScriptRun] = {}
        for case in checks:
            started = time.monotonic()
            runs[case.id] = bench.run(trees[side], case)
            if side == "fixed":
                bench.budgets[case.id] = max(_LEAST_CPU_S, _SLOWER * (time.monotonic() - started))
            progress.step(f"{side} {case.id}")
        found[side] = Verdicts(side, runs)
        if side == "fixed" and any(run.verdict == "hung" for run in runs.values()):
            return found
    for side in sides:
        _repeat(trees[side], checks, found[side], bench)
    return found


_OTHERS: tuple[Side, ...] = ("broken", "attempt")


def _repeat(tree: Path, checks: Sequence[LiftedCase], first: Verdicts, bench: _Bench) -> None:
    """Run the checks again under every perturbation: all in one process first, each alone where that differs."""
    again = [case for case in checks if first.runs[case.id].verdict != "hung"]
    for perturbation in PERTURBATIONS[1:]:
        order = again if perturbation.order % 2 else again[::-1]
        bench.progress.step(f"{first.side}, all checks again")
        if bench.run_all(tree, [(case.script, first.passes(case.id)) for case in order], perturbation):
            continue
        for case in again:
            bench.progress.step(f"{first.side} {case.id} again")
            run = bench.run(tree, case, perturbation)
            if (run.verdict == "pass") != first.passes(case.id):
                raise _flaky(first, case, run, perturbation)


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


def _flaky(first: Verdicts, case: LiftedCase, other: ScriptRun, perturbation: Perturbation) -> RefusedError:
    circumstances = f"hash seed {perturbation.hash_seed}, time zone {perturbation.tz}"
    said = f"{first.runs[case.id].verdict} and then {other.verdict}"
    message = f"The check {case.id} gives {said} on the {first.side} side ({circumstances})."
    hint = "Remove what depends on chance, on the clock or on order from this check."
    return RefusedError("INC023", message, hint, stage="capture", proof=case.script)


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
