"""`explain CODE`: what one refusal or error means and what to do about it."""

from dataclasses import asdict
from difflib import get_close_matches
from typing import Annotated

import typer

from authoring.cli.answer import Answer
from authoring.cli.frame import add_command
from authoring.cli.screen import Screen
from authoring.cli.session import Session
from authoring.model.codes import CODES, Code
from authoring.model.errors import UsageError

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    add_command(app, "explain")(explain)


def explain(
    session: Session,
    code: Annotated[
        str, typer.Argument(metavar="CODE", help="A code such as INC001; `all` lists every one.")
    ],
) -> Answer:
    """Say what a code means, why it is raised and what to do next."""
    if code == "all":
        return Answer(data={"codes": [asdict(entry) for entry in CODES.values()]}, human=_list)
    entry = CODES.get(code.upper())
    if entry is None:
        near = get_close_matches(code.upper(), CODES, n=1)
        hint = f"Did you mean {near[0]}? `authoring explain all` lists every code." if near else ""
        raise UsageError(
            "USE002", f"There is no code {code}.", hint or "`authoring explain all` lists every code."
        )
    return Answer(data=asdict(entry), human=lambda screen: _one(screen, entry))


def _one(screen: Screen, entry: Code) -> None:
    screen.heading(f"{entry.code}  {entry.title}")
    screen.line()
    screen.line(entry.explanation)
    screen.line()
    screen.line(f"Next: {entry.next_step}")


def _list(screen: Screen) -> None:
    screen.table(("code", "meaning"), [(entry.code, entry.title) for entry in CODES.values()])
