"""A cut in a domain.py keeps what it cuts off from being drawn, and can be asked about any input."""

from typing import Any

import pytest

from authoring.model.errors import RefusedError
from authoring.model.execution import How, Observed, Program, Refused, Request
from authoring.model.wire import decode, encode
from authoring.scenario.domain import (
    ChangedCode,
    DomainCut,
    InputClass,
    Membership,
    changed_code,
    cut_sentence,
    cuts_of,
    derive_domain,
    narrowed,
    with_recorded,
)
from tests.memory_runner import MemoryRunner

SEEN = {"find": [encode({"text": "a b", "n": 1}), encode({"text": "c", "n": 2})]}
CODE = changed_code({"broken": "x = '#'\n", "reference": "x = '#!'\n"})
CUTS = (
    DomainCut(InputClass(("text",), "holds", "#"), 31),
    DomainCut(InputClass(("n",), "below", 0), 12),
)
NARROW = derive_domain(SEEN, CODE, CUTS)


def drawn(domain: str, scenario: str = "find") -> list[Any]:
    return [decode(wire) for wire in MemoryRunner().draw(domain, scenario, 300, 3, How())]


def find(**params: Any) -> Request:
    return Request("find", encode(params))


def test_nothing_that_is_cut_off_is_drawn() -> None:
    assert any("#" in row["text"] or row["n"] < 0 for row in drawn(derive_domain(SEEN, CODE)))
    rows = drawn(NARROW)
    assert len(rows) > 100
    assert not any("#" in row["text"] or row["n"] < 0 for row in rows)


def test_the_sentences_say_what_is_cut_off_and_what_it_saves() -> None:
    assert cuts_of(NARROW) == tuple(map(cut_sentence, CUTS))
    assert cuts_of(NARROW)[0] == "Excluding inputs whose `text` holds '#' (saves 31 nodes)"


def test_without_cuts_the_file_says_nothing_of_them() -> None:
    plain = derive_domain(SEEN, CODE)
    assert plain.endswith("\n\n\nCUTS = []\n")
    assert "allows_" not in plain and "values_at" not in plain
    assert cuts_of(plain) == ()


@pytest.mark.parametrize("text", ["CUTS = 3", "CUTS = [1, x]", "def f(:", "", "CUTS: list = ['a']"])
def test_a_file_without_a_list_of_sentences_has_no_cuts(text: str) -> None:
    assert cuts_of(text) == ()


def test_a_domain_is_asked_which_inputs_lie_inside() -> None:
    membership = Membership(MemoryRunner(), How(), NARROW)
    asked = [find(text="a", n=1), find(text="#", n=1), find(text="a", n=-1), Request("other", encode({}))]
    assert membership.is_narrowed
    assert membership.allows(asked) == [True, False, False, True]
    assert membership.inside(asked) == [asked[0], asked[3]]


def test_an_authors_own_predicate_is_asked_with_all_that_it_names() -> None:
    domain = (
        "import re\nfrom hypothesis import strategies as st\nLIMIT: int = 3\nSHORT, LONG = LIMIT - 1, 9\n\n"
        "def is_short(text):\n    return len(text) <= SHORT and re.match('[a-z]*$', text) is not None\n\n"
        "def allows_find(p):\n    return is_short(p['text'])\n\n"
        "def find(constants):\n    return st.just({'text': 'a'})\n\nCUTS = ['Only short texts']\n"
    )
    membership = Membership(MemoryRunner(), How(), domain)
    assert membership.allows([find(text="ab"), find(text="abc"), find(text="A")]) == [True, False, False]


@pytest.mark.parametrize("answer", ["p['missing']", "p['text']", "None", "1"])
def test_a_predicate_that_does_not_say_true_or_false_is_refused_with_its_input(answer: str) -> None:
    membership = Membership(MemoryRunner(), How(), f"def allows_find(p):\n    return {answer}\n")
    with pytest.raises(RefusedError) as refused:
        membership.allows([find(text="a")])
    assert refused.value.code == "SCN030"
    assert "find" in str(refused.value.proof)


def test_a_narrowed_runner_answers_nothing_outside() -> None:
    plain = MemoryRunner()
    runner = narrowed(plain, How(), NARROW)
    program = Program(
        "def f(n):\n    return n\n", "program", "def find(program, p, seen):\n    seen(program.f(p['n']))\n"
    )
    asked = [find(text="#", n=1), find(text="a", n=1), find(text="a", n=-1)]
    outside, inside, below = runner.observe(program, asked, How())
    assert isinstance(outside, Refused) and isinstance(below, Refused)
    assert isinstance(inside, Observed)
    assert [isinstance(one.outcome, Observed) for one in runner.trace(program, asked, How())] == [
        False,
        True,
        False,
    ]
    assert narrowed(plain, How(), derive_domain(SEEN, CODE)) is plain


def test_recorded_arguments_are_cut_in_their_own_function_only() -> None:
    outer = derive_domain({"outer": [encode({"n": -3})]}, ChangedCode())
    cut = DomainCut(InputClass(("n",), "below", 0), 20)
    domain = with_recorded(outer, "entry", [encode({"n": 1}), encode({"n": 2})], [cut])
    assert {row["n"] for row in drawn(domain, "entry")} == {1, 2}
    assert any(row["n"] < 0 for row in drawn(domain, "outer"))
    asked = [Request("entry", encode({"n": -1})), Request("outer", encode({"n": -1}))]
    assert Membership(MemoryRunner(), How(), domain).allows(asked) == [False, True]
    assert cuts_of(domain) == (cut_sentence(cut),)
