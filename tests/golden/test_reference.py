"""The generated reference pages are current, and say something of everything."""

from collections.abc import Callable

import pytest
from typer.main import get_command

from authoring.cli.app import app
from tests.golden.reference import codes_page, commands_page, walk

Golden = Callable[[str, str], None]


def test_the_page_of_commands_is_current(golden: Golden) -> None:
    golden("docs/reference/commands.md", commands_page())


def test_the_page_of_codes_is_current(golden: Golden) -> None:
    golden("docs/reference/codes.md", codes_page())


@pytest.mark.parametrize(("words", "command"), walk(get_command(app), ()), ids=str)
def test_every_command_and_each_of_its_parameters_has_help(words: tuple[str, ...], command: object) -> None:
    assert getattr(command, "help", None)
    missing = [param.name for param in getattr(command, "params", ()) if not param.help]
    assert not missing
