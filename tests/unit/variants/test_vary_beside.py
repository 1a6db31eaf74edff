"""Variants of a contract about one of several faults have no input on which another fault shows."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from authoring.model.execution import How, Program, Request
from authoring.model.progress import SilentProgress
from authoring.model.task import Check
from authoring.model.variants import VersionName
from authoring.model.wire import Wire
from authoring.variants.counterparts import places_of
from authoring.variants.material import Material, VariantTask, observed_types
from authoring.variants.rejection import find_witness
from authoring.variants.variant import _with_fault
from authoring.variants.vary import vary
from tests.memory_runner import MemoryRunner
from tests.unit.variants.sample import PROGRAMS, check, material, tools

OWN = PROGRAMS["reference"].replace("row >= start", "row > start")
HARD = PROGRAMS["hard_negative"].replace("row >= start", "row > start")
VERSIONS: dict[VersionName, str] = {
    "broken": PROGRAMS["broken"],
    "hard_negative": HARD,
    "reference": OWN,
}
APART = {"rows": [3, 1], "start": 0, "size": 12}


def part(taken: tuple[Check, ...] = ()) -> Material:
    whole = material()
    return replace(
        whole,
        programs=VERSIONS,
        public=(check(1, "p", "pages", {"total": 7, "size": 3}), check(2, "p", "page", APART)),
        hidden=(
            check(1, "h", "pages", {"total": 10, "size": 9}),
            check(2, "h", "pages", {"total": 8, "size": 3}),
            check(3, "h", "page", {"rows": [5, 5, 6], "start": 4, "size": 2}),
        ),
        repaired=PROGRAMS["reference"],
        taken=taken,
    )


def varied(taken: tuple[Check, ...] = ()) -> tuple[VariantTask, ...]:
    return vary(part(taken), tools(), SilentProgress(), hidden=1).tasks


tasks = lru_cache(varied)


def checks_of(task: VariantTask) -> tuple[Check, ...]:
    return (*task.public.checks, *task.hidden.checks)


def asked() -> Iterator[tuple[str, Wire]]:
    for task in tasks():
        yield from ((one.scenario, one.params) for one in checks_of(task))
        yield from ((pool.scenario, params) for pool in task.hidden.pools for params in pool.inputs)


def test_what_repairs_all_faults_gives_what_the_reference_gives_on_every_input() -> None:
    whole = part()
    requests = [Request(scenario, params) for scenario, params in asked()]
    types = observed_types(whole.contract)
    one, other = (
        MemoryRunner().observe(Program(source, "program", whole.scenarios, types), requests, How())
        for source in (OWN, PROGRAMS["reference"])
    )
    assert len(requests) > 100
    assert one == other


def test_constants_stay() -> None:
    assert [task.spec.constants for task in tasks()] == [{}] * len(tasks())


def test_hidden_variants_differ_in_shape_or_fault() -> None:
    hidden = [task for task in tasks() if task.spec.tier == "hidden"]
    assert hidden
    assert all(task.spec.shapes or task.spec.fault for task in hidden)


def test_another_fault_leaves_something_right_where_some_fault_does() -> None:
    task = tasks()[0]
    crash = task.reference.replace("whole, rest =", "rest =").replace("self.ceiling =", "ceiling =")
    partial = task.reference.replace("    if rest:\n        whole += 1\n", "")
    mutants = [("crash", crash), ("partial", partial)]
    assert crash != task.reference != partial
    for turn in range(3):
        made = _with_fault(task, tools(), mutants, turn)
        assert made.spec.fault == "partial"
        assert find_witness(made, tools()) is not None
    assert _with_fault(task, tools(), mutants[:1], 0).spec.fault == "crash"


def test_no_variant_shows_an_input_of_another_contracts_checks() -> None:
    shown = {place: one for task in tasks()[1:] for one in checks_of(task) for place in places_of([one])}
    others = varied(tuple(shown.values()))
    assert not shown.keys() & {place for task in others[1:] for place in places_of(checks_of(task))}
