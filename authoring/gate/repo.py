"""Judge a revision or a package's release by the hidden checks of the variants ``base``, through
``original.py``.
"""

import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from authoring.gate.decide import Outcome
from authoring.gate.frozen import Frozen, FrozenTask
from authoring.model.capture import Capture
from authoring.model.errors import UsageError
from authoring.model.evidence import Record, Verdict
from authoring.model.execution import Package, Perturbation
from authoring.model.progress import Progress
from authoring.validation.judge import Judge, Judged
from authoring.variants.material import observed_types

__all__ = ["Bound", "Candidate", "bound_contracts", "judge_candidate"]

_SEEDS = (0, 20_011)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tree that may hold what some contracts are about."""

    tree: Path
    sha256: str
    top_levels: tuple[str, ...]
    """Import names of the tree."""
    label: str
    """``package==version`` or a commit's id."""
    package: str = ""
    """The distribution's name, where the candidate is a release."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A contract of the release, bound to the package by its ``original.py``."""

    task: FrozenTask
    modules: tuple[str, ...]
    original: str


def bound_contracts(frozen: Frozen, candidate: Candidate) -> list[Bound]:
    """Return the contracts of the release that the candidate's tree is about, by contract id.

    A contract is about a tree that holds its import name and, where the candidate is a release, about that
    package.
    """
    found = []
    for task in frozen.tasks:
        if task.variant.spec.id != "base":
            continue
        bound = _bound(frozen, task)
        is_there = bound.modules[0].partition(".")[0] in candidate.top_levels
        origin = task.variant.contract.origin.package
        if is_there and (not candidate.package or _plain(origin) == _plain(candidate.package)):
            found.append(bound)
    return sorted(found, key=lambda each: each.task.variant.id)


def _plain(name: str) -> str:
    return name.replace("_", "-").replace(".", "-").lower()


def _bound(frozen: Frozen, task: FrozenTask) -> Bound:
    contract = task.variant.contract.id
    try:
        original = frozen.private[f"contracts/{contract}/original.py"].decode()
        capture = Capture.from_json(frozen.private[f"incidents/{_incident(frozen, contract)}/capture.json"])
    except (KeyError, ValueError) as error:
        raise UsageError(
            "GTE004",
            f"the contract {contract} of the release {frozen.version} has no usable original.py or "
            f"capture.json",
            f"Run `authoring verify {frozen.version}`.",
            stage="gate",
        ) from error
    return Bound(task, capture.modules, original)


def _incident(frozen: Frozen, contract: str) -> str:
    return str(tomllib.loads(frozen.private[f"contracts/{contract}/contract.toml"].decode())["incident"])


def judge_candidate(
    bound: Sequence[Bound], candidate: Candidate, judge_of: Callable[[FrozenTask], Judge], progress: Progress
) -> Iterator[Outcome]:
    """Yield what each contract makes of the candidate: all checks and pools, twice, each time in a fresh box.

    The second run has another hash seed and order; where the two differ the candidate is flaky on that
    contract, which is then not judged. ``judge_of`` gives a judge with the task's dependencies that uses
    fresh boxes.
    """
    progress.phase("judge", total=len(bound))
    for each in bound:
        variant = each.task.variant
        types = observed_types(variant.contract)
        package = Package(candidate.tree, each.modules, each.original, variant.scenarios, types)
        python = variant.contract.environment.python
        judge = judge_of(each.task)
        records = [
            judge.judge(
                Judged(
                    variant,
                    package,
                    candidate.sha256,
                    python=python,
                    perturbation=Perturbation(hash_seed=seed, order=seed),
                )
            )
            for seed in _SEEDS
        ]
        progress.step(variant.id)
        yield _outcome(each, records)


def _outcome(bound: Bound, records: Sequence[Record]) -> Outcome:
    first = records[0]
    variant = bound.task.variant
    verdict: Verdict | None = first.result.verdict
    reason = ""
    if len({(each.result.verdict, each.result.observations_hmac) for each in records}) > 1:
        verdict, reason = None, "it gives different answers under another hash seed or order"
    failed = sum(check != "pass" for _, check in first.result.checks)
    return Outcome(
        task=variant.id,
        group=variant.contract.group,
        verdict=verdict,
        failed=(failed, len(first.result.checks)),
        flake_bound=bound.task.flake_bound,
        evidence=tuple(sorted(each.key for each in records)),
        reason=reason,
    )
