"""Fill the matrix of a task, cell by cell, and say what does not hold."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from authoring.model.digest import keyed_digest, sha256_hex
from authoring.model.evidence import Record
from authoring.model.execution import Package
from authoring.model.progress import Progress
from authoring.validation.cells import Cell, cells_of, complaint
from authoring.validation.flake import flake_bound
from authoring.validation.judge import Judge, Judged, program_of
from authoring.validation.outside import Outside
from authoring.validation.probes import ATTACKS
from authoring.variants.material import VariantTask, observed_types

__all__ = ["Complaint", "LaterRelease", "Plan", "Validation", "judge_cell", "validate"]


_RELEASE_CALL_CPU_S = 2.0


@dataclass(frozen=True, slots=True)
class LaterRelease:
    """A later release of the package in which the reproducer passes: a natural alternative."""

    label: str
    package: Package
    sha256: str


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is tried."""

    times: int = 20
    """Runs of the reference of each variant."""
    alternatives: int = 20
    """Rewrites of the reference of ``base``."""
    alternatives_elsewhere: int = 2
    """Rewrites of the reference of every other variant."""
    pythons: tuple[str, ...] = ("",)
    """Interpreters of the repeats, the task's own first."""
    attacks: tuple[str, ...] = tuple(ATTACKS)
    """Attacks on the grader that are tried on ``base``; every other variant sees one of them."""
    later: tuple[LaterRelease, ...] = ()


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing that does not hold."""

    code: str
    task: str
    message: str
    release: str = ""
    """The later release that it is about."""


@dataclass(frozen=True, slots=True)
class Validation:
    """What filling the matrix showed."""

    records: dict[str, tuple[str, ...]]
    """Keys of the evidence by task id, sorted."""
    complaints: tuple[Complaint, ...]
    flake_bounds: dict[str, float]
    """Upper bound on the flake rate by task id, at 95 percent confidence."""
    counts: dict[str, int] = field(default_factory=dict)
    """Cells by kind."""

    @property
    def holds(self) -> bool:
        """Whether nothing is to be complained of and something was judged."""
        return not self.complaints and bool(self.records)


def validate(
    tasks: Sequence[VariantTask], judge: Judge, outside: Outside, plan: Plan, progress: Progress
) -> Validation:
    """Return the filled matrix of the tasks; cells whose evidence exists are not run again.

    ``judge`` runs our own programs through the warm server, ``outside`` judges as strangers' programs are.
    """
    progress.phase("validate", total=len(tasks))
    found = []
    for number, task in enumerate(tasks):
        found.append(_validated(task, judge, outside, plan, number))
        progress.step(task.id)
    kinds = [cell.kind for each in found for cell in each.cells]
    return Validation(
        records={each.task: each.keys for each in found},
        complaints=tuple(complaint for each in found for complaint in each.complaints),
        flake_bounds={each.task: each.flake_bound for each in found},
        counts={kind: kinds.count(kind) for kind in sorted(set(kinds))},
    )


@dataclass(frozen=True, slots=True)
class _Found:
    task: str
    cells: tuple[Cell, ...]
    keys: tuple[str, ...]
    complaints: tuple[Complaint, ...]
    flake_bound: float


def _validated(task: VariantTask, judge: Judge, outside: Outside, plan: Plan, number: int) -> _Found:
    is_base = task.spec.id == "base"
    cells = tuple(
        cells_of(
            task,
            times=plan.times,
            alternatives=plan.alternatives if is_base else plan.alternatives_elsewhere,
            pythons=plan.pythons,
            attacks=plan.attacks if is_base else _turn(plan.attacks, number),
            seed=int(keyed_digest(judge.key, "alternatives", task.id)[:8], 16),
        )
    )
    cells, records = _judged(task, cells, judge, outside)
    complaints = [
        Complaint(said[0], task.id, said[1])
        for cell, record in zip(cells, records, strict=True)
        if (said := complaint(task, cell, record)) is not None
    ]
    repeated = [
        record
        for cell, record in zip(cells, records, strict=True)
        if cell.kind == "reference" and not cell.is_outside
    ]
    complaints += _unsteady(task, repeated, complaints)
    if is_base:
        later = [_later(task, release, judge) for release in plan.later]
        records += [record for record, _ in later]
        complaints += [said for _, said in later if said is not None]
    flakes = sum(record.result.verdict != "pass" for record in repeated)
    keys = tuple(sorted({record.key for record in records}))
    return _Found(task.id, cells, keys, tuple(complaints), flake_bound(len(repeated), flakes))


def _judged(
    task: VariantTask, cells: tuple[Cell, ...], judge: Judge, outside: Outside
) -> tuple[tuple[Cell, ...], list[Record]]:
    """Return the cells that could be judged with their records: strangers' only where the reference passes."""
    own = [(cell, judge_cell(task, cell, judge)) for cell in cells if not cell.is_outside]
    if all(record.result.verdict == "pass" for cell, record in own if cell.kind == "reference"):
        own += [(cell, outside.judge(task, cell.source)) for cell in cells if cell.is_outside]
    return tuple(cell for cell, _ in own), [record for _, record in own]


def _turn(attacks: Sequence[str], number: int) -> Sequence[str]:
    """Return one attack, the variants taking turns: what is attacked is the grader, and that is the same for
    all.
    """
    return attacks[number % len(attacks) :][:1] if attacks else ()


def judge_cell(task: VariantTask, cell: Cell, judge: Judge) -> Record:
    """Judge a cell; a program that must fail sees the pools only where no hidden check rejects it."""
    asked = Judged(
        task,
        program_of(task, cell.source),
        sha256_hex(cell.source.encode()),
        cell.python,
        cell.perturbation,
        cell.must_pass,
    )
    record = judge.judge(asked)
    hidden = {check.id for check in task.hidden.checks}
    if cell.must_pass or any(
        check in hidden and verdict != "pass" for check, verdict in record.result.checks
    ):
        return record
    return judge.judge(Judged(task, asked.subject, asked.subject_sha256, cell.python, cell.perturbation))


def _unsteady(task: VariantTask, repeated: Sequence[Record], known: Iterable[Complaint]) -> list[Complaint]:
    """Return a complaint where repeats passed and yet saw different things."""
    if any(each.code in ("VAL005", "VAL006") for each in known):
        return []
    seen = {record.result.observations_hmac for record in repeated}
    return (
        [Complaint("VAL006", task.id, "the reference shows different things in repeats")]
        if len(seen) > 1
        else []
    )


def _later(task: VariantTask, release: LaterRelease, judge: Judge) -> tuple[Record, Complaint | None]:
    """Judge a release on the outer part of a task; its first calls may cost more than those of our programs."""
    limits = replace(
        judge.how.limits, import_s=20.0, call_cpu_s=_RELEASE_CALL_CPU_S, call_s=20.0, run_s=180.0
    )
    patient = replace(judge, how=replace(judge.how, limits=limits))
    package = replace(release.package, scenarios=task.scenarios, types=observed_types(task.contract))
    record = patient.judge(Judged(task, package, release.sha256))
    failed = [check for check, verdict in record.result.checks if verdict != "pass"]
    more = f" and {len(failed) - 3} more" if len(failed) > 3 else ""
    complaint = Complaint("VAL010", task.id, f"it fails {', '.join(failed[:3])}{more}", release.label)
    return record, complaint if failed else None
