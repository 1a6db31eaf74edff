"""Audit a contract that is already there: wrong programs that it accepts, right ones that it rejects, and
checks and rules that do nothing, looked for with another seed than drafting used.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from authoring.contract.bench import Bench, Expected
from authoring.contract.further import mixed_inputs
from authoring.contract.weakness import Audited, Overspecified, Survivor, Weakness
from authoring.contract.wrong import Suspect, suspects_of
from authoring.model.contract import Contract
from authoring.model.errors import CannotJudgeError
from authoring.model.execution import How, ObservedTypes, Runner
from authoring.model.progress import Progress
from authoring.model.task import Check, pool_id
from authoring.scenario.domain import changed_code
from authoring.scenario.inputs import Input, in_order, weight
from authoring.scenario.rewrites import Rewriting, rewrites_of

__all__ = ["audit_weak", "bench_for"]

_MUTANTS = 300
_INPUTS = 1200
_REWRITES = 20
_HANGS_CAP = 6
"""Calls of a mutant that may hang before it is asked only about checks that no other program fails."""
_SEED = 7919


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

    ``effort`` scales the 300 mutants, 1200 inputs and 20 rewritings that are usual. Raises CannotJudgeError
    VAL105 where the reference does not give what its checks expect: nothing can be told from it then.
    """
    bench = bench_for(audited.contract, audited.scenarios, runner, how)
    bench.beside = audited.repaired
    progress.phase(f"{audited.contract.id}: look at the reference")
    questions = _questions(audited, bench)
    searched = _searched(audited, bench, questions, seed=seed, count=int(_INPUTS * effort))
    trial = _Trial(bench, questions, searched)
    suspects = _suspects(audited, int(_MUTANTS * effort))
    progress.phase(f"{audited.contract.id}: try wrong programs", len(suspects))
    for suspect in suspects:
        trial.add(suspect)
        progress.step()
    idle = trial.idle_checks()
    rewritings = rewrites_of(audited.programs["reference"], int(_REWRITES * effort), seed)
    progress.phase(f"{audited.contract.id}: try rewritings", len(rewritings))
    return Weakness(
        rules_without_checks=tuple(_rules_without_checks(audited)),
        idle_checks=idle,
        survivors=tuple(trial.survivors),
        overspecified=_overspecified(bench, questions, rewritings, progress),
        tried=trial.tried,
        accepted_public=trial.accepted_public,
        rewritings=len(rewritings),
        inputs=len(searched.inputs),
    )


@dataclass(frozen=True, slots=True)
class _Questions:
    """What stands in the contract: inputs by the id of their check or place in a pool, and what is expected."""

    public: dict[str, Input]
    hidden: dict[str, Input]
    pools: dict[str, Input]
    expected: Expected

    @property
    def checks(self) -> dict[str, Input]:
        """The inputs of all checks."""
        return {**self.public, **self.hidden}

    @property
    def inputs(self) -> list[Input]:
        """Every input once, those of checks first."""
        return list({one.key: one for one in (*self.checks.values(), *self.pools.values())}.values())


def _questions(audited: Audited, bench: Bench) -> _Questions:
    """Return the questions, once the reference has answered the checks as they expect."""
    public, hidden = (
        {check.id: _input(check) for check in tier} for tier in (audited.public, audited.hidden)
    )
    stated = {_input(check).key: check.expect for check in (*audited.public, *audited.hidden)}
    reference = audited.programs["reference"]
    asked = list({**public, **hidden}.items())
    row = bench.row(reference, [one for _, one in asked], stated, is_full=True, hangs_cap=len(asked) + 1)
    failed = [check for check, one in asked if one.key in row.fails]
    if failed:
        raise CannotJudgeError(
            "VAL105",
            f"The reference of {audited.contract.id} does not pass its check {failed[0]} here.",
            f"Run: authoring validate {audited.contract.id}",
        )
    pools = {
        pool_id(pool.scenario, index): Input(pool.scenario, params)
        for pool in audited.pools
        for index, params in enumerate(pool.inputs)
    }
    held = bench.expected(reference, list(pools.values()), audited.contract.raises)
    inside = {place: one for place, one in pools.items() if one.key in held}
    return _Questions(public, hidden, inside, {**held, **stated})


def _input(check: Check) -> Input:
    return Input(check.scenario, check.params, check.line_events)


@dataclass(frozen=True, slots=True)
class _Searched:
    """Inputs that no check and no pool holds, with what the reference observes on them."""

    inputs: tuple[Input, ...]
    expected: Expected


def _searched(audited: Audited, bench: Bench, questions: _Questions, *, seed: int, count: int) -> _Searched:
    """Return inputs from another seed that lie inside the domain and on which the reference is stable."""
    held, reference = questions.inputs, audited.programs["reference"]
    known = {one.key for one in held}
    made = list(_drawn(audited, bench, seed=seed, count=count))
    if not audited.is_domain_edited:
        made += mixed_inputs(held, changed_code(audited.programs), seed=seed + _SEED, count=count)
    fresh = list({one.key: one for one in made if one.key not in known}.values())[:count]
    expected = bench.expected(reference, fresh, audited.contract.raises)
    inside = [one for one in fresh if one.key in expected]
    unstable = bench.unstable(reference, inside)
    return _Searched(tuple(one for one in inside if one.key not in unstable), expected)


def _drawn(audited: Audited, bench: Bench, *, seed: int, count: int) -> Iterator[Input]:
    """Draw from domain.py: half of what is looked at, all of it where the author wrote the domain."""
    scenarios = sorted({check.scenario for check in (*audited.public, *audited.hidden)})
    wanted = count if audited.is_domain_edited else count // 2
    share = wanted // max(len(scenarios), 1)
    drawn_as = {spec.id: spec.drawn_as for spec in audited.contract.scenarios}
    for name in scenarios if share else ():
        for wire in bench.runner.draw(
            audited.domain, drawn_as.get(name, name), share, seed + _SEED, bench.how
        ):
            yield Input(name, in_order(wire))


def _suspects(audited: Audited, limit: int) -> list[Suspect]:
    """Return broken, a hard negative, partial fixes and mutants, each text once."""
    programs = audited.programs
    found = [Suspect("broken", "broken", programs["broken"], True)]
    if "hard_negative" in programs:
        found.append(Suspect("hard_negative", "hard_negative", programs["hard_negative"], True))
    distinct: dict[str, Suspect] = {}
    for suspect in [*found, *suspects_of(programs["broken"], programs["reference"], limit)]:
        distinct.setdefault(suspect.source, suspect)
    return list(distinct.values())


@dataclass(slots=True)
class _Trial:
    """What wrong programs did so far."""

    bench: Bench
    questions: _Questions
    searched: _Searched
    survivors: list[Survivor] = field(default_factory=list)
    tried: int = 0
    accepted_public: int = 0
    _failed: set[str] = field(default_factory=set)
    _cut_short: list[str] = field(default_factory=list)
    """Sources of mutants that hang, and so were not asked about every check."""

    def add(self, suspect: Suspect) -> None:
        """Ask a program about the checks, then the pools, then further inputs, until something tells it."""
        checks = list(self.questions.checks.values())
        is_numerous = suspect.kind in ("mutant", "over-correction")
        cap = _HANGS_CAP if is_numerous else len(checks) + 1
        row = self.bench.row(suspect.source, checks, self.questions.expected, is_full=True, hangs_cap=cap)
        self._failed |= row.fails
        if len(row.asked) < len({one.key for one in checks}):
            self._cut_short.append(suspect.source)
        is_rejected = bool(row.fails) or self._fails_pool(suspect)
        told = None if is_rejected else self._told(suspect)
        if told is not None:
            self.survivors.append(Survivor(suspect.id, suspect.source, told))
        if is_rejected or told is not None:
            self.tried += 1
            self.accepted_public += not row.fails & {one.key for one in self.questions.public.values()}
        self.bench.observer.forget(self.bench.program(suspect.source))

    def _fails_pool(self, suspect: Suspect) -> bool:
        pools = list(self.questions.pools.values())
        return bool(self.bench.row(suspect.source, pools, self.questions.expected).fails)

    def _told(self, suspect: Suspect) -> Input | None:
        """Return the smallest of the further inputs that tell a program from the reference."""
        row = self.bench.row(suspect.source, self.searched.inputs, self.searched.expected)
        telling = [one for one in self.searched.inputs if one.key in row.fails]
        return min(telling, key=lambda one: weight(one.params), default=None)

    def idle_checks(self) -> tuple[str, ...]:
        """Return the checks that no wrong program fails, after asking those that were cut short about them."""
        idle = {check: one for check, one in self.questions.checks.items() if one.key not in self._failed}
        for source in self._cut_short:
            left = [one for one in idle.values() if one.key not in self._failed]
            row = self.bench.row(source, left, self.questions.expected, is_full=True, hangs_cap=len(left) + 1)
            self._failed |= row.fails
        return tuple(sorted(check for check, one in idle.items() if one.key not in self._failed))


def _rules_without_checks(audited: Audited) -> Iterator[tuple[str, str]]:
    for rule in audited.contract.rules:
        for tier, checks in (("public", audited.public), ("hidden", audited.hidden)):
            if not any(rule.id in check.rules for check in checks):
                yield rule.id, tier


def _overspecified(
    bench: Bench, questions: _Questions, rewritings: Sequence[Rewriting], progress: Progress
) -> tuple[Overspecified, ...]:
    """Return checks that reject a program which does the same as the reference in another shape."""
    asked = {**questions.checks, **questions.pools}
    inputs = questions.inputs
    rejecting: dict[str, list[Rewriting]] = {}
    for made in rewritings:
        row = bench.row(made.source, inputs, questions.expected, is_full=True, hangs_cap=len(inputs) + 1)
        bench.observer.forget(bench.program(made.source))
        for name, one in asked.items():
            if one.key in row.fails:
                rejecting.setdefault(name, []).append(made)
        progress.step()
    return tuple(Overspecified(name, made[0].steps, len(made)) for name, made in rejecting.items())
