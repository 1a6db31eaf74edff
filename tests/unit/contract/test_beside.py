"""A contract about one of several faults asks nothing of the others."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest

from authoring.contract import Beside, Draft, Material, UnfaithfulInputsError, draft
from authoring.model.execution import How, Observed, ObservedTypes, Package, Program, Request
from authoring.model.observation import equal
from authoring.model.progress import SilentProgress
from authoring.model.task import Check
from authoring.model.wire import Wire
from authoring.scenario.inputs import Input
from tests.memory_runner import MemoryRunner
from tests.unit.contract.sample import BROKEN, KEY, REFERENCE, SCENARIOS, material
from tests.unit.contract.test_hear import Releases

UNTRIMMED = "{label.strip()}", "{label}"
BOTH = BROKEN.replace(*UNTRIMMED)
OWN = REFERENCE.replace(*UNTRIMMED)
RULE = "A count at or above a unit's limit is packed in that unit."
BESIDE = Beside(REFERENCE)


def part(beside: Beside) -> Material:
    """Return the material of the fault in the counts; labels are the other fault."""
    whole = material(broken=BOTH, reference=OWN, rule=RULE)
    capture = whole.capture
    kept = tuple(check for check in capture.checks if check.id != "check_2")
    return replace(whole, capture=capture.model_copy(update={"checks": kept}), beside=beside)


@lru_cache
def sample(beside: Beside = BESIDE) -> Draft:
    return draft(part(beside), MemoryRunner(), How(), KEY, SilentProgress())


def accepted(source: str, checks: Sequence[Check]) -> list[bool]:
    types = ObservedTypes(raises=("ValueError",))
    subject = Program(source, "program", sample().scenarios, types)
    outcomes = MemoryRunner().observe(subject, [Request(one.scenario, one.params) for one in checks], How())
    return [
        isinstance(outcome, Observed) and equal(outcome.observations, one.expect)
        for outcome, one in zip(outcomes, checks, strict=True)
    ]


def pooled() -> list[tuple[str, Wire]]:
    return [(pool.scenario, params) for pool in sample().pools for params in pool.inputs]


def test_a_repair_of_this_fault_and_one_of_all_faults_pass_every_check() -> None:
    checks = (*sample().public, *sample().hidden)
    assert all(accepted(OWN, checks))
    assert all(accepted(REFERENCE, checks))


def test_no_input_of_a_pool_shows_another_fault() -> None:
    requests = [Request(scenario, params) for scenario, params in pooled()]
    seen = [
        MemoryRunner().observe(
            Program(source, "program", sample().scenarios, ObservedTypes(raises=("ValueError",))),
            requests,
            How(),
        )
        for source in (OWN, REFERENCE)
    ]
    assert requests
    assert seen[0] == seen[1]


def test_a_repair_of_another_fault_alone_fails_in_both_tiers() -> None:
    for checks in (sample().public, sample().hidden):
        assert not all(accepted(BROKEN, checks))


def test_its_id_is_the_incidents_with_its_first_rule() -> None:
    contract = sample().contract
    assert (contract.id, contract.incident) == (f"sample-pack--{contract.rules[0].id}", "sample-pack")


def test_an_id_that_an_earlier_contract_has_gets_a_number() -> None:
    first = sample().contract.id
    assert sample(Beside(REFERENCE, ids=(first,))).contract.id == f"{first}-2"


def test_its_words_are_about_itself() -> None:
    contract = sample().contract
    whole = draft(material(rule=RULE), MemoryRunner(), How(), KEY, SilentProgress()).contract
    assert any(RULE in rule.text for rule in whole.rules)
    assert not any(RULE in rule.text for rule in contract.rules)
    assert contract.symptom != whole.symptom
    assert "another fault" in contract.domain


def test_what_the_checks_of_another_contract_show_is_in_none_of_its_own() -> None:
    shown = {Input(one.scenario, one.params).key for one in sample().hidden}
    other = sample(Beside(REFERENCE, taken=frozenset(shown)))
    assert not shown & {Input(one.scenario, one.params).key for one in (*other.public, *other.hidden)}


def held(repaired: str) -> Draft:
    """Return the draft of the part whose fixed release is the sample's reference."""
    release = Package(Path("r1"), ("sample",), "", SCENARIOS)
    made = replace(part(Beside(repaired)), originals={"reference": release}, must_be_faithful=True)
    return draft(made, Releases(r1=REFERENCE), How(), KEY, SilentProgress())


def test_what_stands_for_the_release_is_the_program_with_every_fault_repaired() -> None:
    assert held(REFERENCE).counterexamples == ()
    with pytest.raises(UnfaithfulInputsError):
        held(OWN)
