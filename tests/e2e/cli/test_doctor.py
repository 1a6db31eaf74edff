"""`doctor` on this machine, and on machines that lack something."""

import shutil
import sys
from pathlib import Path
from typing import Any

from tests.e2e.cli.test_init import authoring


def by_name(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the findings by name."""
    return {finding["name"]: finding for finding in document["data"]["findings"]}


def test_this_machine_is_sound_and_every_probe_of_the_sandbox_is_shown(tmp_path: Path) -> None:
    authoring("init", "w", cwd=tmp_path)
    code, document, _ = authoring("doctor", cwd=tmp_path / "w")
    found = by_name(document)
    assert code == 0, document["errors"]
    assert document["data"]["sound"] is True
    assert len([one for one in found.values() if one["area"] == "sandbox"]) >= 10
    assert found["key"]["state"] == "fine"


def test_outside_a_workspace_that_is_a_note_and_no_failure(tmp_path: Path) -> None:
    code, document, _ = authoring("doctor", cwd=tmp_path)
    assert (code, by_name(document)["workspace"]["state"]) == (0, "note")


def test_without_git_the_rest_is_still_looked_at(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python3").symlink_to(sys.executable)
    code, document, error = authoring("doctor", cwd=tmp_path, PATH=str(tmp_path / "bin"))
    found = by_name(document)
    assert code == 3
    assert document["errors"][0]["code"] == "USE006"
    assert found["git"]["mend"]
    assert found["git"]["state"] == "missing"
    assert any(one["area"] == "sandbox" for one in found.values())
    assert "Traceback" not in error


def test_a_python_that_does_not_exist_is_named(tmp_path: Path) -> None:
    code, document, _ = authoring("doctor", "--python", "3.77", cwd=tmp_path)
    assert code == 3
    assert "3.77" in str(document["data"])


def test_a_git_that_fails_counts_as_missing(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    real = shutil.which("sh")
    assert real
    (tmp_path / "bin/git").write_text(f"#!{real}\nexit 127\n")
    (tmp_path / "bin/git").chmod(0o755)
    code, document, _ = authoring("doctor", cwd=tmp_path, PATH=str(tmp_path / "bin"))
    assert code == 3
    assert by_name(document)["git"]["state"] == "missing"
