"""Whether reduced programs behave like the releases that they stand for, on inputs that nobody has seen."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from authoring.model.digest import canonical, value_digest
from authoring.model.execution import How, Observed, Outcome, Package, Request, Runner
from authoring.model.observation import Compare, normalised
from authoring.model.variants import VersionName
from authoring.model.wire import Wire, sort_key
from authoring.scenario.inputs import in_order, is_same
from tests.measures.answers import program_answers, release_answers, shown
from tests.measures.committed import Committed
from tests.measures.inside import RecordedCall, outer_differences, recorded_calls

__all__ = ["SEED", "Difference", "Faithfulness", "faithfulness"]

SEED = 104_729
"""The product draws with seeds of its own."""

_LOOKED_AT = 40
"""Differences of which it is found out whether a release itself is unsteady there, at most."""


@dataclass(frozen=True, slots=True)
class Difference:
    """An input on which a program does not behave like its release."""

    version: VersionName
    origin: str
    """``drawn`` or ``mutated``; ``frame`` and ``outer`` at an entry inside the package."""
    request: Request
    program: Outcome
    release: Outcome
    is_alone: bool = True
    """Whether they differ too where nothing was asked before."""

    def __str__(self) -> str:
        """Return one line for people."""
        told = "" if self.is_alone else " (only after other calls)"
        given = f"{self.request.scenario}({canonical(self.request.params).decode()})"[:300]
        what = f"the program {shown(self.program)}, the release {shown(self.release)}"
        return f"{self.version}, {self.origin}: {given}: {what}{told}"


@dataclass(slots=True)
class Faithfulness:
    """What was measured of one contract."""

    id: str
    versions: tuple[VersionName, ...]
    inputs: dict[str, int] = field(default_factory=dict)
    """Inside the domain, by origin."""
    outside: int = 0
    """Inputs on which the reference's release has no behaviour that the contract covers."""
    compared: int = 0
    """Pairs of outcomes that were compared: inputs times versions."""
    unsteady: int = 0
    """Pairs that were left out since the release itself answers now so and now so."""
    differences: list[Difference] = field(default_factory=list)
    distinct: int = 0
    """Different observations of the reference over the pools."""
    pooled: int = 0
    recorded: int | None = None
    """Distinct arguments that outer inputs gave an entry inside the package."""

    @property
    def equal(self) -> int:
        """Pairs that agree."""
        return self.compared - len(self.differences)


def faithfulness(one: Committed, runner: Runner, count: int = 500, seed: int = SEED) -> Faithfulness:
    """Compare every program with its release on ``count`` drawn and ``count`` mutated inputs, scenarios in turn."""
    measured = Faithfulness(one.id, tuple(one.programs))
    scenarios = _scenarios(one)
    given = _inputs(one, runner, scenarios, count, seed)
    if one.inside is None:
        for origin, requests in given.items():
            inside = _inside_domain(one, requests, measured)
            measured.inputs[origin] = len(inside)
            _compare(one, runner, origin, inside, measured)
    else:
        _compare_inside(one, runner, given, measured)
    _look_at_differences(one, runner, measured)
    _look_at_pools(one, runner, measured)
    return measured


def _scenarios(one: Committed) -> list[str]:
    if one.inside is not None:
        return sorted(one.seen)
    specs = one.stored.contract.scenarios
    return [spec.id for spec in specs if spec.level == "both" and spec.relation_of is None]


def _inputs(
    one: Committed, runner: Runner, scenarios: Sequence[str], count: int, seed: int
) -> dict[str, list[Request]]:
    share = -(-count // max(len(scenarios), 1))
    how, domain = one.releases.how, one.stored.domain
    drawn: list[Request] = []
    mutated: list[Request] = []
    for name in scenarios:
        wires = runner.draw(domain, name, share, seed, how)
        drawn += [Request(name, in_order(wire)) for wire in wires]
        seen = one.seen.get(name, [])
        near = runner.mutate(seen, share, seed + 1, how, domain=domain, scenario=name) if seen else []
        mutated += [Request(name, in_order(wire)) for wire in near]
    return {"drawn": drawn[:count], "mutated": mutated[:count]}


def _inside_domain(one: Committed, requests: Sequence[Request], measured: Faithfulness) -> list[Request]:
    """Return the inputs on which the reference's release does what the contract covers."""
    answers = release_answers(one, "reference", requests)
    raises = one.stored.contract.raises
    inside = [
        request for request, answer in zip(requests, answers, strict=True) if _is_covered(answer, raises)
    ]
    measured.outside += len(requests) - len(inside)
    return inside


def _is_covered(answer: Outcome, raises: Sequence[str]) -> bool:
    if not isinstance(answer, Observed) or not answer.observations:
        return False
    raised = answer.observations[-1].get("raised")
    return raised is None or raised["type"] in raises


def _compare(
    one: Committed, runner: Runner, origin: str, requests: Sequence[Request], measured: Faithfulness
) -> None:
    for version in one.programs:
        real = release_answers(one, version, requests)
        own = program_answers(one, runner, version, requests)
        for request, program, release in zip(requests, own, real, strict=True):
            measured.compared += 1
            if not is_same(program, release, one.compares.get(request.scenario)):
                measured.differences.append(Difference(version, origin, request, program, release))


def _compare_inside(
    one: Committed, runner: Runner, given: dict[str, list[Request]], measured: Faithfulness
) -> None:
    """Compare at an entry inside the package, on the arguments that outer inputs hand to it."""
    known: dict[str, Request] = {}
    for origin, outer in given.items():
        calls = recorded_calls(one, runner, outer)
        reached = {sort_key(call.request.params): call.request for call in calls if call.request is not None}
        new = [request for key, request in reached.items() if key not in known]
        known |= reached
        measured.inputs[origin] = len(outer)
        _compare(one, runner, origin, _inside_domain(one, new, measured), measured)
        _compare_frames(one, runner, calls, measured)
        _compare_outside(one, runner, calls, measured)
    measured.recorded = len(known)


def _compare_frames(
    one: Committed, runner: Runner, calls: Sequence[RecordedCall], measured: Faithfulness
) -> None:
    """Compare what the reference's program returns with what the recorded frames returned."""
    rows = [(call.request, call.results) for call in calls if call.request and call.results is not None]
    answers = program_answers(one, runner, "reference", [request for request, _ in rows])
    for (request, results), answer in zip(rows, answers, strict=True):
        measured.compared += 1
        recorded = Observed(tuple({"value": result} for result in results))
        if not isinstance(answer, Observed) or _values(answer) != _values(recorded):
            measured.differences.append(Difference("reference", "frame", request, answer, recorded))


def _compare_outside(
    one: Committed, runner: Runner, calls: Sequence[RecordedCall], measured: Faithfulness
) -> None:
    """See that a version which differs from the reference outside differs from it at the entry too."""
    for version, call, release in outer_differences(one, calls):
        measured.compared += 1
        if call.request is None:
            measured.differences.append(Difference(version, "outer", call.outer, Observed(()), release))
            continue
        asked = [call.request]
        (own,) = program_answers(one, runner, version, asked)
        (right,) = program_answers(one, runner, "reference", asked)
        if is_same(own, right, one.compares.get(call.request.scenario)):
            measured.differences.append(Difference(version, "outer", call.outer, own, release))


def _values(answer: Observed) -> list[Wire]:
    return [normalised([{"value": each.get("value")}], Compare()) for each in answer.observations]


def _look_at_differences(one: Committed, runner: Runner, measured: Faithfulness) -> None:
    """Leave out what an unsteady release explains, and tell what shows only after other calls."""
    kept: list[Difference] = []
    for number, each in enumerate(measured.differences):
        if number >= _LOOKED_AT or each.origin in ("frame", "outer"):
            kept.append(each)
        elif _is_unsteady(one, runner, each):
            measured.unsteady += 1
            measured.compared -= 1
        else:
            kept.append(replace(each, is_alone=_differ_alone(one, runner, each)))
    measured.differences = kept


def _is_unsteady(one: Committed, runner: Runner, each: Difference) -> bool:
    how = one.releases.package_how
    package = one.releases.packages[each.version]
    compare = one.compares.get(each.request.scenario)
    seeds = [replace(how, perturbation=replace(how.perturbation, hash_seed=seed)) for seed in (11, 12, 13)]
    return any(not is_same(_ask(runner, package, each, how), each.release, compare) for how in seeds)


def _differ_alone(one: Committed, runner: Runner, each: Difference) -> bool:
    program = one.releases.program(each.version, one.programs[each.version])
    own = runner.observe(program, [each.request], replace(one.releases.how, fork_per_request=True))[0]
    package = one.releases.packages[each.version]
    how = replace(one.releases.package_how, fork_per_request=True)
    compare = one.compares.get(each.request.scenario)
    return not is_same(own, runner.observe(package, [each.request], how)[0], compare)


def _ask(runner: Runner, package: Package, each: Difference, how: How) -> Outcome:
    return runner.observe(package, [each.request], how)[0]


def _look_at_pools(one: Committed, runner: Runner, measured: Faithfulness) -> None:
    seen: set[str] = set()
    for pool in one.stored.base.hidden.pools:
        requests = [Request(pool.scenario, params) for params in pool.inputs]
        measured.pooled += len(requests)
        for answer in program_answers(one, runner, "reference", requests):
            seen.add(value_digest(list(answer.observations) if isinstance(answer, Observed) else str(answer)))
    measured.distinct = len(seen)
