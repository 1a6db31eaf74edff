"""`doctor`: what this machine can isolate and run, and how to mend what it lacks."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from authoring.cli.answer import Answer, Trouble
from authoring.cli.frame import add_command
from authoring.cli.screen import Screen
from authoring.cli.session import Session
from authoring.model.errors import ExitCode

if TYPE_CHECKING:
    from authoring.report.doctor import Finding

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    add_command(app, "doctor")(doctor)


def doctor(
    session: Session,
    python: Annotated[
        str,
        typer.Option(
            "--python", metavar="VERSION", help="Attack the sandbox under this Python, such as 3.12."
        ),
    ] = "",
) -> Answer:
    """Show what this machine can isolate and run, proved by probes, and how to mend what it lacks."""
    from authoring.report.doctor import examine

    findings = examine(session.workspace, python, session.progress)
    missing = [finding for finding in findings if finding.state == "missing"]
    data = {"findings": [asdict(finding) for finding in findings], "sound": not missing}
    if not missing:
        return Answer(data=data, human=lambda screen: _draw(screen, findings))
    names = ", ".join(finding.name for finding in missing)
    trouble = Trouble("USE006", f"This machine lacks what judging needs: {names}.", missing[0].mend)
    return Answer(
        data=data,
        human=lambda screen: _draw(screen, findings),
        status="cannot-judge",
        exit_code=ExitCode.CANNOT_JUDGE,
        troubles=(trouble,),
    )


def _draw(screen: Screen, findings: "list[Finding]") -> None:
    for area in dict.fromkeys(finding.area for finding in findings):
        screen.heading(area)
        of_area = [finding for finding in findings if finding.area == area]
        screen.table(("", "", "found"), [(item.state, item.name, item.found) for item in of_area])
        for item in of_area:
            if item.mend:
                screen.line(f"  {item.name}: {item.mend}", style="yellow")
