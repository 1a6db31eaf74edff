"""The command line as a whole: which commands there are and in which order help lists them."""

from typing import Annotated

import typer

from authoring import __version__
from authoring.cli import audit, config, doctor, explain, gate, grade, init, new, release, show, verify
from authoring.cli.frame import add_root, make_app
from authoring.cli.session import Session

__all__ = ["app"]

app = make_app(
    "Turn a real production failure into a small, proven, versioned task that keeps it from coming back."
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"authoring {__version__}")
        raise typer.Exit


@add_root(app)
def root(
    session: Session,
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    """Turn a real production failure into a small, proven, versioned task that keeps it from coming back."""


for commands in (init, new, grade, audit, release, verify, gate, show, explain, config, doctor):
    commands.register(app)
