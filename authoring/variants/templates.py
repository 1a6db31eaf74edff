"""Find the folders of templates: the author's in the workspace first, then the built-in ones."""

from pathlib import Path

__all__ = ["template_folders"]


def template_folders(workspace: Path | None = None) -> tuple[Path, ...]:
    """Return the folders that exist, the author's before the built-in one.

    In an installed wheel the built-in folder lies inside the package, in a checkout beside it.
    """
    package = Path(__file__).resolve().parents[1]
    installed, checkout = package / "templates", package.parent / "templates"
    builtin = installed if installed.is_dir() else checkout
    own = () if workspace is None else (workspace / "templates",)
    return tuple(folder for folder in (*own, builtin) if folder.is_dir())
