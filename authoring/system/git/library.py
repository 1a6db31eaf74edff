"""GitPython, whose import fails where the program git is missing: then that is what is said."""

from authoring.model.errors import CannotJudgeError

try:
    import git
    from git.exc import GitCommandError, GitCommandNotFound, InvalidGitRepositoryError, NoSuchPathError
    from git.objects.fun import tree_to_stream
except ImportError as error:
    raise CannotJudgeError(
        "WSP013", "The program git was not found.", "Install git 2.30 or later."
    ) from error

__all__ = [
    "GitCommandError",
    "GitCommandNotFound",
    "InvalidGitRepositoryError",
    "NoSuchPathError",
    "git",
    "tree_to_stream",
]
