"""The wire form holds exactly the domain of R13, and reading it is total."""

import datetime
import uuid
from decimal import Decimal
from fractions import Fraction

import pytest

from authoring.model.wire import WireError, check, decode, encode

VALUES = [
    None,
    True,
    "text",
    "\ud800",
    0,
    -500,
    1.5,
    -0.0,
    float("inf"),
    5e-324,
    1.7976931348623157e308,
    complex(1, -0.0),
    b"\x00\xff",
    [1, [2]],
    (1, ()),
    {"b": 1, "a": [True], 3: None},
    {1, 2, "x"},
    frozenset({(1, 2)}),
    Decimal("1.50"),
    Decimal("-Infinity"),
    Fraction(-1, 3),
    datetime.date(2024, 2, 29),
    datetime.time(1, 2, 3, 4, datetime.timezone(datetime.timedelta(hours=-3)), fold=1),
    datetime.datetime(2024, 2, 29, 1, tzinfo=datetime.UTC),
    datetime.timedelta(-1, 5, 7),
    uuid.UUID(int=7),
]


def shown(value: object) -> str:
    """Return the text of a value; a set has no order, so its elements are sorted."""
    return repr(sorted(map(repr, value))) if isinstance(value, set | frozenset) else repr(value)


@pytest.mark.parametrize("value", VALUES)
def test_a_value_of_the_domain_survives_the_wire(value: object) -> None:
    wire = encode(value)
    check(wire)
    back = decode(wire)
    assert type(back) is type(value)
    assert shown(back) == shown(value)


def test_the_forms_are_those_of_the_protocol() -> None:
    assert encode(-500) == {"int": "-0x1f4"}
    assert encode(3.0) == {"float": "0x1.8p+1"}
    assert encode(1.0) == {"float": "0x1p+0"}
    assert encode({2, 10}) == {"set": [{"int": "0x2"}, {"int": "0xa"}]}


class _Sub(int):
    pass


def _nested(depth: int) -> list[object]:
    value: list[object] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [_Sub(1), 1 << 4096, object(), _nested(51), "\ud83d\udca1", bytearray(b"x")],
    ids=lambda v: type(v).__name__,
)
def test_a_value_outside_the_domain_has_no_form(value: object) -> None:
    with pytest.raises(WireError):
        encode(value)


MALFORMED = [
    1,
    1.0,
    [],
    {},
    {"int": "0x01"},
    {"int": "0X1"},
    {"int": "-0x0"},
    {"int": 5},
    {"int": "0x" + "f" * 1025},
    {"int": "0x1", "float": "0x1p+0"},
    {"float": "1.0"},
    {"float": "0x1p+9999"},
    {"bytes": "0"},
    {"bytes": "0A"},
    {"list": {"int": "0x1"}},
    {"dict": [["a"]]},
    {"dict": [["a", None], ["a", None]]},
    {"set": ["b", "a"]},
    {"set": ["a", "a"]},
    {"decimal": [2, "1", 0]},
    {"decimal": [0, "01", 0]},
    {"decimal": [True, "1", 0]},
    {"fraction": [{"int": "0x1"}, {"int": "0x2"}]},
    {"fraction": ["0x2", "0x4"]},
    {"fraction": ["0x1", "0x0"]},
    {"date": [2023, 2, 29]},
    {"date": [True, 1, 1]},
    {"time": [1, 1, 1, 1, 2, None]},
    {"datetime": [2024, 1, 1, 0, 0, 0, 0, 0, 90_000]},
    {"timedelta": [0, -1, 0]},
    {"uuid": "00"},
    {"enum": ["A"]},
    {"iter": [[], 1]},
    {"handle": -1},
    {"nothing": 1},
]


@pytest.mark.parametrize("wire", MALFORMED)
def test_malformed_data_is_refused(wire: object) -> None:
    with pytest.raises(WireError):
        check(wire)
    with pytest.raises(WireError):
        decode(wire)


@pytest.mark.parametrize(
    "wire", [{"enum": ["A", "B"]}, {"record": ["A", [["x", {"int": "0x1"}]]]}, {"handle": 1}]
)
def test_what_exists_in_a_box_only_is_checked_and_never_decoded(wire: object) -> None:
    check(wire)
    with pytest.raises(WireError):
        decode(wire)


def test_equal_keys_of_different_types_are_refused_when_decoded() -> None:
    wire = {"dict": [[{"int": "0x1"}, None], [True, None]]}
    check(wire)
    with pytest.raises(WireError, match="equal"):
        decode(wire)


def test_keys_that_share_a_hash_on_purpose_are_refused_quickly() -> None:
    prime = (1 << 61) - 1
    wire = {"dict": [[{"int": hex(prime * i)}, None] for i in range(1, 30_000)]}
    check(wire)
    with pytest.raises(WireError, match="share a hash"):
        decode(wire)


def test_deep_nesting_is_refused_without_recursion_trouble() -> None:
    wire: object = None
    for _ in range(10_000):
        wire = {"list": [wire]}
    with pytest.raises(WireError, match="deep"):
        check(wire)
