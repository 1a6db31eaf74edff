"""What a stage tells about its progress: a tiny observer that stages take as an argument."""

from typing import Protocol

__all__ = ["Progress", "SilentProgress"]


class Progress(Protocol):
    """Something that is told what goes on; it never influences the work."""

    def phase(self, name: str, total: int | None = None) -> None:
        """Begin a phase; ``total`` is the number of steps, where it is known."""

    def step(self, text: str = "") -> None:
        """Say that one more step of the phase is done, or what is being done now."""


class SilentProgress:
    """Progress that nobody watches: for tests, ``--quiet`` and callers from Python."""

    def phase(self, name: str, total: int | None = None) -> None:
        """Ignore the phase."""

    def step(self, text: str = "") -> None:
        """Ignore the step."""
