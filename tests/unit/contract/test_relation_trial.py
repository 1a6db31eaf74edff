"""A relation is tried where its change is one, also on the items of two inputs in one."""

import pytest

from authoring.contract.relation_trial import crossed, telling
from authoring.contract.relations import Proposal
from authoring.model.wire import decode, encode
from authoring.scenario.inputs import Input

REORDERED = Proposal("f_reordered", "f", "", "", parameter="x", least=2)
TWICE = Proposal("f_twice", "f", "", "")


def inputs(*values: object) -> list[Input]:
    return [Input("f_reordered", encode({"x": value, "y": 1})) for value in values]


@pytest.mark.parametrize("value", [[], [1], [1, 1], None, "text", {"a": 1}])
def test_a_value_without_two_different_items_is_not_told_from_the_changed_one(value: object) -> None:
    assert telling(REORDERED, inputs(value)) == []


def test_a_value_with_two_different_items_is_and_so_is_any_where_nothing_is_changed() -> None:
    assert telling(REORDERED, inputs([1, 2], (3, 4))) == inputs([1, 2], (3, 4))
    assert telling(TWICE, inputs([], 5)) == inputs([], 5)


def test_crossed_inputs_hold_the_items_of_two_neighbours_of_one_kind() -> None:
    found = crossed(REORDERED, inputs([1], [2, 3], (4,), (5,), None))
    assert [decode(one.params) for one in found] == [{"x": [1, 2, 3], "y": 1}, {"x": (4, 5), "y": 1}]


def test_crossed_mappings_hold_every_key_once() -> None:
    (found,) = crossed(REORDERED, inputs({"a": 1, "b": 2}, {"a": 3, "c": 4}))
    assert decode(found.params)["x"] == {"a": 3, "b": 2, "c": 4}


def test_nothing_is_crossed_where_nothing_is_changed() -> None:
    assert crossed(TWICE, inputs([1], [2])) == []
