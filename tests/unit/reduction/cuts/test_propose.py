"""Cuts are proposed for what a program carries for some inputs alone, and what they save is measured."""

from collections.abc import Mapping, Sequence
from typing import Any

from authoring.model.execution import Request
from authoring.model.variants import VersionName
from authoring.reduction.align import merge
from authoring.reduction.cuts import Asked, Blocked, CutProposal, Effort, propose, savings
from authoring.reduction.edits import Cut, Edit
from authoring.reduction.oracle import Budget, Oracle
from authoring.reduction.reduce import Counterexample
from authoring.scenario.domain import InputClass, phrase
from tests.unit.reduction.sample import answers, oracle, requests

REFERENCE = """
def quoted(text):
    out = []
    for part in text.split("'"):
        out.append(part.strip() + "!")
    return "-".join(out)
def f(text):
    if "'" in text:
        return quoted(text)
    if text.startswith("#"):
        return None
    return text.upper()
"""
SOURCES: dict[VersionName, str] = {
    "broken": REFERENCE.replace("return text.upper()", "return text"),
    "reference": REFERENCE,
}
VALUES = ["ab", "cd", "a 'b'", "'", "x'y'z", "#", "# no", "e", "f g", "gg", "hh", "i", "jj", "kkk", "ll", "m"]


def asked(*values: Any) -> Asked:
    made = requests(*(values or VALUES))
    return Asked(made, answers(SOURCES, made), frozenset({0, 1}))


def proposed(
    one: Asked, further: Mapping[str, Request] | None = None, unfit: Sequence[str] = ()
) -> list[CutProposal]:
    def oracle_of(part: Asked, trials: int | None) -> Oracle:
        return oracle(SOURCES, part.requests, budget=Budget(trials=trials))

    def attack(programs: Mapping[VersionName, str], outside: InputClass) -> Counterexample | None:
        for request in (further or {}).values():
            real, own = answers(SOURCES, [request]), answers(programs, [request])
            if real != own:
                return Counterexample(request, {version: told[0] for version, told in real.items()})
        return None

    program = merge(SOURCES)

    def is_fit(outside: InputClass) -> bool:
        return phrase(outside) not in unfit

    return list(propose(program, frozenset({"f"}), one, oracle_of, attack, is_fit, Effort()).cuts)


def test_what_some_inputs_alone_need_is_named_and_measured() -> None:
    first, *others = proposed(asked())
    assert phrase(first.inputs) == 'inputs whose `x` holds "\'"'
    assert len(first.members) == 3
    whole, without = merge(SOURCES).nodes(), REFERENCE[REFERENCE.index("def f") :].split("\n")
    assert first.saves >= whole - merge({"reference": "\n".join([without[0], *without[3:]])}).nodes() - 12
    assert any("'#'" in phrase(each.inputs) for each in others)


def test_no_cut_takes_an_input_that_shows_the_fault() -> None:
    for each in proposed(asked("ab", "a'b", "#", *VALUES[7:])):
        assert "ab" not in [dict(one.params["dict"])["x"] for one in each.members]
        assert "a'b" not in [dict(one.params["dict"])["x"] for one in each.members]


def test_an_attack_outside_the_class_takes_its_saving_away() -> None:
    needs_it = {"one": requests("`")[0]}
    sources = REFERENCE.replace('if "\'" in text', 'if "\'" in text or "`" in text')
    saved = SOURCES["reference"]
    SOURCES["reference"], SOURCES["broken"] = sources, sources.replace("return text.upper()", "return text")
    try:
        found = proposed(asked(), needs_it)
    finally:
        SOURCES["reference"], SOURCES["broken"] = saved, saved.replace("return text.upper()", "return text")
    assert not any('holds "\'"' in phrase(one.inputs) and one.saves > 15 for one in found)


def test_a_class_is_not_proposed_where_the_domain_without_it_is_worth_nothing() -> None:
    quotes = 'inputs whose `x` holds "\'"'
    assert quotes not in [phrase(one.inputs) for one in proposed(asked(), unfit=[quotes])]


def test_of_classes_that_free_the_same_the_one_with_the_fewest_inputs_is_ranked() -> None:
    edit = Edit((Cut(3, frozenset({"reference"})),), 10)
    wide, narrow = InputClass(("x",), "kind", "str"), InputClass(("x",), "holds", "z")
    blocked = [Blocked(edit, 10, frozenset({4})), Blocked(edit, 9, frozenset({4, 5}))]
    found = savings(blocked, {wide: frozenset({3, 4, 5, 6}), narrow: frozenset({4, 5})}, most=5)
    assert [(one.inputs, one.gain) for one in found] == [(narrow, 10)]
