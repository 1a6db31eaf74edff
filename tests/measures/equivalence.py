"""The search for an input that tells a mutant from its reference: ten times the product's, with another seed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff

from authoring.contract.audit_weak import bench_for
from authoring.contract.bench import Bench, Expected
from authoring.contract.further import mixed_inputs
from authoring.model.digest import canonical
from authoring.model.execution import How, Observed, Request
from authoring.model.wire import Wire
from authoring.scenario.domain import changed_code
from authoring.scenario.inputs import Input, in_order, weight
from authoring.taskrepo.stages.work import Work
from tests.measures.answers import release_answers
from tests.measures.committed import Committed
from tests.measures.inside import recorded_calls

__all__ = ["Survivor", "told_apart"]

_SEED = 15_485_863
_EFFORT = 10
_TABLE, _FURTHER, _GUIDED = 480, 520, 48
"""What the product tries each on: drawn and mixed inputs, further ones, and those around the mutant's own lines."""
_STOCK = 200
_AT_ONCE = 500
_TRIED = 40
"""Telling inputs of one mutant that are looked at for being inside, at most."""


@dataclass(frozen=True, slots=True)
class Survivor:
    """A mutant that every check and pool accepts although an input tells it from the reference."""

    difference: tuple[str, ...]
    """The lines that it takes from the reference and puts in their place."""
    input: Input

    def __str__(self) -> str:
        """Return one line for people."""
        given = canonical(self.input.params).decode()[:240]
        return f"{' '.join(self.difference)}   shown by {self.input.scenario}({given})"


def told_apart(one: Committed, work: Work, mutants: Sequence[str], how: How) -> tuple[int, list[Survivor]]:
    """Return on how many inputs each mutant was tried, and those that some input tells from the reference."""
    base = one.stored.base
    bench = bench_for(base.contract, base.scenarios, work.runner, how)
    inputs = list(_inputs(one, work, bench))
    expected = _expected(one, bench, inputs)
    inside = [each for each in inputs if each.key in expected]
    survivors = []
    for mutant in mutants:
        told = _told(one, bench, mutant, inside, expected)
        if told is None and one.inside is None:
            guided = _guided(one, mutant, inside)
            told = _told(one, bench, mutant, guided, _expected(one, bench, guided))
        if told is not None:
            survivors.append(Survivor(_difference(base.reference, mutant), told))
        bench.observer.forget(bench.program(mutant))
    return len(inside), survivors


def _inputs(one: Committed, work: Work, bench: Bench) -> Iterator[Input]:
    """Yield inputs, each once: drawn or recorded ones, and mixtures where the domain is open."""
    found: dict[str, Input] = {}
    drawn = _recorded(one, work, bench) if one.inside is not None else []
    specs = [spec for spec in one.stored.contract.scenarios if spec.level != "outer"]
    for spec in specs:
        wires = _drawn(one, work, spec.drawn_as, len(specs), bench.how)
        drawn += [Input(spec.id, wire) for wire in wires]
    for each in drawn:
        found.setdefault(each.key, each)
    if one.inside is None and found:
        lifted = [Input(name, in_order(wire)) for name, wires in sorted(one.seen.items()) for wire in wires]
        start = [*lifted, *list(found.values())[:_STOCK]]
        for each in mixed_inputs(start, changed_code(one.programs), seed=_SEED, count=_EFFORT * _FURTHER):
            found.setdefault(each.key, each)
    yield from found.values()


def _recorded(one: Committed, work: Work, bench: Bench) -> list[Input]:
    """Return what outer inputs hand to an entry inside the package."""
    outer = [
        Request(name, wire)
        for name in sorted(one.seen)
        for wire in _drawn(one, work, name, len(one.seen), bench.how)
    ]
    calls = recorded_calls(one, work.runner, outer)
    return [Input(call.request.scenario, call.request.params) for call in calls if call.request is not None]


def _drawn(one: Committed, work: Work, scenario: str, scenarios: int, how: How) -> Iterator[Wire]:
    """Yield draws in as many parts as the effort is greater: one box draws for a limited time."""
    share = -(-_TABLE // scenarios)
    for part in range(_EFFORT):
        for wire in work.runner.draw(one.stored.domain, scenario, share, _SEED + part, how):
            yield in_order(wire)


def _guided(one: Committed, mutant: str, inside: Sequence[Input]) -> list[Input]:
    """Return inputs mixed with the constants of the lines that a mutant changes."""
    code = changed_code({"broken": mutant, "reference": one.stored.base.reference})
    return mixed_inputs(inside[:60], code, seed=_SEED + 1, count=_EFFORT * _GUIDED)


def _expected(one: Committed, bench: Bench, inputs: Sequence[Input]) -> Expected:
    """Return what the reference observes where that is behaviour."""
    expected: Expected = {}
    for start in range(0, len(inputs), _AT_ONCE):
        part = inputs[start : start + _AT_ONCE]
        reference = one.stored.base.reference
        expected = {**expected, **bench.expected(reference, part, one.stored.contract.raises)}
    return expected


def _told(
    one: Committed, bench: Bench, mutant: str, inputs: Sequence[Input], expected: Expected
) -> Input | None:
    """Return the smallest telling input on which the reference is steady and does what its release does."""
    inside = [each for each in inputs if each.key in expected]
    row = bench.row(mutant, inside, expected)
    telling = sorted((each for each in inside if each.key in row.fails), key=lambda each: weight(each.params))
    for each in telling[:_TRIED]:
        is_steady = not bench.unstable(one.stored.base.reference, [each])
        if is_steady and _is_faithful(one, bench, each, expected):
            return each
    return None


def _is_faithful(one: Committed, bench: Bench, each: Input, expected: Expected) -> bool:
    function = bench.observer.functions.get(each.scenario, each.scenario)
    (real,) = release_answers(one, "reference", [Request(function, each.params)])
    return bench.is_same(each, real, Observed(tuple(expected[each.key])))


def _difference(reference: str, mutant: str) -> tuple[str, ...]:
    lines = unified_diff(reference.splitlines(), mutant.splitlines(), lineterm="", n=0)
    return tuple(f"{line[0]} {line[1:].strip()}" for line in list(lines)[2:] if line[0] in "+-")
