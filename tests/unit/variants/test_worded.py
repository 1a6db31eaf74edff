"""Variants under other words are what varying under these words gives."""

import dataclasses

import pytest

from authoring.contract import wording
from authoring.model.contract import Rule
from authoring.model.errors import UsageError
from authoring.model.progress import SilentProgress
from authoring.variants.vary import vary
from authoring.variants.worded import base_constants, in_words
from tests.unit.variants.sample import PROGRAMS, contract, material, tools

PROMPT = 'Mend `⟦ name("count_pages") ⟧`: at most ⟦ constants.limit ⟧ a page.\n- ⟦ check("p01") ⟧\n'


def test_words_put_on_variants_give_what_varying_under_these_words_gives() -> None:
    plain = vary(material(), tools(), SilentProgress())
    rules = (Rule(id="all-rows", text="No row is lost."),)
    author = contract().model_copy(update={"symptom": "Rows are lost.", "mechanism": "lost", "rules": rules})
    told = wording(contract(), author, is_plain=False)
    own = material()
    worded = dataclasses.replace(
        own,
        contract=author,
        prompt_template=PROMPT,
        public=told.of_checks(own.public),
        hidden=told.of_checks(own.hidden),
    )
    expected = vary(worded, tools(), SilentProgress()).tasks
    constants = base_constants(PROGRAMS)
    assert tuple(in_words(task, told, PROMPT, constants) for task in plain.tasks) == expected
    assert {check.rules for task in expected for check in task.hidden.checks} == {("all-rows",)}
    assert len({task.prompt for task in expected}) > 2
    assert all("- `p01`: " in task.prompt for task in expected)


def test_a_prompt_that_cannot_be_rendered_is_refused_with_a_code() -> None:
    told = wording(contract(), contract(), is_plain=False)
    (base, *_) = vary(material(), tools(), SilentProgress(), public=1, hidden=0).tasks
    with pytest.raises(UsageError) as caught:
        in_words(base, told, "⟦ missing ⟧", base_constants(PROGRAMS))
    assert caught.value.code == "VAR002"
