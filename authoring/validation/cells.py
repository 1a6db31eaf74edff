"""The cells of the matrix: which programs a task is tried with, and what each must do (DESIGN.md 4.6)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from authoring.model.evidence import Record
from authoring.model.execution import Perturbation
from authoring.model.perturbations import repeats
from authoring.scenario.rewrites import rewrites_of
from authoring.validation.probes import attack
from authoring.variants.hardcoded import public_answers
from authoring.variants.material import VariantTask

__all__ = ["Cell", "Kind", "cells_of", "complaint"]

Kind = Literal["broken", "hard negative", "reference", "alternative", "hard-coded", "attack"]


@dataclass(frozen=True, slots=True)
class Cell:
    """One program under one perturbation."""

    kind: Kind
    name: str
    source: str
    is_outside: bool = False
    """Whether it is judged as a stranger's program: by the grade service, in fresh boxes."""
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
    the task's own first. The do-nothing candidate is broken itself. Reference, broken, hard negative and
    hard-coded answers are judged as strangers' programs too; attacks only so.
    """
    for number, (python, perturbation) in enumerate(repeats(times, tuple(pythons))):
        name = f"repeat {number + 1}"
        yield Cell("reference", name, task.reference, python=python, perturbation=perturbation)
    first = pythons[0]
    wrong: list[tuple[Kind, str, str]] = [("broken", "unchanged", task.program)]
    if task.hard_negative:
        wrong.append(("hard negative", "hard negative", task.hard_negative))
    table = public_answers(task)
    if table is not None:
        wrong.append(("hard-coded", "public answers", table))
    for kind, name, source in wrong:
        yield Cell(kind, name, source, python=first)
    for rewriting in rewrites_of(task.reference, alternatives, seed):
        yield Cell("alternative", " ".join(rewriting.steps), rewriting.source, python=first)
    for kind, name, source in (("reference", "as a stranger's", task.reference), *wrong):
        yield Cell(kind, name, source, is_outside=True)
    for name in attacks:
        yield Cell("attack", name, attack(name, task.program, task.scenarios), is_outside=True)


def complaint(task: VariantTask, cell: Cell, record: Record) -> tuple[str, str] | None:
    """Return the code and the sentence of what is wrong with a cell's record, or None.

    Sentences name checks by id and never quote anything hidden.
    """
    if record.result.verdict == "grader-fault":
        return "VAL011", f"the grader failed on {cell.kind} ({cell.name})"
    failed = [check for check, verdict in record.result.checks if verdict != "pass"]
    if cell.must_pass:
        return _rejected(cell, failed)
    return _accepted(cell, record) if cell.is_outside else _indistinct(task, cell, record, set(failed))


def _indistinct(task: VariantTask, cell: Cell, record: Record, failed: set[str]) -> tuple[str, str] | None:
    public = {check.id for check in task.public.checks}
    if cell.kind == "broken" and not public & failed:
        return "VAL001", "the program to repair passes every public check"
    if failed <= public and not (cell.kind == "hard-coded" and failed):
        return _HIDDEN[cell.kind], f"{cell.kind} ({cell.name}) passes every hidden check and the pool"
    return _off_pattern(task, record) if cell.kind == "hard negative" else None


_HIDDEN = {"broken": "VAL002", "hard negative": "VAL003", "hard-coded": "VAL008"}


def _accepted(cell: Cell, record: Record) -> tuple[str, str] | None:
    if record.result.verdict != "pass":
        return None
    return _HIDDEN.get(cell.kind, "VAL009"), f"{cell.kind} ({cell.name}) passes as a stranger's program"


def _rejected(cell: Cell, failed: Sequence[str]) -> tuple[str, str] | None:
    if not failed:
        return None
    is_repeat = cell.kind == "reference" and cell.perturbation != Perturbation()
    code = "VAL007" if cell.kind == "alternative" else "VAL006" if is_repeat else "VAL005"
    shown = ", ".join(failed[:3]) + (f" and {len(failed) - 3} more" if len(failed) > 3 else "")
    return code, f"{cell.kind} ({cell.name}) fails {shown}"


def _off_pattern(task: VariantTask, record: Record) -> tuple[str, str] | None:
    wanted = task.spec.patterns.get("hard_negative", "").replace("/", "")
    verdicts = dict(record.result.checks)
    order = [check.id for check in (*task.public.checks, *task.hidden.checks)]
    seen = "".join("1" if verdicts[check] == "pass" else "0" for check in order)
    if not wanted or seen == wanted:
        return None
    return "VAL004", f"the hard negative's pattern is {seen} and not {wanted}"
