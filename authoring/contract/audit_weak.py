"""What is weak in a contract that is already there: rules, checks and survivors, looked for with another
seed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from authoring.contract.bench import Bench, Expected
from authoring.contract.further import mixed_inputs
from authoring.contract.wrong import suspects_of
from authoring.model.contract import Contract
from authoring.model.execution import How, ObservedTypes, Runner
from authoring.model.progress import Progress
from authoring.model.task import Check, Pool
from authoring.model.variants import VersionName
from authoring.scenario.domain import changed_code
from authoring.scenario.inputs import Input
from authoring.scenario.rewrites import rewrites_of

__all__ = ["Audited", "Survivor", "Weakness", "audit_weak", "bench_for"]

_MUTANTS = 300
_INPUTS = 1200
_REWRITES = 20


@dataclass(frozen=True, slots=True)
class Audited:
    """A contract with its checks and programs, as an audit looks at it."""

    contract: Contract
    programs: Mapping[VersionName, str]
    scenarios: str
    public: Sequence[Check]
    hidden: Sequence[Check]
    pools: Sequence[Pool]


@dataclass(frozen=True, slots=True)
class Survivor:
    """A wrong program that every check and pool accepts."""

    id: str
    source: str
    input: Input
    """An input of the domain that tells it from the reference."""


@dataclass(frozen=True, slots=True)
class Weakness:
    """What an audit found; all empty: nothing."""

    rules_without_checks: tuple[str, ...]
    """``<rule>: no public check`` or ``no hidden check``."""
    idle_checks: tuple[str, ...]
    """Ids of checks that no wrong program fails."""
    survivors: tuple[Survivor, ...]
    overspecified: tuple[tuple[str, str], ...]
    """A check's id and the rewriting of the reference (its steps) that it rejects."""
    tried: int
    """Mutants that some input tells from the reference."""
    accepted_public: int
    """Of these, those that all public checks accept."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found."""
        return not (self.rules_without_checks or self.idle_checks or self.survivors or self.overspecified)


def bench_for(contract: Contract, scenarios: str, runner: Runner, how: How, module: str = "program") -> Bench:
    """Return the bench on which a contract's programs are tried."""
    compares = {spec.id: spec.compare for spec in contract.scenarios}
    types = ObservedTypes(
        raises=contract.raises,
        records=contract.types.records,
        enums=contract.types.enums,
        iterators=contract.types.iterators,
        messages=any(compare.exception == "type+message" for compare in compares.values()),
    )
    bench = Bench(runner, how, scenarios, types, compares, module)
    bench.observer.functions.update({spec.id: spec.function for spec in contract.scenarios})
    return bench


def audit_weak(
    audited: Audited, runner: Runner, how: How, progress: Progress, *, seed: int = 1, effort: float = 1.0
) -> Weakness:
    """Try mutants and rewritings that drafting did not see, and inputs from another seed.

    ``effort`` scales the 300 mutants, 1200 inputs and 20 rewritings that are usual.
    """
    bench = bench_for(audited.contract, audited.scenarios, runner, how)
    reference, broken = audited.programs["reference"], audited.programs["broken"]
    checks = {Input(check.scenario, check.params).key: check for check in (*audited.public, *audited.hidden)}
    held = _held(audited)
    expected = bench.expected(reference, held, audited.contract.raises)
    searched = _searched(audited, bench, held, seed=seed, count=int(_INPUTS * effort))
    known = bench.expected(reference, searched, audited.contract.raises)
    suspects = [(one.id, one.source) for one in suspects_of(broken, reference, int(_MUTANTS * effort))]
    suspects += [(name, source) for name, source in sorted(audited.programs.items()) if name != "reference"]
    progress.phase("look for weak checks", len(suspects))
    failed: set[str] = set()
    survivors = []
    tried = accepted = 0
    public = {Input(check.scenario, check.params).key for check in audited.public}
    for name, source in suspects:
        row = bench.row(
            source, [one for one in held if one.key in expected], expected, is_full=True, hangs_cap=20
        )
        failed |= row.fails
        progress.step(name)
        told = None if row.fails else _told(bench, source, searched, known)
        if row.fails or told is not None:
            tried += 1
            accepted += not row.fails & public
        if told is not None:
            survivors.append(Survivor(name, source, told))
        bench.observer.forget(bench.program(source))
    return Weakness(
        rules_without_checks=tuple(_rules_without_checks(audited)),
        idle_checks=tuple(sorted(check.id for key, check in checks.items() if key not in failed)),
        survivors=tuple(survivors),
        overspecified=tuple(_overspecified(bench, audited, seed=seed, count=int(_REWRITES * effort))),
        tried=tried,
        accepted_public=accepted,
    )


def _held(audited: Audited) -> list[Input]:
    """Return the inputs of all checks and pools, each once."""
    inputs = [Input(check.scenario, check.params) for check in (*audited.public, *audited.hidden)]
    inputs += [Input(pool.scenario, params) for pool in audited.pools for params in pool.inputs]
    return list({one.key: one for one in inputs}.values())


def _searched(audited: Audited, bench: Bench, held: Sequence[Input], *, seed: int, count: int) -> list[Input]:
    """Return inputs around those held, from another seed, that the reference ends on."""
    made = mixed_inputs(held, changed_code(audited.programs), seed=seed + 7919, count=count)
    inside = bench.expected(audited.programs["reference"], made, audited.contract.raises)
    return [one for one in made if one.key in inside]


def _told(bench: Bench, source: str, inputs: Sequence[Input], expected: Expected) -> Input | None:
    row = bench.row(source, inputs, expected)
    return next((one for one in inputs if one.key in row.fails), None)


def _rules_without_checks(audited: Audited) -> list[str]:
    found = []
    for rule in audited.contract.rules:
        for tier, checks in (("public", audited.public), ("hidden", audited.hidden)):
            if not any(rule.id in check.rules for check in checks):
                found.append(f"{rule.id}: no {tier} check")
    return found


def _overspecified(bench: Bench, audited: Audited, *, seed: int, count: int) -> list[tuple[str, str]]:
    """Return checks that reject a program which does the same as the reference in another shape."""
    checks = [*audited.public, *audited.hidden]
    inputs = [Input(check.scenario, check.params) for check in checks]
    expected = {one.key: check.expect for one, check in zip(inputs, checks, strict=True)}
    found = []
    for made in rewrites_of(audited.programs["reference"], count, seed):
        row = bench.row(made.source, inputs, expected, is_full=True, hangs_cap=len(inputs) + 1)
        found += [
            (check.id, ", ".join(made.steps))
            for check, one in zip(checks, inputs, strict=True)
            if one.key in row.fails
        ]
    return found
