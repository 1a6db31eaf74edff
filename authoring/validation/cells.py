"""The cells of the matrix: which programs a task is tried with, and what each must do (DESIGN.md 4.6)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from authoring.model.evidence import Record
from authoring.model.execution import Perturbation
from authoring.scenario.rewrites import rewrites_of
from authoring.validation.perturbations import repeats
from authoring.validation.probes import attack
from authoring.variants.hardcoded import hardcode
from authoring.variants.material import VariantTask

__all__ = ["Cell", "Kind", "cells_of", "complaint"]

Kind = Literal["broken", "hard negative", "reference", "alternative", "hard-coded", "attack"]


@dataclass(frozen=True, slots=True)
class Cell:
    """One program under one perturbation."""

    kind: Kind
    name: str
    source: str
    python: str = ""
    perturbation: Perturbation = field(default_factory=Perturbation)

    @property
    def must_pass(self) -> bool:
        """Whether every check must pass."""
        return self.kind in ("reference", "alternative")


def cells_of(
    task: VariantTask,
    *,
    times: int,
    alternatives: int,
    pythons: Sequence[str],
    attacks: Sequence[str],
    seed: int,
) -> Iterator[Cell]:
    """Yield a task's cells, the cheapest and most telling first.

    ``times`` is how often the reference runs, each time perturbed otherwise; ``pythons`` are interpreters,
    the task's own first. The do-nothing candidate is broken itself.
    """
    for number, (python, perturbation) in enumerate(repeats(times, tuple(pythons))):
        yield Cell("reference", f"repeat {number + 1}", task.reference, python, perturbation)
    first = pythons[0]
    yield Cell("broken", "unchanged", task.program, first)
    if task.hard_negative:
        yield Cell("hard negative", "hard negative", task.hard_negative, first)
    table = hardcode(task.program, task.reference, [check.params for check in task.public.checks])
    if table is not None:
        yield Cell("hard-coded", "public answers", table, first)
    for rewriting in rewrites_of(task.reference, alternatives, seed):
        yield Cell("alternative", " ".join(rewriting.steps), rewriting.source, first)
    for name in attacks:
        yield Cell("attack", name, attack(name, task.program, task.scenarios), first)


def complaint(task: VariantTask, cell: Cell, record: Record) -> tuple[str, str] | None:
    """Return the code and the sentence of what is wrong with a cell's record, or None.

    Sentences name checks by id and never quote anything hidden.
    """
    public = {check.id for check in task.public.checks}
    failed = [check for check, verdict in record.result.checks if verdict != "pass"]
    outside = [check for check in failed if check not in public]
    inside = [check for check in failed if check in public]
    if record.result.verdict == "grader-fault":
        return "VAL011", f"the grader failed on {cell.kind} ({cell.name})"
    if cell.must_pass:
        return _rejected(cell, failed)
    if cell.kind == "attack":
        return ("VAL009", f"the attack {cell.name} passes") if not failed else None
    if cell.kind == "broken" and not inside:
        return "VAL001", "the program to repair passes every public check"
    if not outside:
        codes = {"broken": "VAL002", "hard negative": "VAL003", "hard-coded": "VAL008"}
        return codes[cell.kind], f"{cell.kind} ({cell.name}) passes every hidden check and the pool"
    return _off_pattern(task, cell, record)


def _rejected(cell: Cell, failed: Sequence[str]) -> tuple[str, str] | None:
    if not failed:
        return None
    code = "VAL007" if cell.kind == "alternative" else "VAL005" if cell.name == "repeat 1" else "VAL006"
    shown = ", ".join(failed[:3]) + (f" and {len(failed) - 3} more" if len(failed) > 3 else "")
    return code, f"{cell.kind} ({cell.name}) fails {shown}"


def _off_pattern(task: VariantTask, cell: Cell, record: Record) -> tuple[str, str] | None:
    if cell.kind != "hard negative":
        return None
    wanted = task.spec.patterns.get("hard_negative", "").replace("/", "")
    verdicts = dict(record.result.checks)
    order = [check.id for check in (*task.public.checks, *task.hidden.checks)]
    seen = "".join("1" if verdicts[check] == "pass" else "0" for check in order)
    return (
        ("VAL004", f"the hard negative's pattern is {seen} and not {wanted}")
        if wanted and seen != wanted
        else None
    )
