"""The command line as a process: signals, closed and full outputs, foreign encodings, start-up cost."""

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SIGNALS_AS_IN_A_TERMINAL = """
import os, signal, sys
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""
SAMPLE = [sys.executable, "-m", "tests.unit.cli.sample_app"]
AUTHORING = [sys.executable, "-m", "authoring"]


def start(*line: str, out: int = subprocess.PIPE, env: dict[str, str] | None = None) -> subprocess.Popen[str]:
    """Start the sample app."""
    return subprocess.Popen(
        [sys.executable, "-c", SIGNALS_AS_IN_A_TERMINAL, *SAMPLE, *line],
        cwd=ROOT,
        stdout=out,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **(env or {})},
    )


@pytest.mark.parametrize(
    ("number", "expected", "code"),
    [(signal.SIGINT, 130, "USE130"), (signal.SIGTERM, 143, "USE143"), (signal.SIGHUP, 143, "USE143")],
)
def test_a_signal_unwinds_the_command_and_gives_its_exit_code_and_one_document(
    number: signal.Signals, expected: int, code: str
) -> None:
    process = start("wait", "--json")
    assert process.stderr is not None
    assert process.stderr.readline() == "waiting\n"
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert process.returncode == expected
    assert json.loads(out)["errors"][0]["code"] == code
    assert err.startswith("tidied\n")
    assert "Traceback" not in err


def test_a_signal_that_the_parent_told_to_ignore_stays_ignored() -> None:
    process = subprocess.Popen(
        ["sh", "-c", "trap '' HUP; exec \"$@\"", "sh", *SAMPLE, "wait"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "waiting\n"
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    assert process.returncode == 143


@pytest.mark.parametrize("line", [["long"], ["long", "--json"], ["--help"], ["--json", "--help"]])
def test_a_closed_pipe_is_exit_0_when_the_work_was_done(line: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    process = start(*line, out=writer)
    os.close(writer)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")


def test_a_closed_pipe_does_not_hide_that_a_gate_is_closed() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    process = start("group", "closed", out=writer)
    os.close(writer)
    process.communicate(timeout=30)
    assert process.returncode == 1


def test_no_standard_output_at_all_is_no_failure() -> None:
    shell = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *SAMPLE, "long"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert (shell.returncode, shell.stderr) == (0, "")


@pytest.mark.parametrize("line", [["long"], ["long", "--json"]])
def test_a_full_disk_under_standard_output_is_cannot_judge(line: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        process = start(*line, out=full.fileno())
        _, err = process.communicate(timeout=30)
    assert process.returncode == 3
    assert err.startswith("error[USE005]: ")
    assert "hint: " in err


def test_a_terminal_encoding_that_lacks_a_character_spells_it_out() -> None:
    process = start("escapes", env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    out, _ = process.communicate(timeout=30)
    assert (process.returncode, out) == (0, "\\x1b[31mred\\r \\u27e6\n")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_the_commands_to_complete(shell: str) -> None:
    done = subprocess.run(
        AUTHORING,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=30,
        env={
            **os.environ,
            "_AUTHORING_COMPLETE": f"complete_{shell}",
            "COMP_WORDS": "authoring expl",
            "COMP_CWORD": "1",
            "_TYPER_COMPLETE_ARGS": "authoring expl",
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        },
    )
    assert "explain" in done.stdout


def test_help_costs_less_than_four_tenths_of_a_second_of_cpu() -> None:
    costs = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([*AUTHORING, "--help"], cwd=ROOT, capture_output=True, check=True, timeout=60)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        costs.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(costs) < 0.4


@pytest.mark.parametrize("heavy", ["libcst", "hypothesis", "git", "jinja2", "black", "tomlkit"])
def test_the_command_layer_imports_no_heavy_library(heavy: str) -> None:
    probe = f"import sys, authoring.cli.app; sys.exit({heavy!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", probe], cwd=ROOT, timeout=60).returncode == 0
