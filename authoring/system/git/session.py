"""A repository opened for one operation, cut off from the machine's git settings, hooks and network.

GitPython stays behind this folder. Every process that it starts gets the environment made here: no system or
user configuration, no prompts, no hooks, no file-system monitor, no attributes, no fetching of objects that a
partial clone lacks, and no variable by which a calling git hook would point it at another repository.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from authoring.model.errors import AuthoringError, CannotJudgeError, UsageError
from authoring.system.git.library import (
    GitCommandError,
    GitCommandNotFound,
    InvalidGitRepositoryError,
    NoSuchPathError,
    git,
)

__all__ = ["Session", "hardened", "is_repository", "opened"]

_SETTINGS = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.attributesFile": os.devnull,
    "core.excludesFile": os.devnull,
    "core.autocrlf": "false",
    "core.quotePath": "false",
    "protocol.allow": "never",
    "protocol.file.allow": "always",
    "submodule.recurse": "false",
    "commit.gpgSign": "false",
    "tag.gpgSign": "false",
    "gc.auto": "0",
    "init.templateDir": "",
}

_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_PARAMETERS": "",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES": "",
    "GIT_NAMESPACE": "",
    "GIT_PAGER": "cat",
    "GIT_EDITOR": ":",
}


def hardened(root: Path) -> dict[str, str]:
    """Return the variables under which git runs for the repository at ``root``."""
    settings = {**_SETTINGS, "safe.directory": str(root)}
    numbered = {"GIT_CONFIG_COUNT": str(len(settings))}
    for index, (name, value) in enumerate(sorted(settings.items())):
        numbered |= {f"GIT_CONFIG_KEY_{index}": name, f"GIT_CONFIG_VALUE_{index}": value}
    return _ENVIRONMENT | numbered


class Session:
    """One open repository: git's plumbing with explicit arguments, and GitPython's objects."""

    def __init__(self, repo: git.Repo, root: Path) -> None:
        self.repo = repo
        self.root = root

    def run(
        self, *words: str, stdin: bytes | None = None, environment: dict[str, str] | None = None
    ) -> bytes:
        """Run ``git WORDS`` and return what it printed.

        Raises :class:`CannotJudgeError` WSP013 where git fails; only the last line of its message is shown.
        """
        with tempfile.TemporaryFile() as source:
            source.write(stdin or b"")
            source.seek(0)
            try:
                output = self.repo.git.execute(
                    ["git", *words],
                    istream=source,
                    stdout_as_string=False,
                    strip_newline_in_stdout=False,
                    env=environment,
                )
            except (GitCommandError, GitCommandNotFound) as error:
                raise git_failed(self.root, words, error) from error
        return output if isinstance(output, bytes) else b""

    def succeeds(self, *words: str) -> bytes | None:
        """Run ``git WORDS`` and return what it printed, or None where its exit status is not 0."""
        try:
            return self.run(*words)
        except CannotJudgeError as error:
            if isinstance(error.__cause__, GitCommandNotFound):
                raise
            return None


def git_failed(
    root: Path, words: Sequence[str], error: GitCommandError | GitCommandNotFound
) -> AuthoringError:
    """Return the coded error for a git command that failed."""
    if isinstance(error, GitCommandNotFound):
        return CannotJudgeError("WSP013", "The program git was not found.", "Install git 2.30 or later.")
    lines = [
        line for line in str(error.stderr or "").replace("stderr:", "").strip(" \n'").splitlines() if line
    ]
    reason = lines[-1].strip()[:300] if lines else f"exit status {error.status}"
    if "No space left" in str(error.stderr):
        return CannotJudgeError("WSP008", f"There is no space left to write {root}.", "Free some space.")
    return CannotJudgeError("WSP013", f"git {words[0]} failed in {root}: {reason}", "Look at the repository.")


@contextmanager
def _without_callers_repository() -> Iterator[None]:
    """Hide the variables by which a calling hook names its repository: GitPython reads them too."""
    names = ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_INDEX_FILE")
    hidden = {name: os.environ.pop(name) for name in names if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(hidden)


@contextmanager
def opened(root: Path) -> Iterator[Session]:
    """Open the repository whose working folder, or bare folder, is ``root``, and close it with its processes.

    Raises :class:`UsageError` WSP002 where there is none.
    """
    try:
        with _without_callers_repository():
            repo = git.Repo(root, search_parent_directories=False, expand_vars=False)
    except (InvalidGitRepositoryError, NoSuchPathError, OSError, ValueError) as error:
        raise UsageError(
            "WSP002", f"{root} is not a git repository.", "Give the folder that holds .git."
        ) from error
    try:
        common = Path(repo.common_dir)
        repo.git.update_environment(
            **hardened(root),
            GIT_DIR=str(repo.git_dir),
            GIT_COMMON_DIR=str(common),
            GIT_INDEX_FILE=str(Path(repo.git_dir) / "index"),
            GIT_OBJECT_DIRECTORY=str(common / "objects"),
            GIT_WORK_TREE=str(repo.working_tree_dir or root),
        )
        yield Session(repo, root)
    finally:
        repo.close()


def is_repository(root: Path) -> bool:
    """Tell whether ``root`` itself is a repository (a repository around it does not count)."""
    try:
        with opened(root):
            return True
    except UsageError:
        return False
