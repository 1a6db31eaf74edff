"""Repeat programs whose verdicts are known under all that is varied, and bound the rate of flakes exactly."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from authoring.model.evidence import Record
from authoring.model.execution import Perturbation
from authoring.model.perturbations import repeats
from authoring.model.progress import Progress
from authoring.validation.cells import Cell, Kind
from authoring.validation.flake import flake_bound
from authoring.validation.judge import Judge
from authoring.validation.validate import judge_cell
from authoring.variants.material import VariantTask

__all__ = ["Flake", "Repeated", "repeat_programs"]

_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Flake:
    """A run that did not end as the others did."""

    perturbation: Perturbation
    changed: tuple[str, ...]
    """Ids of checks, or places in pools, that passed here and failed otherwise or the other way round; none where
    all verdicts are the same and only what was observed differs."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """One program of one task after all its runs."""

    task: str
    program: Kind
    runs: int
    flakes: tuple[Flake, ...]
    keys: tuple[str, ...]
    """Keys of the evidence, sorted."""

    @property
    def bound(self) -> float:
        """The upper bound on the rate of flakes at 95 percent confidence."""
        return flake_bound(self.runs, len(self.flakes))


def repeat_programs(
    tasks: Sequence[VariantTask], judge: Judge, times: int, python: str, progress: Progress
) -> tuple[Repeated, ...]:
    """Return what became of reference, broken and hard negative of every task in ``times`` runs each.

    The first run is unperturbed. A run of the reference is a flake unless everything passes, and one of a wrong
    program where a check ends otherwise than in the first run; either also where other things are observed of the
    reference. Every run is a record of evidence: what an interrupted audit, or validation, left is not run again.
    """
    progress.phase("repeat", total=times)
    series = [_Series(task, kind, source) for task in tasks for kind, source in _programs(task)]
    for number, (version, perturbation) in enumerate(repeats(times, (python,))):
        for each in series:
            name = f"repeat {number + 1}"
            cell = Cell(each.kind, name, each.source, python=version, perturbation=perturbation)
            each.add(perturbation, judge_cell(each.task, cell, judge))
        progress.step(f"{sum(len(each.flakes) for each in series)} flakes")
    return tuple(each.repeated() for each in series)


def _programs(task: VariantTask) -> Iterator[tuple[Kind, str]]:
    yield "reference", task.reference
    yield "broken", task.program
    if task.hard_negative:
        yield "hard negative", task.hard_negative


@dataclass(slots=True)
class _Series:
    """The runs of one program so far."""

    task: VariantTask
    kind: Kind
    source: str
    flakes: list[Flake] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    first: Record | None = None

    def add(self, perturbation: Perturbation, record: Record) -> None:
        """Compare a run with the first one."""
        self.first = self.first or record
        self.keys.append(record.key)
        changed = _changed(self.kind, self.first, record)
        if changed or self._shows_other_things(record):
            self.flakes.append(Flake(perturbation, changed[:_SHOWN]))

    def _shows_other_things(self, record: Record) -> bool:
        if self.kind != "reference" or self.first is None:
            return False
        return record.result.observations_hmac != self.first.result.observations_hmac

    def repeated(self) -> Repeated:
        """Return the runs as a value."""
        keys = tuple(sorted(set(self.keys)))
        return Repeated(self.task.id, self.kind, len(self.keys), tuple(self.flakes), keys)


def _changed(kind: Kind, first: Record, record: Record) -> tuple[str, ...]:
    """Return the checks that end otherwise than they must: all pass, or each as in the first run.

    How a wrong program fails a check, by an answer or by a hang, is no part of its verdict.
    """
    failed = _failed(record)
    return tuple(sorted(failed if kind == "reference" else failed ^ _failed(first)))


def _failed(record: Record) -> frozenset[str]:
    return frozenset(check for check, verdict in record.result.checks if verdict != "pass")
