"""A relation is kept where the reference keeps it and a wrong program breaks it; else nothing changes."""

import dataclasses
from functools import lru_cache
from pathlib import Path

from authoring.contract import Draft, Material, draft
from authoring.contract.hearing import Alternative
from authoring.contract.relations import is_held
from authoring.model.contract import Contract, ScenarioSpec
from authoring.model.execution import How, Observed, ObservedTypes, Package, Program, Request
from authoring.model.progress import SilentProgress
from authoring.model.wire import encode, sort_key
from authoring.scenario.domain import changed_code, derive_domain
from tests.memory_runner import MemoryRunner
from tests.unit.contract.sample import KEY, SCENARIOS, material
from tests.unit.contract.test_hear import Releases

COUNTING = """SEEN = []


def count(items, least):
    SEEN.clear()
    for item in items:
        if item >= least:
            SEEN.append(item)
    return sum(SEEN)
"""
DOUBLING = """def double(number):
    if number > 9:
        return number + number
    return number + 9
"""


def of_program(reference: str, broken: str, function: str, values: list[dict[str, object]]) -> Material:
    """Return the material of another small program, whose function takes the values' names in order."""
    made = material(broken, reference)
    first = made.capture.checks[0]
    checks = tuple(
        first.model_copy(update={"id": f"check_{n}", "scenario": function, "params": encode(value)})
        for n, value in enumerate(values, 1)
    )
    asked = ", ".join(f'p["{name}"]' for name in values[0])
    programs = {"broken": broken, "reference": reference}
    binding = made.capture.bindings[0].model_copy(update={"name": function})
    return dataclasses.replace(
        made,
        capture=made.capture.model_copy(update={"checks": checks, "bindings": (binding,)}),
        scenarios=f"def {function}(program, p, seen):\n    seen(program.{function}({asked}))\n",
        domain=derive_domain({function: [check.params for check in checks]}, changed_code(programs)),
    )


def drafted(made: Material) -> Draft:
    return draft(made, MemoryRunner(), How(), KEY, SilentProgress())


@lru_cache
def counting() -> Material:
    values = [
        {"items": [3, 1, 2], "least": 2},
        {"items": [5, 5], "least": 5},
        {"items": [], "least": 1},
        {"items": [1, 4, 2, 8], "least": 4},
    ]
    return of_program(COUNTING, COUNTING.replace("item >= least", "item > least"), "count", values)


@lru_cache
def counted() -> Draft:
    return drafted(counting())


@lru_cache
def packed() -> Draft:
    return drafted(material())


def relations(made: Draft) -> list[ScenarioSpec]:
    return [spec for spec in made.contract.scenarios if spec.relation_of is not None]


def broken_by(made: Draft, source: str) -> bool:
    """Return whether a program breaks a relation of the draft on one of its checks."""
    names = {spec.id for spec in relations(made)}
    checks = [check for check in (*made.public, *made.hidden) if check.scenario in names]
    subject = Program(source, "program", made.scenarios, ObservedTypes(raises=made.contract.raises))
    outcomes = MemoryRunner().observe(subject, [Request(c.scenario, c.params) for c in checks], How())
    return any(isinstance(one, Observed) and is_held(one.observations) is False for one in outcomes)


def fails(made: Draft, source: str, scenario: str) -> bool:
    checks = [check for check in (*made.public, *made.hidden) if check.scenario == scenario]
    subject = Program(source, "program", made.scenarios, ObservedTypes(raises=made.contract.raises))
    outcomes = MemoryRunner().observe(subject, [Request(c.scenario, c.params) for c in checks], How())
    pairs = zip(outcomes, checks, strict=True)
    return any(not isinstance(one, Observed) or one.observations != check.expect for one, check in pairs)


def test_a_kept_relation_is_a_scenario_with_checks_in_both_tiers() -> None:
    for made in (packed(), counted()):
        assert relations(made)
        for spec in relations(made):
            assert f"def {spec.function}(program, p, seen):" in made.scenarios
            assert any(check.scenario == spec.id for check in made.public)
            assert any(check.scenario == spec.id for check in made.hidden)


def test_the_scenarios_of_the_reproducer_stay_as_they_are() -> None:
    assert packed().scenarios.startswith(SCENARIOS + "\n\ndef pack_")


def test_the_reference_keeps_a_relation_on_its_checks_and_a_wrong_program_does_not() -> None:
    for made in (packed(), counted()):
        names = {spec.id for spec in relations(made)}
        checks = [check for check in (*made.public, *made.hidden) if check.scenario in names]
        assert all(is_held(check.expect) for check in checks)
        assert any(broken_by(made, source) for _, source in made.mutants)


def test_a_program_that_only_a_relation_tells_is_a_wrong_one_and_the_witness_of_a_rule() -> None:
    made = counted()
    (line,) = [line for line in made.facts.ledger if line.rule == "count-reordered"]
    assert line.witness in dict(made.mutants)
    assert line.witness not in made.facts.equivalent
    assert fails(made, dict(made.mutants)[line.witness], "count_reordered")
    assert not fails(made, dict(made.mutants)[line.witness], "count")
    (rule,) = [rule for rule in made.contract.rules if rule.id == "count-reordered"]
    assert rule.text.startswith("The order of the items")


def test_a_relation_without_a_witness_of_its_own_joins_the_last_rule_in_words() -> None:
    made = packed()
    assert [line.rule for line in made.facts.ledger] == [rule.id for rule in made.contract.rules]
    assert all(line.witness for line in made.facts.ledger)
    assert "Blanks around" in made.contract.rules[-1].text
    assert any("Blanks around" in note for note in made.facts.notes)


def test_no_check_of_a_relation_shows_what_a_pool_or_another_check_holds() -> None:
    for made in (packed(), counted()):
        names = {spec.id for spec in relations(made)}
        own = [sort_key(c.params) for c in (*made.public, *made.hidden) if c.scenario in names]
        others = {sort_key(c.params) for c in (*made.public, *made.hidden) if c.scenario not in names}
        others |= {sort_key(params) for pool in made.pools for params in pool.inputs}
        assert len(set(own)) == len(own)
        assert not set(own) & others


def test_where_no_relation_tells_anything_nothing_is_added() -> None:
    values: list[dict[str, object]] = [{"number": n} for n in (3, 9, 10, 14, 40)]
    made = of_program(DOUBLING, DOUBLING.replace("> 9", "> 20"), "double", values)
    found = drafted(made)
    assert relations(found) == []
    assert found.scenarios == made.scenarios


def test_no_relation_is_made_of_an_entry_that_other_releases_need_not_have() -> None:
    found = drafted(dataclasses.replace(counting(), is_inside=True))
    assert relations(found) == []
    assert found.scenarios == counting().scenarios


def test_a_relation_that_a_later_release_does_not_keep_is_left_out() -> None:
    release = Alternative("r1", Package(Path("r1"), ("sample",), "", counting().scenarios))
    runner = Releases(r1=COUNTING.replace("    SEEN.clear()\n", ""))
    found = draft(
        dataclasses.replace(counting(), alternatives=[release]), runner, How(), KEY, SilentProgress()
    )
    assert [heard.verdict for heard in found.facts.later.releases] == ["alternative"]
    assert relations(found) == []


def test_a_relation_on_which_a_program_differs_from_its_release_is_left_out_with_a_note() -> None:
    release = Package(Path("r1"), ("sample",), "", counting().scenarios)
    runner = Releases(r1=COUNTING.replace("    SEEN.clear()\n", ""))
    made = dataclasses.replace(counting(), originals={"reference": release})
    found = draft(made, runner, How(), KEY, SilentProgress())
    assert relations(found) == []
    assert any("count_reordered was left out" in note for note in found.facts.notes)


def edited(contract: Contract, **changes: object) -> Material:
    return dataclasses.replace(counting(), author=contract.model_copy(update=changes))


def test_an_author_who_takes_a_relation_out_of_the_contract_is_not_given_it_again() -> None:
    contract = counted().contract
    scenarios = tuple(spec for spec in contract.scenarios if spec.relation_of is None)
    rules = tuple(rule for rule in contract.rules if rule.id != "count-reordered")
    found = drafted(edited(contract, scenarios=scenarios, rules=rules))
    assert relations(found) == []
    assert [rule.text for rule in found.contract.rules] == [rule.text for rule in rules]


def test_an_author_may_word_a_relations_rule_anew() -> None:
    contract = counted().contract
    rules = tuple(
        rule.model_copy(update={"text": "Counting starts anew."}) if rule.id == "count-reordered" else rule
        for rule in contract.rules
    )
    found = drafted(edited(contract, rules=rules))
    assert found.contract.rules == rules
    assert found.contract.scenarios == contract.scenarios
    assert found.scenarios == counted().scenarios


def test_a_relation_that_stands_in_the_scenarios_already_is_not_written_twice() -> None:
    again = dataclasses.replace(counting(), scenarios=counted().scenarios)
    assert drafted(again).scenarios == counted().scenarios


def test_an_attempt_that_only_a_relation_tells_is_counted_beside_the_hard_negative_that_was_made() -> None:
    attempt = COUNTING.replace("    SEEN.clear()\n", "    SEEN.extend([])\n")
    programs = {**counting().programs, "hard_negative": attempt}
    found = drafted(dataclasses.replace(counting(), programs=programs))
    assert found.hard_negative != attempt
    assert broken_by(found, attempt)
    assert "attempt" in [line.witness for line in found.facts.ledger]
