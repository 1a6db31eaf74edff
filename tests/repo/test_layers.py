"""Data flows one way: the layers of the design hold, and every layer exists."""

import subprocess
import sys
import tomllib

from tests.repo.tracked import ROOT


def test_no_layer_imports_a_later_one() -> None:
    linter = ROOT / ".venv/bin/lint-imports"
    command = [str(linter)] if linter.exists() else [sys.executable, "-m", "importlinter"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout


def test_every_folder_of_the_package_is_a_layer() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    named = {part.strip().removeprefix("authoring.") for layer in layers for part in layer.split("|")}
    folders = {path.parent.name for path in (ROOT / "authoring").glob("*/__init__.py")}
    assert folders == named
