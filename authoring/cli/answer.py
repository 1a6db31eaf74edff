"""What a command gives back: plain data, how a person reads it, and how the process ends."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from authoring.model.errors import ExitCode, Status

if TYPE_CHECKING:
    from authoring.cli.screen import Screen

__all__ = ["Answer", "Trouble"]


@dataclass(frozen=True, slots=True)
class Trouble:
    """A coded reason why a command did not end well; ``proof`` is the smallest input that shows it."""

    code: str
    message: str
    hint: str = ""
    stage: str = ""
    proof: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of one command.

    ``data`` is JSON data and is what ``--json`` shows; ``human`` draws the same on a screen. ``troubles`` go
    to standard error, ``warnings`` and ``next`` too (not with ``--quiet``).
    """

    data: Mapping[str, Any] = field(default_factory=dict)
    human: "Callable[[Screen], None] | None" = None
    status: Status = "done"
    exit_code: ExitCode = ExitCode.DONE
    warnings: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    troubles: tuple[Trouble, ...] = ()
