"""A variant's relation has inputs of its own, from the domain of the scenario that it is made of."""

from dataclasses import replace

import pytest

from authoring.contract.relations import is_held
from authoring.model.contract import ScenarioSpec
from authoring.model.execution import How, Observed, Program, Request
from authoring.model.progress import SilentProgress
from authoring.model.task import Check
from authoring.model.wire import encode, sort_key
from authoring.variants.counterparts import place
from authoring.variants.material import Material, Variation, observed_types
from authoring.variants.observer import Input
from authoring.variants.vary import vary
from tests.memory_runner import MemoryRunner
from tests.unit.variants.sample import PROGRAMS, SCENARIOS, contract, material, tools

RELATION = """

def page_reordered(program, p, seen):
    for rows in (p["rows"], p["rows"][::-1]):
        listing = program.Listing(rows, limit=9)
        seen(listing.page(p["start"], size=p["size"]))
"""


def check(name: str, rows: list[int]) -> Check:
    params = encode({"rows": rows, "start": 2, "size": 3})
    subject = Program(PROGRAMS["reference"], "program", SCENARIOS + RELATION, observed_types(contract()))
    (seen,) = MemoryRunner().observe(subject, [Request("page_reordered", params)], How())
    assert isinstance(seen, Observed)
    return Check(
        id=name,
        name=name,
        scenario="page_reordered",
        rules=("whole",),
        params=params,
        expect=seen.observations,
    )


def related() -> Material:
    plain = material()
    spec = ScenarioSpec(id="page_reordered", function="page_reordered", level="both", relation_of="page")
    return replace(
        plain,
        contract=plain.contract.model_copy(update={"scenarios": (*plain.contract.scenarios, spec)}),
        scenarios=SCENARIOS + RELATION,
        public=(*plain.public, check("p04", [4, 2, 9])),
        hidden=(*plain.hidden, check("h04", [8, 2, 3, 5]), check("h05", [7, 7, 6])),
    )


@pytest.fixture(scope="module")
def variation() -> Variation:
    return vary(related(), tools(), SilentProgress())


def test_every_variant_has_checks_of_the_relation_and_the_reference_keeps_it_on_them(
    variation: Variation,
) -> None:
    assert len(variation.tasks) == 5
    for task in variation.tasks:
        own = [c for c in (*task.public.checks, *task.hidden.checks) if c.scenario == "page_reordered"]
        assert [c.id for c in own] == ["p04", "h04", "h05"]
        assert all(is_held(c.expect) for c in own)


def test_variants_differ_in_the_inputs_of_the_relation(variation: Variation) -> None:
    shown = [
        sort_key(c.params)
        for task in variation.tasks
        for c in (*task.public.checks, *task.hidden.checks)
        if c.scenario == "page_reordered"
    ]
    assert len(set(shown)) == len(shown)


def test_a_relation_shows_no_input_that_a_pool_or_another_variants_check_of_its_scenario_holds(
    variation: Variation,
) -> None:
    relations: set[tuple[str, str]] = set()
    others: set[tuple[str, str]] = set()
    for task in variation.tasks:
        for c in (*task.public.checks, *task.hidden.checks):
            (relations if c.scenario == "page_reordered" else others).add((c.scenario, sort_key(c.params)))
        others |= {(pool.scenario, sort_key(params)) for pool in task.hidden.pools for params in pool.inputs}
    assert not {("page", params) for _, params in relations} & others


def test_a_relation_and_its_scenario_show_the_same_at_the_same_parameters() -> None:
    params = encode({"rows": [1], "start": 0, "size": 1})
    drawn_as = {spec.id: spec.drawn_as for spec in related().contract.scenarios}
    one, other = Input("page", params), Input("page_reordered", params)
    assert place(one, drawn_as) == place(other, drawn_as)
    assert place(one) != place(other)
