"""What annotations allow is drawn now and then, beside what was seen."""

from typing import Any

from authoring.model.execution import How
from authoring.model.wire import decode, encode
from authoring.scenario.domain import Allowed, ChangedCode, DomainCut, InputClass, allowed_in, derive_domain
from tests.memory_runner import MemoryRunner

SEEN = {"size": [encode({"n": 12, "mode": "fast"}), encode({"n": 3, "mode": "slow"})]}
ANNOTATED = {
    "size": {"n": Allowed((None,), (0, 1, 0.5, "", "a")), "mode": Allowed(("fast", "late"), ("", "a"))}
}


def drawn(domain: str, n: int = 300) -> list[Any]:
    return [decode(wire) for wire in MemoryRunner().draw(domain, "size", n, 5, How())]


def test_allowed_values_are_drawn_in_a_small_share() -> None:
    rows = drawn(derive_domain(SEEN, ChangedCode(), (), ANNOTATED), 800)
    beside = [row for row in rows if type(row["n"]) is not int]
    assert {None, 0.5, "", "a", "12"} == {row["n"] for row in beside}
    assert len(beside) < len(rows) / 6
    assert "late" in {row["mode"] for row in rows}
    assert all(list(row) == ["n", "mode"] or set(row) == {"n", "mode"} for row in rows)


def test_samples_of_a_kind_that_was_seen_and_spelled_values_that_were_seen_add_nothing() -> None:
    allowed = {"size": {"n": Allowed((), (0, 1, -1)), "mode": Allowed(("fast",), ("", "a"))}}
    assert derive_domain(SEEN, ChangedCode(), (), allowed) == derive_domain(SEEN, ChangedCode())


def test_annotations_of_other_scenarios_and_parameters_do_not_count() -> None:
    allowed = {"other": {"n": Allowed((None,))}, "size": {"other": Allowed((None,))}}
    assert derive_domain(SEEN, ChangedCode(), (), allowed) == derive_domain(SEEN, ChangedCode())


def test_a_parameter_that_a_row_lacks_is_not_put_in() -> None:
    seen = {"size": [encode({"n": 1}), encode({"n": 2, "mode": "fast"})]}
    rows = drawn(derive_domain(seen, ChangedCode(), (), {"size": {"mode": Allowed((None,))}}))
    assert {"n"} in [set(row) for row in rows]
    assert None in [row.get("mode", "") for row in rows]


def test_a_cut_takes_what_is_allowed_too() -> None:
    cuts = [DomainCut(InputClass(("n",), "is None"), 9)]
    domain = derive_domain(SEEN, ChangedCode(), cuts, ANNOTATED)
    values = [row["n"] for row in drawn(domain)]
    assert None not in values
    assert 0.5 in values


def test_a_file_says_what_it_draws_now_and_then_as_its_author_left_it() -> None:
    domain = derive_domain(SEEN, ChangedCode(), (), {"size": {"n": Allowed((None,), (0.5,))}})
    assert list(allowed_in(domain)) == [("size", "n", None), ("size", "n", 0.5)]
    assert list(allowed_in(domain.replace("[None, 0.5]", "[None]"))) == [("size", "n", None)]
    assert list(allowed_in(domain.replace('{"n": [None, 0.5]}', "OTHERS"))) == []
    assert list(allowed_in(derive_domain(SEEN, ChangedCode()))) == list(allowed_in("def f(:")) == []
