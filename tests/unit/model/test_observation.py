"""Observations are equal exactly as far as the contract looks."""

import pytest

from authoring.model.observation import Compare, FloatTolerance, equal, observations_digest
from authoring.model.wire import encode


def seen(value: object) -> list[dict[str, object]]:
    return [{"value": encode(value)}]


@pytest.mark.parametrize(
    ("left", "right"), [(1, True), (1, 1.0), (0.0, -0.0), ([1], (1,)), ({"a": 1}, {}), ("a", b"a")]
)
def test_types_and_signs_count_by_default(left: object, right: object) -> None:
    assert not equal(seen(left), seen(right))
    assert equal(seen(left), seen(left))


def test_order_counts_unless_the_contract_says_otherwise() -> None:
    for left, right in (([1, 2], [2, 1]), ({"a": 1, "b": 2}, {"b": 2, "a": 1})):
        assert not equal(seen(left), seen(right))
        assert equal(seen(left), seen(right), Compare(order="any"))
    assert not equal(seen([1, 1]), seen([1]), Compare(order="any"))


def test_floats_may_be_near_within_the_tolerance_only() -> None:
    near = Compare(floats=FloatTolerance(rel=1e-9))
    assert equal(seen([0.1 + 0.2]), seen([0.3]), near)
    assert not equal(seen([0.31]), seen([0.3]), near)
    assert not equal(seen([float("nan")]), seen([0.3]), near)
    assert equal(seen([float("nan")]), seen([float("nan")]), near)
    with pytest.raises(ValueError, match="tolerance"):
        observations_digest(b"k", "pool", seen(0.3), near)


def test_messages_and_changed_arguments_count_as_the_contract_says() -> None:
    one = [{"raised": {"type": "ValueError", "message": "a"}}]
    other = [{"raised": {"type": "ValueError", "message": "b"}}]
    assert equal(one, other)
    assert not equal(one, other, Compare(exception="type+message"))
    changed = [{"value": None, "args_after": encode({"a": 1})}]
    assert not equal(changed, [{"value": None}])
    assert equal(changed, [{"value": None}], Compare(args="ignored"))


def test_two_spellings_of_a_float_are_the_same_float() -> None:
    assert equal([{"value": {"float": "0x1.8000000000000p+1"}}], [{"value": {"float": "0x1.8p+1"}}])


def test_a_digest_looks_as_far_as_the_comparison() -> None:
    loose = Compare(order="any")
    assert observations_digest(b"k", "pool", seen([1, 2]), loose) == observations_digest(
        b"k", "pool", seen([2, 1]), loose
    )
    assert observations_digest(b"k", "pool", seen([1]), loose) != observations_digest(
        b"j", "pool", seen([1]), loose
    )
