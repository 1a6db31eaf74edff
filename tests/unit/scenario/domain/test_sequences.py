"""A domain of steps draws calls of the methods seen, of other lengths and orders, with arguments that meet."""

from collections.abc import Sequence
from typing import Any

import pytest

from authoring.model.execution import How
from authoring.model.wire import decode, encode
from authoring.scenario.domain import ChangedCode, derive_domain
from tests.memory_runner import MemoryRunner

PUTS = [["put", [1]], ["put", [2]]]
ROWS: list[dict[str, Any]] = [{"n": 2, "steps": [*PUTS, ["get", []]]}, {"n": 3, "steps": PUTS}]
SCENARIO = """
def {name}(program, p, seen):
    q = program.{made}(p["n"])
    methods = {{"put": q.put, "get": q.get}}
    for name, args in p["steps"]:
        methods[name](*args)
    seen(len(q))
"""


def text_of(rows: Sequence[dict[str, Any]]) -> str:
    return derive_domain({"queue": [encode(row) for row in rows]}, ChangedCode())


def drawn(text: str, scenario: str = "queue", count: int = 400) -> list[list[Any]]:
    return [decode(wire)["steps"] for wire in MemoryRunner().draw(text, scenario, count, 7, How())]


def test_steps_are_of_the_methods_seen_with_as_many_arguments_of_their_kinds() -> None:
    for steps in drawn(text_of(ROWS)):
        for name, args in steps:
            assert (name, [type(arg) for arg in args]) in (("put", [int]), ("get", []))


def test_lengths_go_from_none_to_somewhat_more_than_seen() -> None:
    lengths = {len(steps) for steps in drawn(text_of(ROWS))}
    assert lengths == set(range(3 + 4 + 1))
    longer = drawn(text_of([{"steps": [["put", [1]]] * 12}]))
    assert max(map(len, longer)) == 12 + 8


def test_orders_repetitions_and_mixtures_of_what_was_seen_are_drawn() -> None:
    rows = [{"steps": [["a", []], ["b", []], ["c", []]]}, {"steps": [["d", []], ["e", []], ["f", []]]}]
    words = {"".join(name for name, _ in steps) for steps in drawn(text_of(rows), count=1500)}
    assert {"cba", "aabc", "ac", "abf"} <= words


def test_arguments_meet_in_places_that_share_a_value() -> None:
    rows = [
        {"steps": [["put", ["a", 5]], ["put", ["b", 6]], ["get", ["a"]], ["name", ["x"]], ["name", ["y"]]]}
    ]
    text = text_of(rows)
    assert 'one_step("get", mostly(["a", "b"]' in text
    assert 'one_step("name", mostly(["x", "y"]' in text
    pairs = [(steps, given[0]) for steps in drawn(text) for name, given in steps if name == "get"]
    meeting = [key for steps, key in pairs if ["put", key] in [[name, given[0]] for name, given in steps]]
    assert len(meeting) > len(pairs) // 2


def test_keywords_are_those_seen_and_may_be_left_out() -> None:
    rows = [{"steps": [["put", [1], {"wait": True}], ["get", [], {}]]}]
    found = [step for steps in drawn(text_of(rows)) for step in steps]
    assert {tuple(step[2]) for step in found if step[0] == "put"} == {(), ("wait",)}
    assert all(step[2] == {} for step in found if step[0] == "get")


@pytest.mark.parametrize(("other", "is_shared"), [("Queue", True), ("Stack", False)])
def test_steps_of_another_scenario_are_drawn_where_it_has_the_same_methods(
    other: str, is_shared: bool
) -> None:
    scenarios = SCENARIO.format(name="first", made="Queue") + SCENARIO.format(name="second", made=other)
    if not is_shared:
        scenarios = scenarios.replace('"get": q.get}', '"pop": q.pop}', 1)
    seen = {"first": [encode({"n": 1, "steps": PUTS})], "second": [encode(ROWS[0])]}
    text = derive_domain(seen, ChangedCode(), scenarios=scenarios)
    names = {name for steps in drawn(text, "first") for name, _ in steps}
    assert names == ({"put", "get"} if is_shared else {"put"})


@pytest.mark.parametrize(
    "value", [3, [], [1, 2], [["put"]], [["put", 1]], [["put", [1], 2]], [["no name", [1]]], "abc"]
)
def test_a_parameter_of_that_name_that_holds_something_else_is_drawn_as_before(value: Any) -> None:
    assert "one_step(" not in text_of([{"n": 1, "steps": value}])


def test_the_same_steps_give_the_same_text_that_names_what_was_seen() -> None:
    text = text_of(ROWS)
    assert text == text_of(ROWS)
    assert '[row["steps"] for row in SEEN["queue"]]' in text
    assert '[row["steps"] for row in SEEN["queue"] if "steps" in row]' in text_of([*ROWS, {"n": 4}])
