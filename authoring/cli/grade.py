"""`grade TASK CANDIDATE…`: the verdict of candidates on one task."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from authoring.cli.answer import Answer, Trouble
from authoring.cli.frame import add_command
from authoring.cli.screen import Screen
from authoring.cli.session import Session
from authoring.model.errors import ExitCode

if TYPE_CHECKING:
    from authoring.report.grade import Verdicts
    from authoring.validation.grade import Item

__all__ = ["register"]


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
    verdicts = grade_candidates(
        session.workspace, task, candidates, python=python, workers=workers, progress=session.progress
    )
    failing = [item for item in verdicts.items if item.graded.verdict != "pass"]
    ours = [item for item in failing if item.graded.verdict == "grader-fault"]
    return Answer(
        data={
            "task": verdicts.task,
            "hidden": verdicts.has_hidden,
            "candidates": [_facts(item, session.flags.verbose > 0) for item in verdicts.items],
        },
        human=lambda screen: _draw(screen, verdicts),
        status="cannot-judge" if ours else "refused" if failing else "done",
        exit_code=ExitCode.CANNOT_JUDGE if ours else ExitCode.WANTING if failing else ExitCode.DONE,
        warnings=() if verdicts.has_hidden else ("Only public checks were there to judge by.",),
        troubles=_troubles(failing, ours),
    )


def _troubles(failing: "list[Item]", ours: "list[Item]") -> tuple[Trouble, ...]:
    if ours:
        return (Trouble("VAL011", f"{len(ours)} candidates could not be judged.", "Run `authoring doctor`."),)
    if failing:
        count = "One candidate does" if len(failing) == 1 else f"{len(failing)} candidates do"
        return (Trouble("USE007", f"{count} not pass.", "Read the counts and the rules that failed."),)
    return ()


def _facts(item: "Item", with_checks: bool) -> dict[str, Any]:
    graded = item.graded
    facts: dict[str, Any] = {
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


def _draw(screen: Screen, verdicts: "Verdicts") -> None:
    rows = [
        (item.graded.verdict, str(item.path), _counts(item), ", ".join(_failed_rules(item)) or "-")
        for item in verdicts.items
    ]
    screen.table(("verdict", "candidate", "passed", "rules that failed"), rows)
    for item in verdicts.items:
        for reason in item.graded.reasons:
            screen.line(f"{item.path}: {reason}")
        if item.graded.suspected_cheat:
            screen.line(f"{item.path}: suspected cheat ({', '.join(item.graded.signals)})", style="yellow")


def _counts(item: "Item") -> str:
    parts = [f"{tier} {numbers['passed']}/{numbers['cases']}" for tier, numbers in item.graded.counts.items()]
    return ", ".join(parts)


def _failed_rules(item: "Item") -> list[str]:
    return [rule for rule, passed in item.graded.rules.items() if not passed]
