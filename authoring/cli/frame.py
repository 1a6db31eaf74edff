"""How a command is added: its own parameters, and the common flags that every command takes."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from authoring.cli.answer import Answer
from authoring.cli.session import Flags, Session

__all__ = ["add_command", "add_root", "make_app"]

_PANEL = "Common options"

_Json = Annotated[
    bool, typer.Option("--json", help="Write one JSON document to standard output.", rich_help_panel=_PANEL)
]
_Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Show only the result and errors.", rich_help_panel=_PANEL)
]
_Verbose = Annotated[
    int,
    typer.Option(
        "--verbose", "-v", count=True, help="Say more; twice for still more.", rich_help_panel=_PANEL
    ),
]
_Debug = Annotated[
    bool, typer.Option("--debug", help="Show tracebacks and keep work folders.", rich_help_panel=_PANEL)
]
_Workspace = Annotated[
    Path | None,
    typer.Option(
        "--workspace",
        metavar="DIR",
        help="The workspace; default: the nearest one upwards.",
        rich_help_panel=_PANEL,
    ),
]
_DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say what would be written; write nothing.", rich_help_panel=_PANEL)
]

_COMMON: dict[str, tuple[Any, Any]] = {
    "json": (_Json, False),
    "quiet": (_Quiet, False),
    "verbose": (_Verbose, 0),
    "debug": (_Debug, False),
    "workspace": (_Workspace, None),
}
_WRITING: dict[str, tuple[Any, Any]] = {**_COMMON, "dry_run": (_DryRun, False)}


def make_app(help_text: str) -> typer.Typer:
    """Return a Typer app or group in the project's one form: no pretty exceptions, a command is required."""
    return typer.Typer(help=help_text, pretty_exceptions_enable=False, rich_markup_mode="rich")


def add_command(
    app: typer.Typer, name: str, *, writes: bool = False
) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    """Return a decorator that adds ``command(session, ...) -> Answer`` to the app with the common flags.

    ``writes`` adds ``--dry-run``; the command must then honour ``session.flags.dry_run``.
    """
    common = _WRITING if writes else _COMMON

    def register(command: Callable[..., Answer]) -> Callable[..., Answer]:
        def invoke(context: typer.Context, **given: Any) -> Answer:
            session: Session = context.find_root().obj
            session.begin(_words(context), Flags(**{key: given.pop(key) for key in common}))
            return command(session, **given)

        app.command(name)(_with_flags(invoke, command, common))
        return command

    return register


def add_root(app: typer.Typer) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that makes ``root(...)`` the app's callback: flags may stand before the command."""

    def register(root: Callable[..., None]) -> Callable[..., None]:
        def invoke(context: typer.Context, **given: Any) -> None:
            session: Session = context.find_root().obj
            session.take_flags(Flags(**{key: given.pop(key) for key in _WRITING}))
            root(session, **given)

        app.callback()(_with_flags(invoke, root, _WRITING))
        return root

    return register


def _with_flags(
    invoke: Callable[..., Any], command: Callable[..., Any], common: dict[str, tuple[Any, Any]]
) -> Callable[..., Any]:
    """Give ``invoke`` the name, docstring and parameters of ``command``, and the common flags after them."""
    own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]
    context = inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
    kept = [item.replace(kind=inspect.Parameter.KEYWORD_ONLY) for item in own]
    flags = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in common.items()
    ]
    parameters = [context, *kept, *flags]
    invoke.__dict__["__signature__"] = inspect.Signature(parameters)
    invoke.__annotations__ = {item.name: item.annotation for item in parameters}
    invoke.__name__ = command.__name__
    invoke.__doc__ = command.__doc__
    return invoke


def _words(context: typer.Context) -> str:
    """Return the command's words without the program's name and without what groups above it were given."""
    words: list[str] = []
    level: Any = context
    while level.parent is not None:
        words.insert(0, level.info_name or "")
        level = level.parent
    return " ".join(words)
