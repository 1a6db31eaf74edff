"""The frame of the command line: flags, exit codes, the envelope, and what goes to which stream."""

import json
import re
from typing import Any

import pytest

from authoring.cli.runner import run
from authoring.model.envelope import Envelope
from tests.unit.cli.sample_app import app

Capture = pytest.CaptureFixture[str]

EXIT_CODES = {
    "usage": 2,
    "refused": 1,
    "cannot": 3,
    "nothing": 4,
    "disk": 3,
    "memory": 3,
    "rights": 3,
    "bug": 70,
    "exit": 70,
    "pipe": 70,
    "ctrl-c": 130,
}


def document(text: str) -> dict[str, Any]:
    """Return the one document of a standard output that must hold exactly one line."""
    assert text.count("\n") == 1
    return Envelope.model_validate_json(text).model_dump(by_alias=True)


@pytest.mark.parametrize(("ending", "expected"), EXIT_CODES.items())
def test_every_ending_has_its_exit_code_and_one_document(ending: str, expected: int, capsys: Capture) -> None:
    assert run(["fail", ending, "--json"], app) == expected
    found = document(capsys.readouterr().out)
    assert found["command"] == "fail"
    assert len(found["errors"]) == 1
    assert found["errors"][0]["message"].endswith(".")


@pytest.mark.parametrize("ending", EXIT_CODES)
def test_without_json_a_failure_leaves_standard_output_empty(ending: str, capsys: Capture) -> None:
    run(["fail", ending], app)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert re.search(r"^(error|refused|cannot-judge)\[[A-Z]{3}\d{3}\]: ", captured.err, re.MULTILINE)


@pytest.mark.parametrize("ending", sorted(set(EXIT_CODES) - {"bug", "exit", "pipe"}))
def test_a_mistake_or_a_limit_shows_a_traceback_only_with_debug(ending: str, capsys: Capture) -> None:
    run(["fail", ending], app)
    assert "Traceback" not in capsys.readouterr().err
    run(["--debug", "fail", ending], app)
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(("value", "shown"), [("1", True), ("0", False), ("", False)])
def test_the_environment_can_ask_for_tracebacks(
    value: str, shown: bool, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTHORING_DEBUG", value)
    run(["fail", "usage"], app)
    assert ("Traceback" in capsys.readouterr().err) is shown


def test_a_bug_always_shows_its_traceback_and_never_puts_its_text_in_the_document(capsys: Capture) -> None:
    run(["fail", "bug", "--json"], app)
    captured = capsys.readouterr()
    assert "Traceback" in captured.err
    assert "a secret" not in captured.out


def test_a_refusal_carries_its_proof_and_its_status(capsys: Capture) -> None:
    run(["fail", "refused", "--json"], app)
    found = document(capsys.readouterr().out)
    assert (found["status"], found["data"]) == ("refused", {"proof": "check_1"})


@pytest.mark.parametrize(
    "line",
    [
        [],
        ["nonsense"],
        ["--nonsense"],
        ["flags", "--nonsense"],
        ["flags", "--number", "many"],
        ["flags", "--number"],
        ["flags", "too", "much"],
        ["fail"],
        ["group"],
        ["group", "nonsense"],
        ["group", "closed", "--dry-run"],
        ["flags", "--workspace"],
    ],
)
def test_bad_usage_is_exit_2_one_sentence_and_one_document(line: list[str], capsys: Capture) -> None:
    assert run(line, app) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error[USE001]: ")
    assert len(captured.err.splitlines()) == 2
    assert run(["--json", *line], app) == 2
    assert document(capsys.readouterr().out)["errors"][0]["code"] == "USE001"


def test_bad_usage_of_a_command_names_the_command(capsys: Capture) -> None:
    run(["group", "closed", "--nonsense", "--json"], app)
    found = document(capsys.readouterr().out)
    assert found["command"] == "group closed"
    assert found["errors"][0]["hint"] == "See `authoring group closed --help`."


FLAGS = ["--quiet", "-vv", "--debug", "--dry-run", "--workspace", "there"]


@pytest.mark.parametrize("line", [[*FLAGS, "flags"], ["flags", *FLAGS], [*FLAGS[:3], "flags", *FLAGS[3:]]])
def test_common_flags_mean_the_same_before_and_after_the_command(line: list[str], capsys: Capture) -> None:
    assert run([*line, "--json"], app) == 0
    assert document(capsys.readouterr().out)["data"] == {
        "quiet": True,
        "verbose": 2,
        "debug": True,
        "dry_run": True,
        "workspace": "there",
        "number": 1,
    }


def test_of_two_workspaces_the_later_one_counts(capsys: Capture) -> None:
    run(["--workspace", "first", "flags", "--workspace", "second", "--json"], app)
    assert document(capsys.readouterr().out)["data"]["workspace"] == "second"


def test_json_after_the_separator_is_an_argument(capsys: Capture) -> None:
    run(["fail", "--", "--json"], app)
    assert capsys.readouterr().out == ""


def test_what_a_library_prints_does_not_spoil_the_document(capsys: Capture) -> None:
    assert run(["flags", "--json"], app) == 0
    captured = capsys.readouterr()
    assert document(captured.out)["status"] == "done"
    assert "stray text" in captured.err


def test_the_result_goes_to_standard_output_and_remarks_to_standard_error(capsys: Capture) -> None:
    assert run(["flags"], app) == 0
    captured = capsys.readouterr()
    assert captured.out.splitlines()[-1] == "seen"
    assert captured.err == "warning: mind this\nnext: do that\n"


def test_quiet_keeps_the_result_and_the_errors_only(capsys: Capture) -> None:
    run(["flags", "--quiet"], app)
    assert capsys.readouterr().err == ""
    assert run(["group", "closed", "-q"], app) == 1
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("closed\n", "closed[GTE002]: Two of three checks failed.\n")


def test_an_answer_with_troubles_keeps_its_data_and_its_exit_code(capsys: Capture) -> None:
    assert run(["group", "closed", "--json"], app) == 1
    found = document(capsys.readouterr().out)
    assert (found["command"], found["status"], found["data"]) == ("group closed", "closed", {"judged": 3})


def test_data_that_json_cannot_hold_is_a_bug_and_still_one_document(capsys: Capture) -> None:
    assert run(["unplain", "--json"], app) == 70
    assert document(capsys.readouterr().out)["errors"][0]["code"] == "USE070"


def test_no_output_can_steer_a_terminal_and_json_is_ascii(capsys: Capture) -> None:
    run(["escapes"], app)
    assert capsys.readouterr().out == "\\x1b[31mred\\r ⟦\n"
    run(["escapes", "--json"], app)
    text = capsys.readouterr().out
    assert text.isascii()
    assert json.loads(text)["data"]["text"] == "\x1b[31m ⟦\udcff"


@pytest.mark.parametrize("line", [["--help"], ["flags", "--help"], ["group", "--help"]])
def test_help_is_exit_0_and_with_json_a_document_too(line: list[str], capsys: Capture) -> None:
    assert run(line, app) == 0
    assert "Usage" in capsys.readouterr().out
    assert run(["--json", *line], app) == 0
    assert "Usage" in document(capsys.readouterr().out)["data"]["text"]
