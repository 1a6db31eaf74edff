"""`init` as a user meets it: real git, real folders."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
IDENTITY = {"GIT_AUTHOR_NAME": "Ann", "GIT_AUTHOR_EMAIL": "ann@example.org"}


def authoring(*line: str, cwd: Path, **env: str) -> tuple[int, dict[str, Any], str]:
    """Run a command with ``--json`` and return exit code, document and standard error."""
    done = subprocess.run(
        [sys.executable, "-m", "authoring", *line, "--json"],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **IDENTITY, **env},
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.returncode, json.loads(done.stdout), done.stderr


def test_init_makes_both_repositories_and_a_private_key(tmp_path: Path) -> None:
    code, document, _ = authoring("init", "w", cwd=tmp_path)
    assert (code, document["status"], document["data"]["written"]) == (0, "done", True)
    for repo in ("w", "w/public"):
        assert (tmp_path / repo / ".git").is_dir()
    key = tmp_path / "w/.authoring/key"
    assert (len(key.read_bytes()), key.stat().st_mode & 0o777) == (32, 0o600)


def test_init_again_keeps_the_key_and_is_exit_0(tmp_path: Path) -> None:
    authoring("init", "w", cwd=tmp_path)
    before = (tmp_path / "w/.authoring/key").read_bytes()
    assert authoring("init", "w", cwd=tmp_path)[0] == 0
    assert (tmp_path / "w/.authoring/key").read_bytes() == before


def test_a_dry_run_makes_nothing(tmp_path: Path) -> None:
    code, document, _ = authoring("init", "w", "--dry-run", cwd=tmp_path)
    assert (code, document["data"]["written"]) == (0, False)
    assert list(tmp_path.iterdir()) == []


def test_an_occupied_folder_is_exit_2_and_stays_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    code, document, error = authoring("init", ".", cwd=tmp_path)
    assert (code, document["errors"][0]["code"]) == (2, "WSP021")
    assert "Traceback" not in error
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_bad_date_is_exit_2_and_leaves_nothing(tmp_path: Path) -> None:
    code, document, _ = authoring("init", "w", "--date", "tomorrow", cwd=tmp_path)
    assert (code, document["errors"][0]["code"]) == (2, "WSP014")
    assert list(tmp_path.iterdir()) == []


def test_without_a_git_identity_init_is_exit_2_and_leaves_nothing(tmp_path: Path) -> None:
    nobody = {
        "GIT_AUTHOR_NAME": "",
        "GIT_AUTHOR_EMAIL": "",
        "HOME": str(tmp_path),
        "GIT_CONFIG_NOSYSTEM": "1",
    }
    code, document, _ = authoring("init", "w", cwd=tmp_path, GIT_CONFIG_GLOBAL=os.devnull, **nobody)
    assert (code, document["errors"][0]["code"]) == (2, "WSP007")
    assert list(tmp_path.iterdir()) == []


def test_without_git_on_the_path_nothing_is_judged(tmp_path: Path) -> None:
    for line in (("init", "w"), ("status",), ("verify",), ("release", "1.0.0")):
        code, document, error = authoring(*line, cwd=tmp_path, PATH=str(tmp_path))
        assert (code, document["errors"][0]["code"]) == (3, "WSP013"), error
        assert "Traceback" not in error
    assert not (tmp_path / "w").exists()
