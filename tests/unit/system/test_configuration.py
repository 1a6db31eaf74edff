"""Laws of the settings: which place wins, what is refused."""

from pathlib import Path

import pytest

from authoring.model.configuration import Configuration
from authoring.model.errors import UsageError
from authoring.system.configuration import load, setting_names


def test_without_any_place_all_are_defaults() -> None:
    loaded = load(None, {}, {})
    assert loaded.values == Configuration()
    assert set(loaded.origins.values()) == {"default"}
    assert sorted(loaded.origins) == setting_names()


def test_a_later_place_wins_over_an_earlier_one_and_is_named(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        "[tool.authoring]\nworkers = 3\n[tool.authoring.budget]\ntrials = 1\nrepeats = 3\ncpu_s = 50\n"
    )
    (tmp_path / "authoring.toml").write_text(
        "[budget]\ntrials = 2\nrepeats = 4\n[policy]\nmin_pass_rate = 1\n"
    )
    environment = {
        "AUTHORING_BUDGET_TRIALS": "5",
        "AUTHORING_ACCEPT_CUTS": "true",
        "AUTHORING_KEY_FILE": "/x",
        "HOME": "/",
    }
    loaded = load(tmp_path, {"budget.trials": 6, "python": None}, environment)
    values = loaded.values
    assert (values.workers, values.budget.cpu_s, values.budget.repeats, values.budget.trials) == (3, 50, 4, 6)
    assert values.accept_cuts is True
    assert values.policy.min_pass_rate == 1.0
    origins = loaded.origins
    assert origins["workers"] == str(tmp_path / "pyproject.toml")
    assert origins["budget.repeats"] == str(tmp_path / "authoring.toml")
    assert (origins["accept_cuts"], origins["budget.trials"], origins["python"]) == (
        "AUTHORING_ACCEPT_CUTS",
        "flag",
        "default",
    )


@pytest.mark.parametrize(
    ("text", "code", "hint"),
    [
        ("worker = 2\n", "WSP040", "workers"),
        ("[budget]\ntrails = 2\n", "WSP040", "budget.trials"),
        ("zzzz = 2\n", "WSP040", "config show"),
        ("budget = 2\n", "WSP040", "budget"),
        ('workers = "two"\n', "WSP041", "config show"),
        ("workers = 0\n", "WSP041", "config show"),
        ("workers = true\n", "WSP041", "config show"),
        ("python = 3.12\n", "WSP041", "config show"),
        ('python = "2.7"\n', "WSP041", "config show"),
        ("[policy]\nmin_pass_rate = 1.5\n", "WSP041", "config show"),
        ("[policy]\nmin_pass_rate = nan\n", "WSP041", "config show"),
        ("workers = \n", "WSP042", "line"),
    ],
)
def test_what_cannot_be_is_refused_with_a_hint(tmp_path: Path, text: str, code: str, hint: str) -> None:
    (tmp_path / "authoring.toml").write_text(text)
    with pytest.raises(UsageError) as refused:
        load(tmp_path, {}, {})
    assert refused.value.code == code
    assert hint in refused.value.hint


@pytest.mark.parametrize(
    ("variable", "value", "code"),
    [
        ("AUTHORING_WORKER", "2", "WSP040"),
        ("AUTHORING_WORKERS", "two", "WSP041"),
        ("AUTHORING_ACCEPT_CUTS", "maybe", "WSP041"),
    ],
)
def test_a_variable_is_held_to_the_same(variable: str, value: str, code: str) -> None:
    with pytest.raises(UsageError) as refused:
        load(None, {}, {variable: value})
    assert refused.value.code == code
