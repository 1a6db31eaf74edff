"""`init DIR`: make a workspace with its two repositories and its key."""

from pathlib import Path
from typing import Annotated

import typer

from authoring.cli.answer import Answer
from authoring.cli.frame import add_command
from authoring.cli.screen import Screen
from authoring.cli.session import Session

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    add_command(app, "init", writes=True)(init)


def init(
    session: Session,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or an empty folder.")],
    key: Annotated[
        Path | None,
        typer.Option("--key", metavar="FILE", help="The key to use; a file that does not exist is made."),
    ] = None,
    date: Annotated[
        str,
        typer.Option("--date", metavar="DATE", help="Date of the first commits, in ISO form; default: now."),
    ] = "",
) -> Answer:
    """Make a workspace: a private git repository and the public task repo inside it."""
    from authoring.system.clock import commit_date
    from authoring.system.workspace import Workspace

    moment = commit_date(given=date)
    root = folder.expanduser().resolve()
    facts = {
        "workspace": str(root),
        "public": str(root / "public"),
        "key": str(key.absolute() if key else root / ".authoring" / "key"),
    }
    if session.flags.dry_run:
        return Answer(
            data={**facts, "written": False}, human=lambda screen: _draw(screen, "Would make", facts)
        )
    Workspace.create(root, key, moment)
    return Answer(
        data={**facts, "written": True},
        human=lambda screen: _draw(screen, "Workspace", facts),
        next=(f"cd {folder}", "authoring doctor", "authoring new ID --incident FILE"),
    )


def _draw(screen: Screen, head: str, facts: dict[str, str]) -> None:
    screen.heading(f"{head} {facts['workspace']}")
    screen.facts(
        [
            ("public repo", facts["public"]),
            ("key", f"{facts['key']} (keep a copy: hidden checks of this workspace need it)"),
        ]
    )
