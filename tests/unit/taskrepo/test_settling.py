"""An author's edit asks programs anew where they are asked by it, and nothing where it is one of words."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from authoring.contract import Draft, draft, reworded
from authoring.execution import BoxRunner
from authoring.model.configuration import Configuration
from authoring.model.contract import Contract, Rule
from authoring.model.execution import How
from authoring.model.observation import Compare
from authoring.model.progress import SilentProgress
from authoring.system.journal import Journal
from authoring.system.workspace import Workspace
from authoring.taskrepo.stages.settling import settle
from authoring.taskrepo.stages.stored import draft_data
from authoring.taskrepo.stages.work import Work
from tests.memory_runner import MemoryRunner
from tests.unit.contract.sample import KEY, REFERENCE, material


class CountedRunner(MemoryRunner):
    """Counts draws and traces as questions too."""

    ended_cpu_s = 0.0


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Work]:
    with Journal(tmp_path / "journal.sqlite") as journal:
        runner = cast("BoxRunner", CountedRunner())
        yield Work(Workspace(tmp_path), Configuration(), runner, SilentProgress(), journal)


def drafted(work: Work, author: Contract | None, reference: str = REFERENCE) -> tuple[Draft, int]:
    """Return the draft under an author's words, and how many questions it asked."""
    runner = cast("CountedRunner", work.runner)
    before = runner.requests

    def make(asked: Contract | None) -> Draft:
        made = dataclasses.replace(material(reference=reference), author=asked)
        return draft(made, work.runner, How(), KEY, SilentProgress())

    settled, told = settle(work, "sample", author, [reference], make)
    made = settled if author is None else reworded(settled, told, ["pack"])
    return made, runner.requests - before


def anew(work: Work, author: Contract | None, reference: str = REFERENCE) -> Draft:
    """Return what is drafted where the journal holds no draft."""
    work.journal.forget("contract")
    return drafted(work, author, reference)[0]


def in_other_words(contract: Contract) -> Contract:
    rules = tuple(Rule(id=f"mine-{n}", text=f"{rule.text} Mind it.") for n, rule in enumerate(contract.rules))
    words = {"symptom": "Typo mended.", "returns": "R.", "domain": "D.", "mechanism": "m", "group": "g"}
    return contract.model_copy(update={**words, "category": "c", "rules": rules})


def with_compare(contract: Contract, compare: Compare) -> Contract:
    specs = tuple(spec.model_copy(update={"compare": compare}) for spec in contract.scenarios)
    return contract.model_copy(update={"scenarios": specs})


def test_an_edit_of_words_asks_nothing_and_gives_what_drafting_anew_gives(work: Work) -> None:
    first, asked = drafted(work, None)
    assert asked > 1000
    author = in_other_words(first.contract)
    made, asked = drafted(work, author)
    assert asked == 0
    assert made.contract == author
    assert draft_data(made) == draft_data(anew(work, author))


def test_an_edit_of_a_comparison_asks_again_and_words_after_it_do_not(work: Work) -> None:
    first, _ = drafted(work, None)
    author = with_compare(first.contract, Compare(exception="type+message"))
    made, asked = drafted(work, author)
    assert asked > 1000
    assert {spec.compare.exception for spec in made.contract.scenarios} == {"type+message"}
    assert draft_data(made) == draft_data(anew(work, author))
    worded, asked = drafted(work, in_other_words(author))
    assert asked == 0
    assert draft_data(worded) == draft_data(anew(work, in_other_words(author)))


def test_an_edit_that_is_taken_back_asks_nothing(work: Work) -> None:
    first, _ = drafted(work, None)
    drafted(work, with_compare(first.contract, Compare(exception="type+message")))
    made, asked = drafted(work, first.contract)
    assert asked == 0
    assert draft_data(made) == draft_data(first)


def test_what_may_be_raised_is_asked_about_again(work: Work) -> None:
    first, _ = drafted(work, None)
    _, asked = drafted(work, first.contract.model_copy(update={"raises": ("ValueError", "TypeError")}))
    assert asked > 1000


def test_another_program_is_asked_whatever_the_words_are(work: Work) -> None:
    first, _ = drafted(work, None)
    author = in_other_words(first.contract)
    drafted(work, author)
    other = REFERENCE.replace('"nothing"', '"none"')
    made, asked = drafted(work, author, other)
    assert asked > 1000
    assert made.contract.symptom == "Typo mended."
    assert draft_data(made) == draft_data(anew(work, author, other))


def test_an_author_with_other_rules_than_were_drafted_keeps_his(work: Work) -> None:
    first, _ = drafted(work, None)
    rules = (*first.contract.rules[:1], Rule(id="refusal", text="Negative counts raise ValueError."))
    author = first.contract.model_copy(update={"rules": (*rules, *first.contract.rules[1:])})
    made, asked = drafted(work, author)
    assert asked > 1000
    assert {rule.id for rule in made.contract.rules} <= {rule.id for rule in author.rules}
    assert draft_data(made) == draft_data(anew(work, author))
