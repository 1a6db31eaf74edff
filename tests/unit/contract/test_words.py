"""Rules, ids, prompts and contract.toml are made of the incident's words and nothing hidden."""

import dataclasses

import pytest
import tomlkit

from authoring.contract import contract_text, merged_text, prompt_template
from authoring.contract.sentences import sentences_of, slug_of, unique_slug, whole_slug
from authoring.contract.words import domain_of
from authoring.model.contract import Contract
from authoring.model.wire import encode
from authoring.scenario.domain import Allowed, ChangedCode, derive_domain
from tests.unit.contract.sample import material
from tests.unit.contract.test_draft import sample


@pytest.mark.parametrize(
    ("rule", "texts"),
    [
        ("One thing; another thing.", ["One thing.", "Another thing."]),
        (
            "Values, e.g. 1.5 and 2.0, are kept. None raises.",
            ["Values, e.g. 1.5 and 2.0, are kept.", "None raises."],
        ),
        ("no end", ["No end."]),
        ("", []),
    ],
)
def test_rules_are_cut_at_sentences(rule: str, texts: list[str]) -> None:
    assert [one.text for one in sentences_of(rule)] == texts


def test_a_sentence_knows_whether_it_is_about_refusing_or_keeping() -> None:
    first, second = sentences_of("Malformed texts raise BadTTL; good values are unchanged.")
    assert (first.is_about_refusal, first.is_about_keeping) == (True, False)
    assert (second.is_about_refusal, second.is_about_keeping) == (False, True)


def test_slugs_are_short_lower_case_and_unique() -> None:
    assert slug_of("A byte count at or above a unit's size is shown") == "byte-count-above-unit"
    assert whole_slug("Boundary / off-by-one") == "boundary-off-by-one"
    assert unique_slug("a", ["a", "a-2"]) == "a-3"
    assert slug_of("of the", "rule") == "rule"


def test_contract_toml_reads_back_as_the_contract() -> None:
    contract = sample().contract
    assert Contract.model_validate_json(
        Contract.model_validate(_read(contract_text(contract))).model_dump_json()
    )


def _read(text: str) -> Contract:
    import json

    return Contract.model_validate_json(json.dumps(tomlkit.parse(text).unwrap()))


def test_an_edited_contract_keeps_comments_and_order_when_values_change() -> None:
    contract = sample().contract
    edited = "# mine\n" + contract_text(contract).replace('category = "', '# why\ncategory = "')
    changed = contract.model_copy(update={"symptom": "Other words.", "rules": contract.rules[:1]})
    merged = merged_text(changed, edited)
    assert merged.startswith("# mine\n")
    assert "# why\ncategory" in merged
    assert _read(merged) == changed


def test_merging_the_same_contract_changes_nothing() -> None:
    text = contract_text(sample().contract) + "\n# a last word\n"
    assert merged_text(sample().contract, text) == text


def test_the_prompt_states_symptom_rules_and_names_as_slots() -> None:
    made = sample()
    text = prompt_template(made.contract, ["pack"])
    assert '⟦ name("pack") ⟧()' in text
    for rule in made.contract.rules:
        assert rule.id in text
    assert "run_checks.py" in text
    assert "`ValueError`. An exception counts as the first class" in text


def test_an_entry_that_scenarios_do_not_read_need_not_be_defined() -> None:
    contract = sample().contract
    module = contract.entry.model_copy(update={"name": "the_package", "kind": "module"})
    text = prompt_template(contract.model_copy(update={"entry": module}), ["pack", "unpack"])
    assert 'go on defining `⟦ name("pack") ⟧`, `⟦ name("unpack") ⟧`, called' in text


def test_an_ordinary_word_that_is_also_a_name_stays_a_word() -> None:
    contract = sample().contract.model_copy(
        update={"symptom": "They pack a box; pack() fails, as `pack` does."}
    )
    text = prompt_template(contract, ["pack"])
    assert 'They pack a box; ⟦ name("pack") ⟧() fails, as `⟦ name("pack") ⟧` does.' in text


def test_the_prompt_holds_no_hidden_input_or_expectation() -> None:
    made = sample()
    for check in made.hidden:
        assert check.name not in made.prompt_template


def test_the_prompt_names_the_kinds_of_what_annotations_allow_beside_what_was_seen() -> None:
    assert "count (a whole number), label (text)" in domain_of(material())
    seen = {"pack": [encode({"count": 1, "label": "a"})]}
    domain = derive_domain(seen, ChangedCode(), (), {"pack": {"count": Allowed((None,), ("a", 0.5))}})
    told = domain_of(dataclasses.replace(material(), domain=domain))
    assert "count (None or a float or a whole number or text), label (text)" in told
