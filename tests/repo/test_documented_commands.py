"""Every command line that the documentation shows is one that the tool takes."""

import re
import shlex
import subprocess
from typing import Any

import pytest
from typer.main import get_command

from authoring.cli.app import app
from authoring.model.codes import CODES
from tests.repo.tracked import ROOT, text_files

FENCE = re.compile(r"^ *```sh\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
PAGES = {
    name: text
    for name, text in text_files().items()
    if name.endswith(".md") and (name.startswith("docs/how-to/") or "/" not in name)
}


def shown(program: str) -> list[tuple[str, ...]]:
    """Return the words of every line of the documentation that runs the program."""
    lines = {
        tuple(shlex.split(line, comments=True)[1:])
        for text in PAGES.values()
        for block in FENCE.findall(text)
        for line in block.splitlines()
        if line.split()[:1] == [program]
    }
    return sorted(lines)


@pytest.mark.parametrize("words", shown("authoring"), ids=" ".join)
def test_a_shown_command_exists_and_takes_its_flags(words: tuple[str, ...]) -> None:
    command: Any = get_command(app)
    rest = list(words)
    while hasattr(command, "commands") and rest and not rest[0].startswith("-"):
        assert rest[0] in command.commands, f"there is no command {rest[0]!r} in {' '.join(words)!r}"
        command = command.commands[rest.pop(0)]
    known = {flag for param in command.params for flag in param.opts}
    assert {word.split("=")[0] for word in rest if word.startswith("--")} <= known
    if not hasattr(command, "commands"):
        command.make_context("authoring", rest)


@pytest.mark.parametrize("words", shown("./dev"), ids=" ".join)
def test_a_shown_verb_of_the_dev_script_exists(words: tuple[str, ...]) -> None:
    usage = subprocess.run(["./dev", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert words[0] in re.findall(r"^  (\w+)", usage, re.MULTILINE)


def test_the_readme_shows_the_two_commands() -> None:
    assert {("demo",), ("test",)} <= set(shown("./dev"))


def test_a_code_that_the_documentation_cites_exists() -> None:
    cited = {code for text in PAGES.values() for code in re.findall(r"\b[A-Z]{3}\d{3}\b", text)}
    assert cited <= set(CODES)


def test_a_relative_link_leads_to_a_file() -> None:
    broken = []
    for name, text in PAGES.items():
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            if not ((ROOT / name).parent / target).exists():
                broken.append(f"{name}: {target}")
    assert not broken
