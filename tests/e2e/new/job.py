"""Run the real command as a user would, in a home of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
DATA = ROOT / "tests" / "data"
ORDERS = DATA / "service" / "orders-page-cursor" / "incident.toml"
KEY = bytes(range(32))


@dataclass(frozen=True, slots=True)
class Told:
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        """The one JSON document on standard output."""
        document: dict[str, Any] = json.loads(self.out)
        return document


@dataclass(frozen=True, slots=True)
class Desk:
    """A folder with a home, a key and workspaces."""

    home: Path

    def environment(self) -> dict[str, str]:
        """Return the variables that a command gets: the machine's, and an identity and home of our own."""
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("AUTHORING_", "GIT_"))
        }
        return {
            **kept,
            "HOME": str(self.home),
            "GIT_AUTHOR_NAME": "Some One",
            "GIT_AUTHOR_EMAIL": "one@example.org",
            "GIT_COMMITTER_NAME": "Some One",
            "GIT_COMMITTER_EMAIL": "one@example.org",
        }

    def command(self, *words: object) -> list[str]:
        """Return the command line as a list."""
        return [sys.executable, "-m", "authoring", *map(str, words)]

    def run(self, *words: object, env: dict[str, str] | None = None, timeout: float = 1200) -> Told:
        """Run one command to its end."""
        done = subprocess.run(
            self.command(*words),
            cwd=ROOT,
            env={**self.environment(), **(env or {})},
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        return Told(done.returncode, done.stdout, done.stderr)

    def start(self, *words: object) -> "subprocess.Popen[bytes]":
        """Start one command in a session of its own, its output thrown away."""
        return subprocess.Popen(
            self.command(*words),
            cwd=ROOT,
            env=self.environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def workspace(self, name: str) -> Path:
        """Make a workspace under the desk's key."""
        key = self.home / "key"
        if not key.exists():
            key.write_bytes(KEY)
        place = self.home / name
        told = self.run("init", place, "--key", key, "--date", "2026-01-01")
        assert told.code == 0, told.err
        return place

    def thrifty_workspace(self, name: str) -> Path:
        """Make a workspace in which few variants are made and programs are repeated twice."""
        place = self.workspace(name)
        with (place / "authoring.toml").open("a", encoding="utf-8") as settings:
            settings.write("public_variants = 2\nhidden_variants = 1\n\n[budget]\nrepeats = 2\n")
        who = ("-c", "user.name=Some One", "-c", "user.email=one@example.org")
        git(place, *who, "commit", "--quiet", "--all", "--message", "Try little")
        return place


def committed_trees(workspace: Path) -> tuple[str, ...]:
    """Return the tree ids of the heads of both repositories."""
    return tuple(
        git(repository, "rev-parse", "HEAD^{tree}") for repository in (workspace, workspace / "public")
    )


def git(repository: Path, *words: str) -> str:
    """Return what git says in a repository."""
    return subprocess.run(
        ["git", "-C", str(repository), *words], capture_output=True, text=True, check=True, timeout=60
    ).stdout.strip()


def patterns(document: dict[str, Any], sides: Sequence[str]) -> tuple[str, ...]:
    """Return the lifted patterns of the sides."""
    return tuple(document["data"]["patterns"][side]["lifted"] for side in sides)
