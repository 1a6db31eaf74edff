"""The reference pages that are generated: commands from the Typer app, codes from the table."""

from typing import Any

from typer.main import get_command

from authoring.cli.app import app
from authoring.model.codes import CODES

COMMON = {
    "json",
    "quiet",
    "verbose",
    "debug",
    "workspace",
    "dry_run",
    "help",
    "install_completion",
    "show_completion",
}
NOTE = "This page is generated from the code by `./dev golden`."


def commands_page() -> str:
    """Return docs/reference/commands.md."""
    root: Any = get_command(app)
    parts = [
        "# Commands",
        NOTE,
        "Every command takes these, before or after its name:",
        _options([param for param in root.params if param.name in COMMON and "completion" not in param.name]),
        "`--dry-run` is taken by the commands that write. Configuration is described in "
        "[formats](formats.md), the exit statuses in [exit codes](exit-codes.md).",
    ]
    for words, command in walk(root, ("authoring",)):
        parts += [f"## `{' '.join(words)}`", _cleandoc(command.help)]
        arguments = [param for param in command.params if param.param_type_name == "argument"]
        options = [
            param
            for param in command.params
            if param.param_type_name == "option" and param.name not in COMMON
        ]
        if arguments:
            parts.append(
                "\n".join(f"- `{_metavar(param)}`: {param.help or ''}".rstrip(": ") for param in arguments)
            )
        if options:
            parts.append(_options(options))
    return "\n\n".join(parts) + "\n"


def codes_page() -> str:
    """Return docs/reference/codes.md."""
    parts = ["# Codes", NOTE, "`authoring explain CODE` prints the same."]
    for code in CODES.values():
        parts += [f"## {code.code}", f"**{code.title}**", code.explanation, f"*Next:* {code.next_step}"]
    return "\n\n".join(parts) + "\n"


def walk(group: Any, words: tuple[str, ...]) -> list[tuple[tuple[str, ...], Any]]:
    """Return every command below a group with its words, in the order of help."""
    found: list[tuple[tuple[str, ...], Any]] = []
    for name, command in group.commands.items():
        here = (*words, name)
        found += walk(command, here) if hasattr(command, "commands") else [(here, command)]
    return found


def _options(params: list[Any]) -> str:
    return "\n".join(f"- `{_flags(param)}`: {param.help or ''}".rstrip(": ") for param in params)


def _flags(param: Any) -> str:
    flags = ", ".join([*param.opts, *param.secondary_opts])
    return flags if param.is_flag or param.count else f"{flags} {_metavar(param)}"


def _metavar(param: Any) -> str:
    return str(param.metavar or param.name.upper())


def _cleandoc(text: str | None) -> str:
    return "\n".join(line.strip() for line in (text or "").splitlines())
