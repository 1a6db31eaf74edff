"""What every command is given: the common flags, the workspace folder and the observer of progress."""

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

from authoring.cli.progress import watch
from authoring.model.progress import Progress, SilentProgress

__all__ = ["Flags", "Session"]


@dataclass(frozen=True, slots=True)
class Flags:
    """The common flags, as given before or after the command."""

    json: bool = False
    quiet: bool = False
    verbose: int = 0
    debug: bool = False
    dry_run: bool = False
    workspace: Path | None = None

    def with_later(self, later: "Flags") -> "Flags":
        """Return both sets of flags as one; of two workspaces the later one counts."""
        return Flags(
            json=self.json or later.json,
            quiet=self.quiet or later.quiet,
            verbose=self.verbose + later.verbose,
            debug=self.debug or later.debug,
            dry_run=self.dry_run or later.dry_run,
            workspace=later.workspace or self.workspace,
        )


@dataclass(slots=True)
class Session:
    """One run of the command line; the only value of the command layer that changes while it runs."""

    flags: Flags = Flags()
    command: str = ""
    started: bool = False
    """Whether the command itself has begun, as against the parsing of its line."""
    progress: Progress = field(default_factory=SilentProgress)

    def begin(self, command: str, flags: Flags) -> None:
        """Take the flags that came after the command and start to show progress."""
        self.command = command
        self.flags = self.flags.with_later(flags)
        self.progress = watch(sys.stderr, self.flags.quiet)
        self.started = True

    def take_flags(self, flags: Flags) -> None:
        """Take the flags that came before the command."""
        self.flags = self.flags.with_later(flags)

    @property
    def workspace(self) -> Path:
        """``--workspace``, else ``AUTHORING_WORKSPACE``, else the nearest workspace upwards, else here."""
        named = self.flags.workspace or os.environ.get("AUTHORING_WORKSPACE")
        if named:
            return Path(named).absolute()
        here = Path.cwd()
        return next((folder for folder in (here, *here.parents) if _is_workspace(folder)), here)


def _is_workspace(folder: Path) -> bool:
    """Tell a workspace; a clone lacks ``.authoring``, an interrupted `init` lacks the settings."""
    return (folder / ".authoring").is_dir() or (folder / "authoring.toml").is_file()
