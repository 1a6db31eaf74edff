"""What the gate commands refuse before anything is judged."""

from pathlib import Path

import pytest

from authoring.system.lock import workspace_lock
from tests.e2e.cli.test_init import authoring


@pytest.mark.parametrize(
    "line",
    [
        ("gate", "repo", "1"),
        ("gate", "repo", "1", "--repo", "."),
        ("gate", "repo", "1", "--rev", "main"),
        ("gate", "repo", "1", "--repo", ".", "--rev", "main", "--package", "a==1"),
        ("gate", "agent", "1"),
        ("gate", "agent", "1", "--command", "true", "--predictions", "x"),
        ("gate", "agent", "1", "--command", "true", "--timeout", "0"),
    ],
)
def test_a_gate_needs_exactly_one_candidate(line: tuple[str, ...], tmp_path: Path) -> None:
    code, document, _ = authoring(*line, cwd=tmp_path)
    assert (code, document["errors"][0]["code"]) == (2, "USE001")
    assert document["command"] == " ".join(line[:2])


def test_outside_a_workspace_a_gate_is_exit_2(tmp_path: Path) -> None:
    code, document, _ = authoring("gate", "check", "some-tag", cwd=tmp_path)
    assert (code, document["errors"][0]["code"][:3]) == (2, "WSP")


def test_a_release_or_a_tag_that_does_not_exist_is_exit_2(tmp_path: Path) -> None:
    authoring("init", "w", cwd=tmp_path)
    for line in (("gate", "repo", "9", "--package", "a==1"), ("gate", "check", "none")):
        code, document, error = authoring(*line, cwd=tmp_path / "w")
        assert code == 2, error
        assert document["errors"][0]["code"][:3] in ("GTE", "REL")


@pytest.mark.parametrize("line", [("gate", "repo", "1", "--package", "a==1"), ("release", "1.0.0")])
def test_what_writes_is_exit_3_while_another_run_holds_the_workspace(
    line: tuple[str, ...], tmp_path: Path
) -> None:
    authoring("init", "w", cwd=tmp_path)
    with workspace_lock(tmp_path / "w"):
        code, document, _ = authoring(*line, cwd=tmp_path / "w")
    assert (code, document["status"], document["errors"][0]["code"]) == (3, "cannot-judge", "WSP006")
