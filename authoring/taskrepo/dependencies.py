"""The folders of a contract's pinned dependencies: the very archives that it was made with."""

from pathlib import Path

from authoring.model.contract import Environment
from authoring.model.errors import UsageError
from authoring.model.incident import Dependency
from authoring.model.task import TaskEnvironment
from authoring.system.packages import obtain_dependency

__all__ = ["pinned_folders"]


def pinned_folders(
    environment: Environment | TaskEnvironment, cache: Path, python: str = ""
) -> tuple[Path, ...]:
    """Return the folder of every dependency, in order, for ``python`` or else the environment's own.

    Raises what obtaining raises, and :class:`UsageError` WSP034 for another archive than the pin names.
    """
    return tuple(_folder(pin, cache, python or environment.python) for pin in environment.dependencies)


def _folder(pin: Dependency, cache: Path, python: str) -> Path:
    obtained = obtain_dependency(f"{pin.name}=={pin.version}", cache, python)
    if pin.sha256 and obtained.archive_sha256 != pin.sha256:
        message = f"The archive of {pin.name} {pin.version} is another one than the task names."
        raise UsageError("WSP034", message, "Use the package index that the task was made with.")
    return obtained.path
