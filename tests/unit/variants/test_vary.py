"""The variants of one contract."""

from dataclasses import replace

import pytest

from authoring.model.errors import RefusedError
from authoring.model.execution import Program, Request
from authoring.model.observation import Compare, observations_digest
from authoring.model.progress import SilentProgress
from authoring.model.task import Check
from authoring.model.wire import encode
from authoring.variants.base import carried_texts, examples_of
from authoring.variants.distance import distance
from authoring.variants.hardcoded import hardcode
from authoring.variants.material import VariantTask, Variation, observed_types
from authoring.variants.observer import input_of
from authoring.variants.rejection import find_witness
from authoring.variants.render import render_source
from authoring.variants.vary import vary
from tests.memory_runner import MemoryRunner
from tests.unit.variants.sample import DOMAIN, KEY, PROGRAMS, SCENARIOS, material, tools


@pytest.fixture(scope="module")
def variation() -> Variation:
    return vary(material(), tools(), SilentProgress())


def outcomes(task: VariantTask, source: str, checks: tuple[Check, ...]) -> list[object]:
    subject = Program(source, "program", task.scenarios, observed_types(task.contract))
    asked = [Request(check.scenario, check.params) for check in checks]
    return [
        getattr(seen, "observations", seen) for seen in MemoryRunner().observe(subject, asked, tools().how)
    ]


def test_there_are_two_public_and_three_hidden_variants(variation: Variation) -> None:
    tiers = {spec.id: spec.tier for spec in variation.variants.variants}
    assert tiers == {"base": "public", "p2": "public", "h1": "hidden", "h2": "hidden", "h3": "hidden"}


def test_the_template_renders_the_base_byte_for_byte(variation: Variation) -> None:
    constants = {"limit": 40, "page": "too large"}
    for version, source in PROGRAMS.items():
        assert render_source(variation.template, version, constants) == source


def test_every_expectation_is_what_this_variants_reference_gives(variation: Variation) -> None:
    for task in variation.tasks:
        for checks in (task.public.checks, task.hidden.checks):
            assert outcomes(task, task.reference, checks) == [check.expect for check in checks]


def test_every_pool_digest_is_of_what_this_variants_reference_gives(variation: Variation) -> None:
    task = variation.tasks[-1]
    (pool,) = task.hidden.pools
    subject = Program(task.reference, "program", task.scenarios, observed_types(task.contract))
    asked = [Request(pool.scenario, params) for params in pool.inputs]
    seen = [getattr(one, "observations", ()) for one in MemoryRunner().observe(subject, asked, tools().how)]
    digests = [observations_digest(KEY, "pool", one, Compare(), task.id, n) for n, one in enumerate(seen)]
    assert list(pool.expect_hmac) == digests
    assert len(digests) == 200


def test_wrong_programs_fail_in_every_variant_and_the_reference_never(variation: Variation) -> None:
    for task in variation.tasks:
        public, hidden = task.spec.patterns["broken"].split("/")
        assert "0" in public
        assert "0" in hidden
        assert set(task.spec.patterns["reference"]) == {"1", "/"}
        assert "0" in task.spec.patterns["hard_negative"].split("/")[1]


def test_a_hidden_variant_shares_no_input_with_a_public_one_and_differs_in_more_than_names(
    variation: Variation,
) -> None:
    def inputs(task: VariantTask) -> list[str]:
        return [repr((c.scenario, c.params)) for checks in (task.public, task.hidden) for c in checks.checks]

    shown = {each for task in variation.tasks if task.spec.tier == "public" for each in inputs(task)}
    for task in variation.tasks:
        if task.spec.tier == "hidden":
            assert not shown & set(inputs(task))
            assert task.spec.constants or task.spec.shapes or task.spec.fault


def test_names_change_in_program_scenarios_and_prompt_alike(variation: Variation) -> None:
    task = variation.tasks[1]
    new = task.spec.vocabulary["count_pages"]
    assert f"def {new}(" in task.program
    assert f"program.{new}(" in task.scenarios
    assert f"`{new}`" in task.prompt
    assert "count_pages" not in task.program + task.scenarios + task.prompt
    assert task.contract.raises == (task.spec.vocabulary["PageError"],)


def test_a_prompt_says_the_public_checks_of_its_own_variant(variation: Variation) -> None:
    for task in variation.tasks:
        said = examples_of(task.public.checks)
        first = task.public.checks[0]
        assert f"`{first.id}`: {said[first.id]}" in task.prompt


def test_every_hidden_variant_rejects_something_that_its_public_checks_accept(variation: Variation) -> None:
    for task in variation.tasks:
        if task.spec.tier == "hidden":
            assert find_witness(task, tools()) is not None


def test_the_same_key_gives_the_same_variants_and_another_key_others(variation: Variation) -> None:
    assert vary(material(), tools(), SilentProgress()) == variation
    other = vary(material(), tools(key=b"o" * 32), SilentProgress())
    assert other.tasks[2].hidden.pools != variation.tasks[2].hidden.pools


def test_a_program_that_offers_no_difference_is_refused_with_a_code() -> None:
    with pytest.raises(RefusedError) as caught:
        vary(material(), tools(shapes={}, mutants_of=lambda source: []), SilentProgress())
    assert caught.value.code == "VAR007"


def test_hard_coded_answers_pass_the_public_checks_and_fail_hidden_ones(variation: Variation) -> None:
    task = variation.tasks[0]
    program = hardcode(task.program, task.reference, [check.params for check in task.public.checks])
    assert program is not None
    assert outcomes(task, program, task.public.checks) == [check.expect for check in task.public.checks]
    assert outcomes(task, program, task.hidden.checks) != [check.expect for check in task.hidden.checks]


def test_distance_is_blind_to_names_literals_comments_and_dead_code() -> None:
    left = "def f(x):\n    '''Text.'''\n    return x + 1\n    print(x)\n"
    right = "def g(value):\n    # why\n    return value + 200\n\n\ndef _unused():\n    pass\n"
    assert distance(left, right) == 0
    assert 0 < distance(left, "def f(x):\n    return x + 1 if x else 0\n") <= 1


def test_a_keyword_that_only_the_domain_can_carry_is_never_renamed() -> None:
    scenarios = SCENARIOS.replace('p["total"], size=p["size"]', 'p["total"], **p["options"]')
    domain = DOMAIN.replace(
        '"size": st.integers(1, 9)', '"options": st.fixed_dictionaries({"size": st.integers(1, 9)})'
    )
    sample = material()
    one = sample.public[0].model_copy(update={"params": encode({"total": 7, "options": {}})})
    names = carried_texts(replace(sample, scenarios=scenarios, domain=domain, pools=()), [input_of(one)])
    assert "size" in names
