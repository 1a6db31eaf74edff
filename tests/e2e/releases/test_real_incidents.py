"""Incidents of real releases end as committed tasks, small and of the standard library alone."""

import ast
import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.new.job import DATA, Desk, patterns
from tests.measures.expected import assert_faithful

pytestmark = pytest.mark.timeout(1500)

RELEASES = {  # the version that an attempt gives, where there is one
    "dnspython-empty-ttl": "",
    "humanize-naturalsize-carry": "",
    "boltons-bytes2human-power": "",
    "humanize-intword-rollover": "hard_negative",
    "jinja2-xmlattr-keys": "hard_negative",
}


@pytest.mark.network
@pytest.mark.slow
@pytest.mark.parametrize("incident", RELEASES)
def test_an_incident_of_real_releases_is_committed(
    desk: Desk, incident: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempt = RELEASES[incident]
    workspace = desk.workspace(f"releases-{incident}")
    file = DATA / "incidents" / incident / "incident.toml"
    told = desk.run("new", incident, "--incident", file, "--workspace", workspace, "--json")
    assert told.code == 0, told.out + told.err
    data = told.document["data"]
    broken, fixed = patterns(told.document, ("broken", "reference"))
    assert "0" in broken and "0" not in fixed
    assert not attempt or patterns(told.document, (attempt,))[0] not in (broken, fixed)
    for later in data["later_releases"]:
        assert later["verdict"] in ("alternative", "outside", "fails", "skipped")
        assert later["reason"] or later["verdict"] == "alternative"
    size = data["sizes"]["broken"]
    assert size["reduced"] <= max(500, 0.15 * size["executed_in_functions"])
    assert "0" in data["patterns"]["broken"]["public"] and "0" in data["patterns"]["broken"]["hidden"]
    for program in sorted((workspace / "contracts" / incident / "program").glob("*.py")):
        assert imported(program.read_text()) <= sys.stdlib_module_names
    for name, value in desk.environment().items():
        monkeypatch.setenv(name, value)
    assert_faithful(workspace, incident)
    if incident == "jinja2-xmlattr-keys":
        observed_inside(workspace, incident, data)
        assert desk.run("release", "1.0.0", "--workspace", workspace).code == 0
        for version, code in (("3.1.2", 1), ("3.1.3", 1), ("3.1.4", 0)):
            asked = ("gate", "repo", "1.0.0", "--package", f"Jinja2=={version}", "--workspace", workspace)
            assert desk.run(*asked).code == code


def observed_inside(workspace: Path, incident: str, data: dict[str, Any]) -> None:
    """Assert that the program is observed inside the package, and each check still asks the package from outside."""
    assert data["entry"]["original"] == "jinja2.filters:do_xmlattr"
    assert data["sizes"]["broken"]["reduced"] * 50 < data["sizes"]["broken"]["executed_in_functions"]
    contract = tomllib.loads((workspace / "contracts" / incident / "contract.toml").read_text())
    levels = {spec["id"]: spec["level"] for spec in contract["scenarios"]}
    assert levels["do_xmlattr"] == "entry" and "outer" in levels.values()
    hidden = json.loads((workspace / "hidden" / incident / "base" / "hidden_checks.json").read_text())
    assert all(levels[check["outer"]["scenario"]] == "outer" for check in hidden["checks"])


def imported(source: str) -> set[str]:
    """Return the top-level modules that a program imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").partition(".")[0])
    return found
