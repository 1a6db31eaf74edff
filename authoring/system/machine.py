"""What the machine offers beside git repositories: versions of programs, and room on the disk."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

__all__ = ["free_bytes", "git_version", "pip_version"]

_ASK_S = 30.0


def git_version() -> str:
    """Return the version of git, such as ``2.39.5``; empty where it does not answer."""
    return _version(["git", "--version"])


def pip_version() -> str:
    """Return the version of the pip of the tool's own Python; empty where it has none."""
    return _version([sys.executable, "-m", "pip", "--disable-pip-version-check", "--version"])


def free_bytes(folder: Path) -> int:
    """Return the room on the file system of a folder, or of its nearest existing parent."""
    nearest = next(place for place in (folder, *folder.parents) if place.is_dir())
    return shutil.disk_usage(nearest).free


def _version(command: list[str]) -> str:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_ASK_S, check=True, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    found = re.search(r"\d+(?:\.\d+)+", done.stdout)
    return found.group() if found else ""
