"""Who commits: the user's own git identity, asked for in so many words, never guessed by git."""

import os
from dataclasses import dataclass
from pathlib import Path

from authoring.model.errors import UsageError
from authoring.system.git.library import GitCommandError, GitCommandNotFound, git
from authoring.system.git.session import git_failed

__all__ = ["Identity", "identity"]


@dataclass(frozen=True, slots=True)
class Identity:
    """A name and an e-mail address, as git writes them."""

    name: str
    email: str


def identity(root: Path) -> Identity:
    """Return the identity that the user told git: ``GIT_AUTHOR_*``, ``GIT_COMMITTER_*`` or a setting.

    ``root`` need not be a repository; where it is one, its own configuration counts first. Raises
    :class:`UsageError` WSP007 where there is none (git would make one up from the machine's name).
    """
    name, email = _told(root, "NAME", "user.name"), _told(root, "EMAIL", "user.email")
    if not name or not email:
        raise UsageError(
            "WSP007",
            "Git does not know who you are, so nothing can be committed.",
            'Run: git config --global user.name "Your Name"; git config --global user.email you@example.org',
        )
    return Identity(name, email)


def _told(root: Path, suffix: str, setting: str) -> str:
    for role in ("AUTHOR", "COMMITTER"):
        value = _clean(os.environ.get(f"GIT_{role}_{suffix}", ""))
        if value:
            return value
    return _clean(_configured(root, setting))


def _clean(text: str) -> str:
    return "".join(letter for letter in text if letter.isprintable() and letter not in "<>").strip()


def _configured(root: Path, setting: str) -> str:
    """Ask git with the user's own settings; reading one setting runs nothing."""
    nearest = next(folder for folder in (root, *root.parents) if folder.is_dir())
    try:
        return str(git.Git(nearest).execute(["git", "config", "--get", setting]))
    except GitCommandNotFound as error:
        raise git_failed(root, ("config",), error) from error
    except GitCommandError:
        return ""
