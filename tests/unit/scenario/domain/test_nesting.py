"""Where values nest, emptier and deeper ones are drawn too, a level or two deeper than any that was seen."""

from typing import Any

import pytest

from authoring.model.execution import How
from authoring.model.wire import decode, encode
from authoring.scenario.domain import ChangedCode, derive_domain
from authoring.scenario.domain.nesting import nests_itself
from tests.memory_runner import MemoryRunner


def drawn(*values: Any, n: int = 300) -> list[Any]:
    domain = derive_domain({"walk": [encode({"tree": value}) for value in values]}, ChangedCode())
    return [decode(wire)["tree"] for wire in MemoryRunner().draw(domain, "walk", n, 5, How())]


def depth(value: Any) -> int:
    items = list(value.values()) if isinstance(value, dict) else value
    return 1 + max(map(depth, items), default=0) if isinstance(value, list | tuple | dict) else 0


@pytest.mark.parametrize(
    ("value", "nests"),
    [
        ([1, [2]], True),
        ({"a": {"b": 1}}, True),
        ([{"children": []}], True),
        ((1, (2,)), True),
        ([1, 2], False),
        ([(1, 2)], False),
        ({"a": [1]}, False),
        ("[[]]", False),
    ],
)
def test_a_value_nests_where_its_own_kind_lies_inside(value: Any, nests: bool) -> None:
    assert nests_itself(value) is nests


def test_a_very_deep_value_does_not_count_as_nesting() -> None:
    value: Any = 1
    for _ in range(30):
        value = [value]
    assert not nests_itself(value)


@pytest.mark.parametrize(
    ("value", "emptied"),
    [([1, [2, 3]], [1, []]), ({"a": {"b": 1}}, {"a": {}}), (("add", 1, ("neg", 2)), ("add", 1, ()))],
)
def test_values_are_drawn_one_and_two_levels_deeper_and_emptied(value: Any, emptied: Any) -> None:
    seen = depth(value)
    found = drawn(value)
    assert {seen + 1, seen + 2} <= set(map(depth, found))
    assert max(map(depth, found)) <= seen + 2
    assert emptied in found
    assert value in found


def test_what_is_deeper_keeps_the_form_of_what_it_lies_in() -> None:
    found = drawn(("add", 1, ("neg", 2)))
    assert ("add", 1, ("add", 1, ("neg", 2))) in found
    assert ("add", 1, (("neg", 2),)) in found


def test_containers_of_a_kind_that_does_not_nest_stay_as_they_are() -> None:
    domain = derive_domain({"walk": [encode({"tree": [("a", 1), ("b", [3])]})]}, ChangedCode())
    scope: dict[str, Any] = {}
    exec(domain, scope)
    changed = [
        scope["_nested"]([("a", 1), ("b", [3])], at, what) for at in range(25) for what in ("empty", "wrap")
    ]
    assert {repr(one) for one in changed} == {"[('a', 1), ('b', [])]", "[('a', 1), ('b', [[3]])]"}


def test_values_that_nest_are_given_once_however_deep_they_go() -> None:
    domain = derive_domain({"walk": [encode({"tree": [1, [2, [3, [4]]]]})]}, ChangedCode())
    assert domain.count("nested_around([") == 1


def test_flat_values_stay_flat() -> None:
    assert max(map(depth, drawn([1, 2]))) == 1
