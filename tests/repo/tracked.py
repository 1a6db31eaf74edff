"""The files that git tracks, for the tests about the repository itself."""

import subprocess
from pathlib import Path

__all__ = ["ROOT", "python_files", "text_files"]

ROOT = Path(__file__).parents[2]


def text_files() -> dict[str, str]:
    """Return the text of every tracked file that still exists and is text, by path."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    found = {}
    for name in listed.decode().split("\0"):
        path = ROOT / name
        if name and path.is_file() and b"\0" not in path.read_bytes():
            found[name] = path.read_text(encoding="utf-8", errors="replace")
    return found


def python_files(*folders: str) -> dict[str, str]:
    """Return the tracked Python files below the folders, without the data of tests."""
    return {
        name: text
        for name, text in text_files().items()
        if name.endswith(".py") and name.startswith(folders) and not name.startswith("tests/data/")
    }
