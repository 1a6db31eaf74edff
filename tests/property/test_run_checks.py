"""The text that agents run agrees with the grader's wire and comparison, for any value."""

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from authoring.model.observation import Compare, FloatTolerance, equal
from authoring.model.wire import decode, encode
from authoring.taskrepo import run_checks

SCALARS = (
    st.none()
    | st.booleans()
    | st.text(max_size=8)
    | st.integers(-(2**80), 2**80)
    | st.floats()
    | st.complex_numbers()
    | st.binary(max_size=6)
    | st.decimals(allow_nan=True)
    | st.fractions()
    | st.dates()
    | st.times()
    | st.datetimes(timezones=st.none() | st.timezones().map(lambda _: None))
    | st.timedeltas()
    | st.uuids()
)
HASHABLE = (
    st.booleans()
    | st.text(max_size=4)
    | st.integers(-5, 5)
    | st.tuples(st.integers(0, 3), st.text(max_size=2))
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=4), inner, max_size=3)
        | st.frozensets(st.text(max_size=4), max_size=4)
        | st.sets(st.integers(-20, 20), max_size=5)
    ),
    max_leaves=12,
)
COMPARES = st.builds(
    Compare,
    exception=st.sampled_from(["type", "type+message"]),
    floats=st.sampled_from(["exact", FloatTolerance(rel=1e-6)]),
    order=st.sampled_from(["kept", "any"]),
    args=st.sampled_from(["compared", "ignored"]),
)
KINDS = run_checks.Kinds(object(), {})


@given(VALUES)
def test_any_value_has_the_graders_wire_form_both_ways(value: Any) -> None:
    wire = encode(value)
    assert run_checks.encode(value, KINDS) == wire
    assert encode(run_checks.decode(wire, run_checks.Answers({}))) == encode(decode(wire))


@st.composite
def observations(draw: Any) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = [{"value": encode(value)} for value in draw(st.lists(VALUES, max_size=3))]
    if draw(st.booleans()):
        parts.append(
            {
                "raised": {
                    "type": draw(st.sampled_from(["A", "B"])),
                    "message": draw(st.sampled_from(["x", "y"])),
                }
            }
        )
    if parts and draw(st.booleans()):
        parts[-1]["args_after"] = encode({"k": draw(VALUES)})
    if parts and draw(st.booleans()):
        parts[-1]["calls"] = [["f", [encode(draw(VALUES))]]]
    return parts


def varied(draw: st.DrawFn, wire: Any) -> Any:
    """Return the same data with small changes: an order, a digit, a tag."""
    if isinstance(wire, list):
        items = [varied(draw, item) for item in wire]
        return draw(st.permutations(items)) if draw(st.integers(0, 9)) == 0 else items
    if isinstance(wire, dict):
        if "float" in wire and draw(st.booleans()):
            value = float.fromhex(wire["float"])
            return encode(value * draw(st.sampled_from([1, 1 + 1e-9, 1.01, -1])))
        return {name: varied(draw, item) for name, item in wire.items()}
    return wire


@st.composite
def pairs(draw: st.DrawFn) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    left = draw(observations())
    right = draw(observations()) if draw(st.integers(0, 4)) == 0 else varied(draw, copy.deepcopy(left))
    return left, right


@given(pairs(), COMPARES)
def test_any_two_observations_compare_as_the_grader_compares_them(
    pair: tuple[list[dict[str, Any]], list[dict[str, Any]]], compare: Compare
) -> None:
    left, right = pair
    try:
        expected = equal(left, right, compare)
    except (ValueError, KeyError, TypeError, AttributeError):
        return
    assert run_checks.equal(left, right, compare.model_dump(mode="json")) == expected
    assert run_checks.equal(left, left, compare.model_dump(mode="json"))
