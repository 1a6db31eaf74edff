"""`grade TASK CANDIDATE…`: the verdict of candidates on one task."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from authoring.cli.answer import Answer, Trouble
from authoring.cli.frame import add_command
from authoring.cli.screen import Screen
from authoring.cli.session import Session
from authoring.model.errors import ExitCode

if TYPE_CHECKING:
    from authoring.validation.grade import Item

__all__ = ["register"]

Facts = dict[str, Any]
"""What is told of one candidate, as JSON data."""


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    add_command(app, "grade")(grade)


def grade(
    session: Session,
    task: Annotated[
        str, typer.Argument(metavar="TASK", help="A task such as ID/base, or a public task's folder.")
    ],
    candidates: Annotated[
        list[Path],
        typer.Argument(
            metavar="CANDIDATE...", help="A program, a folder laid out like the task, or a patch."
        ),
    ],
    python: Annotated[
        str, typer.Option("--python", metavar="VERSION", help="Another Python than the task's.")
    ] = "",
) -> Answer:
    """Judge candidates by a task's public checks, and by its hidden ones where the workspace has them."""
    from authoring.report.grade import grade_candidates
    from authoring.system.configuration import load

    workers = load(session.workspace).values.workers
    with_checks = session.flags.verbose > 0
    verdicts = grade_candidates(
        session.workspace,
        task,
        candidates,
        lambda item: _facts(item, with_checks),
        python=python,
        workers=workers,
        progress=session.progress,
    )
    failing = sum(facts["verdict"] != "pass" for facts in verdicts.items)
    ours = sum(facts["verdict"] == "grader-fault" for facts in verdicts.items)
    return Answer(
        data={"task": verdicts.task, "hidden": verdicts.has_hidden, "candidates": list(verdicts.items)},
        human=lambda screen: _draw(screen, verdicts.items),
        status="cannot-judge" if ours else "refused" if failing else "done",
        exit_code=ExitCode.CANNOT_JUDGE if ours else ExitCode.WANTING if failing else ExitCode.DONE,
        warnings=() if verdicts.has_hidden else ("Only public checks were there to judge by.",),
        troubles=_troubles(failing, ours),
    )


def _troubles(failing: int, ours: int) -> tuple[Trouble, ...]:
    if ours:
        return (Trouble("VAL011", f"{ours} candidates could not be judged.", "Run `authoring doctor`."),)
    if failing:
        count = "One candidate does" if failing == 1 else f"{failing} candidates do"
        return (Trouble("USE007", f"{count} not pass.", "Read the counts and the rules that failed."),)
    return ()


def _facts(item: "Item", with_checks: bool) -> Facts:
    graded = item.graded
    facts: Facts = {
        "path": str(item.path),
        "sha256": item.submission_sha256,
        "verdict": graded.verdict,
        "counts": graded.counts,
        "rules": graded.rules,
        "signals": list(graded.signals),
        "suspected_cheat": graded.suspected_cheat,
        "reasons": list(graded.reasons),
        "evidence": graded.record.key,
        "resumed": item.resumed,
    }
    return {**facts, "checks": graded.checks} if with_checks else facts


def _draw(screen: Screen, items: Sequence[Facts]) -> None:
    rows = [
        (facts["verdict"], facts["path"], _counts(facts), ", ".join(_failed_rules(facts)) or "-")
        for facts in items
    ]
    screen.table(("verdict", "candidate", "passed", "rules that failed"), rows)
    for facts in items:
        for reason in facts["reasons"]:
            screen.line(f"{facts['path']}: {reason}")
        if facts["suspected_cheat"]:
            signals = ", ".join(facts["signals"])
            screen.line(f"{facts['path']}: suspected cheat ({signals})", style="yellow")


def _counts(facts: Facts) -> str:
    parts = [f"{tier} {numbers['passed']}/{numbers['cases']}" for tier, numbers in facts["counts"].items()]
    return ", ".join(parts)


def _failed_rules(facts: Facts) -> list[str]:
    return [rule for rule, passed in facts["rules"].items() if not passed]
