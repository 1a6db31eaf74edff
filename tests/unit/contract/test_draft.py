"""A drafted contract tells the right program from broken, from the hard negative and from mutants."""

import dataclasses
from functools import lru_cache

import pytest
from pydantic import TypeAdapter

from authoring.contract import Draft, draft
from authoring.model.errors import RefusedError
from authoring.model.execution import How, Observed, ObservedTypes, Program, Request
from authoring.model.observation import equal
from authoring.model.progress import SilentProgress
from authoring.model.task import Check
from authoring.model.wire import sort_key
from tests.memory_runner import MemoryRunner
from tests.unit.contract.sample import BROKEN, KEY, REFERENCE, material

RULE = "A count at or above a unit's limit is packed in that unit; smaller counts stay in smaller units."


@lru_cache
def sample() -> Draft:
    return draft(material(rule=RULE), MemoryRunner(), How(), KEY, SilentProgress())


def verdicts(source: str, checks: tuple[Check, ...]) -> list[bool]:
    subject = Program(source, "program", sample().scenarios, ObservedTypes(raises=("ValueError",)))
    outcomes = MemoryRunner().observe(subject, [Request(c.scenario, c.params) for c in checks], How())
    return [
        isinstance(outcome, Observed) and equal(outcome.observations, check.expect)
        for outcome, check in zip(outcomes, checks, strict=True)
    ]


def test_the_reference_passes_every_check_and_broken_fails_in_both_tiers() -> None:
    made = sample()
    assert all(verdicts(REFERENCE, made.public + made.hidden))
    assert not all(verdicts(BROKEN, made.public))
    assert not all(verdicts(BROKEN, made.hidden))


def test_the_hard_negative_repairs_something_and_fails_a_hidden_check() -> None:
    made = sample()
    public, hidden = verdicts(made.hard_negative, made.public), verdicts(made.hard_negative, made.hidden)
    repaired = [a and not b for a, b in zip(public, verdicts(BROKEN, made.public), strict=True)]
    assert any(repaired) or all(public)
    assert not all(hidden)
    assert made.hard_negative not in (BROKEN, REFERENCE)


def test_the_stated_patterns_are_what_the_programs_do() -> None:
    made = sample()
    for version, source in {"broken": BROKEN, "hard_negative": made.hard_negative}.items():
        tiers = [
            "".join("01"[passed] for passed in verdicts(source, tier)) for tier in (made.public, made.hidden)
        ]
        assert made.facts.patterns[version] == "/".join(tiers)


def test_the_two_tiers_have_their_usual_sizes_and_share_no_input() -> None:
    made = sample()
    assert 4 <= len(made.public) <= 8
    assert 10 <= len(made.hidden) <= 20
    inputs = [sort_key(check.params) for check in made.public + made.hidden]
    assert len(set(inputs)) == len(inputs)


def test_hidden_checks_hold_no_input_of_the_reproducer() -> None:
    seen = {sort_key(check.params) for check in material().capture.checks}
    assert not seen & {sort_key(check.params) for check in sample().hidden}


def test_every_rule_has_checks_in_both_tiers_and_a_witness() -> None:
    facts = sample().facts
    assert len(facts.ledger) == 2
    for line in facts.ledger:
        assert line.public
        assert line.hidden
        assert line.witness


def test_the_rules_are_the_incidents_own_sentences_the_boundary_first() -> None:
    first, second = [rule.text for rule in sample().contract.rules]
    assert first.startswith("A count at or above a unit's limit is packed in that unit.")
    assert second.startswith("Smaller counts stay in smaller units.")


def test_hidden_checks_reject_every_mutant_that_some_input_tells() -> None:
    made = sample()
    assert made.facts.mutants > 40
    assert made.facts.survivors == ()
    for name, source in made.mutants:
        assert not all(verdicts(source, made.public + made.hidden)), name


def test_no_expectation_lies_outside_what_may_be_raised() -> None:
    made = sample()
    raised = {
        check.expect[-1]["raised"]["type"]
        for check in made.public + made.hidden
        if "raised" in check.expect[-1]
    }
    assert raised <= set(made.contract.raises) == {"ValueError"}


def test_the_pool_is_full_or_says_why_and_leaves_out_public_inputs() -> None:
    made = sample()
    (pool,) = made.pools
    assert len(pool.inputs) == len(pool.expect_hmac)
    assert len(pool.inputs) == 200 or any("pool" in note for note in made.facts.notes)
    public = {sort_key(check.params) for check in made.public}
    assert not public & {sort_key(params) for params in pool.inputs}


def test_the_same_material_gives_the_same_draft() -> None:
    assert draft(material(rule=RULE), MemoryRunner(), How(), KEY, SilentProgress()) == sample()


def test_a_draft_can_be_stored_as_json_and_read_back() -> None:
    adapter = TypeAdapter(Draft)
    assert adapter.validate_json(adapter.dump_json(sample())) == sample()


def test_a_captured_attempt_is_the_hard_negative() -> None:
    attempt = REFERENCE.replace("for limit, unit in LIMITS", "for limit, unit in LIMITS[:2]")
    made = draft(material(attempt=attempt), MemoryRunner(), How(), KEY, SilentProgress())
    assert made.hard_negative == attempt
    assert made.facts.hard_negative == "captured"
    assert "0" in made.facts.patterns["hard_negative"].split("/")[1]


def test_an_attempt_that_nothing_tells_from_the_reference_is_put_aside_with_a_note() -> None:
    made = draft(
        material(attempt=REFERENCE + "\n\nUNUSED = 1\n"), MemoryRunner(), How(), KEY, SilentProgress()
    )
    assert made.facts.hard_negative != "captured"
    assert any("attempt" in note for note in made.facts.notes)


def test_without_a_rule_in_words_the_boundary_is_the_class_of_inputs_that_tells_the_faults() -> None:
    made = draft(material(), MemoryRunner(), How(), KEY, SilentProgress())
    first, *others = made.contract.rules
    assert first.text == (
        "Where `count` is 1, 10 or 100, the program gives text that begins with '1 ', where the broken one gives "
        "another value."
    )
    assert first.id == "count-1-10-100"
    assert [rule.id for rule in others] == ["other-input-keeps-result"]
    faults = {1, 10, 100}
    for check in made.public + made.hidden:
        (count,) = (int(wire["int"], 16) for name, wire in check.params["dict"] if name == "count")
        assert (first.id in check.rules) == (count in faults)


def test_without_a_rule_each_class_of_faults_is_a_rule_and_says_what_is_right() -> None:
    broken = REFERENCE.replace("raise ValueError(count)", "return None").replace(
        "count >= limit", "count > limit"
    )
    made = draft(material(broken=broken), MemoryRunner(), How(), KEY, SilentProgress())
    texts = " ".join(rule.text for rule in made.contract.rules)
    assert (
        "Where `count` is below 0, the program raises ValueError, where the broken one gives None." in texts
    )
    assert "gives another value" in texts
    shown = {int(dict(check.params["dict"])["count"]["int"], 16) for check in made.public}
    assert shown & {1, 10, 100}
    assert min(shown) < 0


def test_the_incidents_words_stay_first_and_an_exact_class_adds_a_sentence() -> None:
    broken = REFERENCE.replace("raise ValueError(count)", "return None")
    rule = "A debt is no parcel; all else stays as it is."
    made = draft(material(broken=broken, rule=rule), MemoryRunner(), How(), KEY, SilentProgress())
    assert made.contract.rules[0].text.startswith(
        "A debt is no parcel. Where `count` is below 0, the program raises ValueError"
    )


def test_the_prompt_lists_the_public_checks_of_each_rule_and_no_other() -> None:
    made = sample()
    section = made.prompt_template.partition("## What must hold")[2].partition("\nWhere no rule")[0]
    slots = {check.id: f'⟦ check("{check.id}") ⟧' for check in made.public + made.hidden}
    for check in made.public:
        assert section.count(slots[check.id]) == 1
    for rule in made.contract.rules:
        listed = section.partition(f"- **{rule.id}**")[2].partition("\n- **")[0]
        assert all((slots[check.id] in listed) == (rule.id in check.rules) for check in made.public)
    assert not any(slots[check.id] in made.prompt_template for check in made.hidden)


def test_an_author_keeps_words_and_rules() -> None:
    author = sample().contract.model_copy(update={"symptom": "My own words.", "group": "mine"})
    made = draft(
        dataclasses.replace(material(rule="Another rule."), author=author),
        MemoryRunner(),
        How(),
        KEY,
        SilentProgress(),
    )
    assert made.contract == author


@pytest.mark.parametrize(
    ("broken", "reference", "code"),
    [
        (REFERENCE, REFERENCE, "CTR001"),
        (
            BROKEN,
            REFERENCE.replace("    if count < 0", "    while count == 99:\n        pass\n    if count < 0"),
            "CTR002",
        ),
        (
            REFERENCE.replace(
                "    if count < 0", "    if count == 5 and label == 'c':\n        return ''\n    if count < 0"
            ),
            REFERENCE,
            "CTR003",
        ),
    ],
)
def test_programs_that_allow_no_contract_are_refused_with_a_code(
    broken: str, reference: str, code: str
) -> None:
    with pytest.raises(RefusedError) as caught:
        draft(material(broken, reference), MemoryRunner(), How(), KEY, SilentProgress())
    assert caught.value.code == code


def test_an_edited_domain_is_asked_for_inputs_and_nothing_is_added_to_it() -> None:
    domain = (
        "from hypothesis import strategies as st\n\n\ndef pack(constants):\n"
        "    counts = st.sampled_from([0, 1, 5, 9, 10, 11, 50, 99, 100, 101, 150, 1000])\n"
        "    return st.fixed_dictionaries({'count': counts, 'label': st.sampled_from(['a', ' b ', 'zz'])})\n"
    )
    edited = dataclasses.replace(material(), domain=domain, is_domain_edited=True)
    made = draft(edited, MemoryRunner(), How(), KEY, SilentProgress())
    labels = {dict(map(tuple, check.params["dict"]))["label"] for check in made.hidden}
    assert labels <= {"a", " b ", "zz"}
