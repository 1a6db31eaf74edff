"""The `dev` script on machines that are not this one: shims that fail, a moved checkout, repeated calls."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.repo.tracked import ROOT

FAKE_PYTHON = """#!/bin/sh
echo "$(basename "$0") $*" >>"$DEV_LOG"
if [ "$1 $2" = "-m venv" ]; then
    mkdir -p .venv/bin
    cp "$0" .venv/bin/python
fi
exit 0
"""
BROKEN_SHIM = "#!/bin/sh\necho 'version not set' >&2\nexit 127\n"


class Machine:
    """A folder with a copy of the script and the interpreters that a test puts on its path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log"
        self.path = folder / "bin"
        self.checkout = folder / "checkout with blank"
        for made in (self.path, self.checkout):
            made.mkdir()
        shutil.copy(ROOT / "dev", self.checkout / "dev")
        (self.checkout / "pyproject.toml").write_text("one")
        for tool in ("sh", "cat", "cp", "mkdir", "rm", "cksum", "dirname", "basename", "git"):
            found = shutil.which(tool)
            assert found
            (self.path / tool).symlink_to(found)

    def put(self, name: str, text: str) -> None:
        """Put an executable on the path."""
        (self.path / name).write_text(text)
        (self.path / name).chmod(0o755)

    def dev(self, *line: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Run the script with nothing but the machine's own path."""
        return subprocess.run(
            ["sh", str(self.checkout / "dev"), *line],
            cwd=self.folder,
            env={"PATH": str(self.path), "DEV_LOG": str(self.log), **env},
            capture_output=True,
            text=True,
            timeout=60,
        )

    def calls(self) -> list[str]:
        """Return and forget the calls of interpreters, without the questions whether they run."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return [line for line in lines if " -c " not in line]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Return a machine without any Python."""
    return Machine(tmp_path)


def test_a_shim_that_does_not_run_is_passed_over(machine: Machine) -> None:
    machine.put("python3.13", BROKEN_SHIM)
    machine.put("python3.12", BROKEN_SHIM)
    machine.put("python3.11", FAKE_PYTHON)
    done = machine.dev("schemas")
    assert done.returncode == 0, done.stderr
    calls = machine.calls()
    assert calls[0].startswith("python3.11 -m venv")
    assert calls[1].endswith("--editable .")
    assert calls[2] == "python -m authoring.model.schemas"


def test_no_interpreter_is_one_sentence_and_exit_3(machine: Machine) -> None:
    done = machine.dev("schemas")
    assert done.returncode == 3
    assert "no Python 3.11 or later" in done.stderr


def test_a_second_call_installs_nothing_until_the_project_changes(machine: Machine) -> None:
    machine.put("python3", FAKE_PYTHON)
    machine.dev("schemas")
    machine.calls()
    machine.dev("schemas")
    assert machine.calls() == ["python -m authoring.model.schemas"]
    (machine.checkout / "pyproject.toml").write_text("two")
    machine.dev("schemas")
    assert [call for call in machine.calls() if "pip install" in call]


def test_an_environment_that_was_moved_is_made_anew(machine: Machine) -> None:
    machine.put("python3", FAKE_PYTHON)
    machine.dev("schemas")
    machine.calls()
    moved = machine.folder / "elsewhere"
    machine.checkout.rename(moved)
    machine.checkout = moved
    machine.dev("schemas")
    assert machine.calls()[0].startswith("python3 -m venv --clear")


def test_the_interpreter_can_be_named(machine: Machine) -> None:
    machine.put("python3", BROKEN_SHIM)
    machine.put("mine", FAKE_PYTHON)
    assert machine.dev("schemas", PYTHON=str(machine.path / "mine")).returncode == 0
    assert machine.calls()[0].startswith("mine -m venv")


@pytest.mark.parametrize(("line", "status"), [((), 0), (("help",), 0), (("nonsense",), 2)])
def test_help_and_an_unknown_verb_touch_nothing(machine: Machine, line: tuple[str, ...], status: int) -> None:
    done = machine.dev(*line)
    assert done.returncode == status
    assert "usage: ./dev" in done.stdout + done.stderr
    assert machine.calls() == []


def test_continuous_integration_runs_the_test_command_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    last = (ROOT / ".ci/run").read_text(encoding="utf-8").strip().splitlines()[-1]
    assert last.removeprefix("exec ") in readme
    assert os.access(ROOT / "dev", os.X_OK)
