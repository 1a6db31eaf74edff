"""Selections cover what can be rejected with few checks, and the ledger holds for every rule."""

from collections.abc import Mapping

from authoring.contract.classes import Features, assign
from authoring.contract.ledger import lacking, witness_of
from authoring.contract.rules import choose
from authoring.contract.select_checks import Candidate, choose_hidden, choose_public
from authoring.contract.sentences import sentence, sentences_of
from authoring.model.wire import encode
from authoring.scenario.inputs import Input


def candidate(n: int, rule: int, *kills: str) -> Candidate:
    return Candidate(Input("run", encode({"n": n})), rule, frozenset(kills), len(str(n)))


def numbers(chosen: list[Candidate]) -> list[int]:
    return [int(one.input.params["dict"][0][1]["int"], 16) for one in chosen]


def test_public_checks_stand_for_every_rule_and_come_from_the_reproducer_first() -> None:
    lifted = [candidate(1, 0, "broken"), candidate(2, 0, "broken", "m1")]
    others = [candidate(30, 1, "m2"), candidate(31, 1, "m2", "m3"), candidate(4, 0, "m9")]
    chosen = choose_public(lifted, others, [0, 1])
    assert set(numbers(chosen)) >= {1, 2, 31}
    assert len(chosen) == 4


def test_hidden_checks_reject_all_that_can_be_rejected_and_no_public_input_is_among_them() -> None:
    public = [candidate(1, 0, "broken")]
    others = [candidate(n, n % 2, f"m{n % 7}", f"m{n % 5}") for n in range(10, 60)] + public
    chosen = choose_hidden(others, public, [0, 1])
    assert frozenset().union(*(one.kills for one in chosen)) >= {f"m{n}" for n in range(7)}
    assert 10 <= len(chosen) <= 20
    assert 1 not in numbers(chosen)


def test_a_redundant_check_is_dropped() -> None:
    others = [candidate(10, 0, "a", "b"), candidate(11, 0, "a"), candidate(12, 1, "c")]
    chosen = choose_hidden(others, [], [0, 1])
    assert numbers(chosen)[:1] == [10]


def test_a_small_domain_gives_fewer_checks() -> None:
    others = [candidate(10, 0, "a"), candidate(12, 1, "c")]
    assert len(choose_hidden(others, [], [0, 1])) == 2


def test_a_witness_is_rejected_by_the_checks_of_one_rule_only() -> None:
    chosen = [candidate(1, 0, "broken", "m1"), candidate(2, 1, "m1", "m2")]
    order = ["broken", "m1", "m2"]
    assert witness_of(0, chosen, order) == "broken"
    assert witness_of(1, chosen, order) == "m2"


def test_the_ledger_says_what_a_rule_lacks() -> None:
    public, hidden = [candidate(1, 0, "broken")], [candidate(2, 0, "broken"), candidate(3, 1, "broken")]
    assert lacking([0, 1], public, hidden, ["broken"]) == {
        0: "no wrong program is rejected by its checks alone",
        1: "no public check stands for it",
    }


def test_a_rule_without_a_witness_is_put_together_with_its_neighbour() -> None:
    sentences = sentences_of("The boundary holds. Others stay as they are.")
    features = {f"run {n}": Features(n < 5, False, False) for n in range(10)}

    def build(rules: Mapping[str, int]) -> tuple[list[Candidate], list[Candidate]]:
        made = [candidate(n, rules[f"run {n}"], "broken") for n in range(10)]
        return made[::2], made[1::2]

    chosen = choose(sentences, features, build, ["broken"])
    assert chosen.texts == ("The boundary holds. Others stay as they are.",)
    assert len(chosen.merged) == 1


def test_sentences_drafted_from_inputs_stand_for_those_and_the_last_for_all_that_is_right() -> None:
    sentences = [
        sentence("Where `n` is below 0, the program raises KeyError").told_of(frozenset({"run 0", "run 1"})),
        sentence("Where `n` is None, the program gives 0").told_of(frozenset({"run 2"})),
        sentence("Every other input keeps the result that it has now"),
    ]
    features = {f"run {n}": Features(n < 4, n == 4, n in (0, 1, 5)) for n in range(7)}
    assert assign(sentences, features) == {
        "run 0": 0,
        "run 1": 0,
        "run 2": 1,
        "run 3": 0,
        "run 4": 2,
        "run 5": 2,
        "run 6": 2,
    }


def test_every_class_that_a_rule_speaks_of_has_a_public_check() -> None:
    lifted = [candidate(n, 0 if n < 6 else 1, "broken") for n in range(8)]
    others = [candidate(n, 0, "broken") for n in range(8, 12)]
    classes = [frozenset({lifted[5].input.key}), frozenset({others[3].input.key})]
    keys = {one.input.key for one in choose_public(lifted, others, [0, 1], classes)}
    assert all(keys & each for each in classes)
