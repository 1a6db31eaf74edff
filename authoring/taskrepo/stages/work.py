"""What every stage is given, and how a stage that is done is known to be done."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from authoring import __version__
from authoring.execution import BoxRunner
from authoring.model.configuration import Configuration
from authoring.model.digest import value_digest
from authoring.model.progress import Progress
from authoring.system.cpu import process_tree_cpu_s
from authoring.system.journal import Journal
from authoring.system.workspace import Workspace
from authoring.taskrepo.stages.reduction_inputs import Answers
from authoring.taskrepo.stages.ways import Ways

__all__ = ["Measure", "Work"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Measure:
    """What a stage cost, its boxes included; in no digest."""

    cpu_s: float
    wall_s: float


@dataclass(frozen=True, slots=True)
class Work:
    """A workspace that is locked, with all that stages use."""

    workspace: Workspace
    settings: Configuration
    runner: BoxRunner
    progress: Progress
    journal: Journal
    measures: dict[str, Measure] = field(default_factory=dict)
    """By stage, of this run only."""
    answers: Answers = field(default_factory=dict, repr=False)
    """What releases answered in this run: one reduction after another asks them the same."""
    ways: Ways = field(default_factory=Ways, repr=False)
    began_cpu_s: float = field(default_factory=process_tree_cpu_s, repr=False)
    """What this process and everything below it had used before."""
    _made: dict[str, Any] = field(default_factory=dict, repr=False)
    """What :meth:`once` made, by the digest of its key."""

    @property
    def cache(self) -> Path:
        """Where releases and dependencies are kept by digest."""
        return self.workspace.cache

    def done(self, stage: str, contract: str, inputs: Any, run: Callable[[], Any]) -> Any:
        """Return what the stage left in the journal for the same inputs, else run it and leave it there.

        ``inputs`` and the result are JSON data; the tool's version and the settings that change results are
        part of the inputs always.
        """
        key = value_digest([__version__, stage, self._telling(), inputs])
        known = self.journal.get(stage, contract)
        if known is not None and known["inputs"] == key:
            return known["result"]
        with self._measured(stage):
            result = run()
        self.journal.put(stage, contract, {"inputs": key, "result": result})
        return result

    def once(self, key: Any, make: Callable[[], T]) -> T:
        """Return what was made for a key in this run, else make it; the key holds all that it is made of, as JSON."""
        place = value_digest(key)
        if place not in self._made:
            self._made[place] = make()
        made: T = self._made[place]
        return made

    def spent_cpu_s(self) -> float:
        """Return the seconds of CPU that this run has used so far, its boxes included."""
        return max(0.0, self._cpu_s() - self.began_cpu_s)

    @contextmanager
    def _measured(self, stage: str) -> Iterator[None]:
        cpu, wall = self._cpu_s(), time.monotonic()
        try:
            yield
        finally:
            before = self.measures.get(stage, Measure(0.0, 0.0))
            self.measures[stage] = Measure(
                before.cpu_s + max(0.0, self._cpu_s() - cpu), before.wall_s + time.monotonic() - wall
            )

    def _cpu_s(self) -> float:
        return process_tree_cpu_s() + self.runner.ended_cpu_s

    def _telling(self) -> dict[str, Any]:
        """Return the settings that change what a stage makes."""
        settings = self.settings.model_dump(mode="json")
        for name in ("workers", "reviewed_by", "policy", "alternatives", "accept_cuts"):
            settings.pop(name, None)
        settings["budget"] = {k: v for k, v in settings["budget"].items() if k != "flaky_repeats"}
        return settings
