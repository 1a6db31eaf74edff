"""`verify [TAG]`: recompute what the repositories state about themselves, and compare."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from authoring.cli.answer import Answer, Trouble
from authoring.cli.frame import add_command
from authoring.cli.screen import Screen
from authoring.cli.session import Session
from authoring.model.errors import ExitCode, NothingJudgedError

if TYPE_CHECKING:
    from authoring.release import Report

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    add_command(app, "verify")(verify)


def verify(
    session: Session,
    tag: Annotated[
        str,
        typer.Argument(
            metavar="[TAG]", help="A release; default: what is committed now.", show_default=False
        ),
    ] = "",
) -> Answer:
    """Recompute digests, evidence, manifests and commitments, and compare them with what was committed.

    Works in a workspace, in a clone of it, and in a clone of the public repository alone; says what it could
    not check.
    """
    session.progress.phase("verifying")
    report = _report(session.workspace, tag)
    if tag and not any(report.counts.values()):
        raise NothingJudgedError("REL004", f"There was nothing to verify at {tag!a}.", "Run: git tag --list")
    data = {
        "tag": tag or None,
        "holds": not report.findings,
        "findings": [asdict(finding) for finding in report.findings],
        "unchecked": list(report.unchecked),
        "counts": report.counts,
    }
    warnings = report.unchecked if any(report.counts.values()) else ("No task is committed yet.",)
    if not report.findings:
        return Answer(data=data, human=lambda screen: _draw(screen, report, tag), warnings=warnings)
    first = report.findings[0]
    trouble = Trouble("REL007", f"{first.place}: {first.what}.", "Restore it from the history.", "release")
    return Answer(
        data=data,
        human=lambda screen: _draw(screen, report, tag),
        status="refused",
        exit_code=ExitCode.WANTING,
        warnings=warnings,
        troubles=(trouble,),
    )


def _report(folder: Path, tag: str) -> "Report":
    """Verify a workspace, or a clone of the public repository where there is no workspace."""
    from authoring.release import verify as recompute
    from authoring.release import verify_clone
    from authoring.system import git
    from authoring.system.workspace import Workspace

    is_public_clone = (folder / "catalog.csv").is_file() and not (folder / "authoring.toml").exists()
    if is_public_clone and git.is_repository(folder):
        return verify_clone(None, folder, None, tag or None)
    return recompute(Workspace.open(folder), tag or None)


def _draw(screen: Screen, report: "Report", tag: str) -> None:
    what = f"Release {tag}" if tag else "What is committed"
    screen.heading(f"{what} {'does not hold' if report.findings else 'holds'}")
    screen.facts([(name, str(count)) for name, count in report.counts.items()])
    if report.findings:
        screen.line()
        screen.table(("place", "finding"), [(finding.place, finding.what) for finding in report.findings])
