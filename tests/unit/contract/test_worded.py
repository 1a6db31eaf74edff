"""A draft under plain words, with an author's words put on it, is the draft that is made under his words."""

import dataclasses
from functools import lru_cache

import pytest

from authoring.contract import Draft, draft, plain, prompt_template, reworded, terms_of, wording
from authoring.model.contract import Contract, Rule, ScenarioSpec, Types
from authoring.model.execution import How
from authoring.model.observation import Compare
from authoring.model.progress import SilentProgress
from tests.memory_runner import MemoryRunner
from tests.unit.contract.sample import KEY, material

RULE = "A count at or above a unit's limit is packed in that unit; smaller counts stay in smaller units."
NAMES = ["pack"]


def drafted(author: Contract | None) -> Draft:
    made = dataclasses.replace(material(rule=RULE), author=author)
    return draft(made, MemoryRunner(), How(), KEY, SilentProgress())


@lru_cache
def own() -> Draft:
    return drafted(None)


def edited(*texts: str, **changes: object) -> Contract:
    rules = tuple(Rule(id=f"mine-{number}", text=text) for number, text in enumerate(texts, 1))
    words = {"symptom": "Pieces are lost by pack().", "group": "mine", "category": "other", "domain": "Any."}
    return own().contract.model_copy(update={**words, **({"rules": rules} if texts else {}), **changes})


@pytest.mark.parametrize(
    "texts",
    [
        ("Counts at a limit go up.", "All else stays."),
        ("Negative counts raise ValueError.", "All else stays as it was."),
        ("Counts at a limit go up.", "One more.", "Another one.", "All else stays."),
    ],
)
def test_putting_words_on_a_plain_draft_gives_what_drafting_under_them_gives(texts: tuple[str, ...]) -> None:
    author = edited(*texts)
    settled = drafted(plain(author))
    told = wording(settled.contract, author, is_plain=True)
    made = reworded(settled, told, NAMES)
    assert made == drafted(author)
    assert made.contract.symptom == "Pieces are lost by pack()."
    assert "Pieces are lost" in made.prompt_template


def test_a_draft_whose_terms_nobody_edited_takes_an_authors_words_as_it_is() -> None:
    first, second = own().contract.rules
    author = edited("Each limit counts for itself.", second.text)
    told = wording(own().contract, author, is_plain=False)
    made = reworded(own(), told, NAMES)
    assert made.contract == author
    assert made.prompt_template == prompt_template(author, NAMES, made.public)
    ids = {first.id: "mine-1", second.id: "mine-2"}
    for before, after in zip(own().public + own().hidden, made.public + made.hidden, strict=True):
        assert after == before.model_copy(update={"rules": tuple(ids[rule] for rule in before.rules)})
    assert [line.rule for line in made.facts.ledger] == ["mine-1", "mine-2"]
    kept = dataclasses.replace(
        made,
        contract=own().contract,
        prompt_template=own().prompt_template,
        public=own().public,
        hidden=own().hidden,
        facts=own().facts,
    )
    assert kept == own()


def test_no_word_is_left_in_plain_words() -> None:
    one = edited("Counts at a limit go up.", "All else stays.")
    other = edited("Limits are limits.", "Nothing but that: the rest stays.", symptom="Something else.")
    assert plain(one) == plain(other)
    assert terms_of(plain(one)) == terms_of(one) == terms_of(other)


def test_what_a_rule_is_about_is_no_word() -> None:
    calm, refusing = edited("Counts go up.", "All stays."), edited("Counts raise an error.", "All stays.")
    assert terms_of(calm) != terms_of(refusing)
    assert terms_of(edited("Counts go up.")) != terms_of(calm)


@pytest.mark.parametrize(
    "change",
    [
        {"raises": ()},
        {"types": Types(iterators=3)},
        {
            "scenarios": (
                ScenarioSpec(
                    id="pack", function="pack", level="both", compare=Compare(exception="type+message")
                ),
            )
        },
    ],
)
def test_what_programs_are_asked_by_is_no_word(change: dict[str, object]) -> None:
    assert terms_of(edited(**change)) != terms_of(edited())
    assert terms_of(plain(edited(**change))) == terms_of(edited(**change))


def test_a_relations_rule_is_known_by_its_id() -> None:
    relation = ScenarioSpec(id="pack_again", function="pack_again", level="both", relation_of="pack")
    author = edited("Counts go up.", "All stays.", scenarios=(*own().contract.scenarios, relation))
    rules = (*author.rules, Rule(id="pack-again", text="Twice is once."))
    author = author.model_copy(update={"rules": rules})
    assert [rule.id for rule in plain(author).rules] == ["rule-1", "rule-2", "pack-again"]
    assert terms_of(author)["rules"][2][0] == "pack-again"
