"""`config show` as a user meets it."""

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.cli.test_init import authoring


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Return a workspace with every kind of source."""
    assert authoring("init", "w", cwd=tmp_path)[0] == 0
    root = tmp_path / "w"
    (root / "pyproject.toml").write_text(
        "[tool.authoring]\nworkers = 3\nhidden_checks = 9\n[tool.other]\nx = 1\n"
    )
    (root / "authoring.toml").write_text("workers = 4\n[budget]\ntrials = 7\n")
    return root


def settings(document: dict[str, Any]) -> dict[str, tuple[Any, str]]:
    """Return value and the last part of the origin by name."""
    return {item["name"]: (item["value"], Path(item["origin"]).name) for item in document["data"]["settings"]}


def test_each_value_comes_from_the_last_source_that_names_it(workspace: Path) -> None:
    code, document, _ = authoring("config", "show", cwd=workspace, AUTHORING_BUDGET_REPEATS="5")
    found = settings(document)
    assert code == 0
    assert found["hidden_checks"] == (9, "pyproject.toml")
    assert found["workers"] == (4, "authoring.toml")
    assert found["budget.trials"] == (7, "authoring.toml")
    assert found["budget.repeats"] == (5, "AUTHORING_BUDGET_REPEATS")
    assert found["public_checks"][1] == "default"


def test_it_works_from_below_the_workspace_and_from_outside_by_name(workspace: Path) -> None:
    below = workspace / "public"
    assert settings(authoring("config", "show", cwd=below)[1])["workers"][0] == 4
    for naming in (("--workspace", "w"), ()):
        env = {} if naming else {"AUTHORING_WORKSPACE": str(workspace)}
        assert (
            settings(authoring("config", "show", *naming, cwd=workspace.parent, **env)[1])["workers"][0] == 4
        )


def test_an_unknown_setting_is_exit_2_and_names_the_nearest(workspace: Path) -> None:
    (workspace / "authoring.toml").write_text("wrokers = 4\n")
    code, document, error = authoring("config", "show", cwd=workspace)
    assert (code, document["errors"][0]["code"]) == (2, "WSP040")
    assert "workers" in document["errors"][0]["hint"]
    assert "authoring.toml" in error


def test_without_a_workspace_the_defaults_are_shown(tmp_path: Path) -> None:
    code, document, _ = authoring("config", "show", cwd=tmp_path)
    assert code == 0
    assert {origin for _, origin in settings(document).values()} == {"default"}
