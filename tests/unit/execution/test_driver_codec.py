"""The codec in the box and the codec of the parent write and read the same forms."""

import datetime
import json
from decimal import Decimal
from typing import Any

import pytest

from authoring.execution.channel import containers
from authoring.execution.driver.codec import Encoder, Outside, decode
from authoring.model.wire import WireError, check, encode
from tests.unit.model.test_wire import VALUES, shown


@pytest.mark.parametrize("value", VALUES)
def test_both_sides_agree(value: Any) -> None:
    wire = json.loads(Encoder().encode(value))
    check(wire)
    assert wire == encode(value)
    back = decode(wire, None)
    assert type(back) is type(value)
    assert shown(back) == shown(value)


@pytest.mark.parametrize("value", [{"é", "a", "\x7f", "😀", "\n"}, frozenset({1, 10, 2, "1"})])
def test_sets_are_sorted_alike(value: Any) -> None:
    assert json.loads(Encoder().encode(value)) == encode(value)


class Zone(datetime.tzinfo):
    def dst(self, moment: datetime.datetime | None) -> None:
        return None

    def tzname(self, moment: datetime.datetime | None) -> None:
        return None

    def utcoffset(self, moment: datetime.datetime | None) -> datetime.timedelta:
        raise RuntimeError


@pytest.mark.parametrize(
    "value",
    [
        object(),
        1 << 4096,
        "\ud83d\udca1",
        datetime.datetime(2024, 1, 1, tzinfo=Zone()),
        Decimal("1" * 5000),
        bytearray(b"x"),
        range(3),
    ],
    ids=lambda value: type(value).__name__,
)
def test_both_sides_refuse_alike(value: Any) -> None:
    with pytest.raises(WireError):
        encode(value)
    with pytest.raises(Outside):
        Encoder().encode(value)


def test_the_size_of_a_reply_is_bounded_before_it_is_built() -> None:
    with pytest.raises(Outside) as caught:
        Encoder(1000).encode(["x" * 300] * 1_000_000)
    assert caught.value.why == "size"


@pytest.mark.parametrize(
    "value", [[[]] * 50, [1] * 50, [{}] * 50, dict.fromkeys(range(50)), [{"a": 1, "b": None}] * 20]
)
def test_more_values_than_the_cap_are_refused_whatever_they_are(value: Any) -> None:
    text = Encoder(values_cap=200).encode(value)
    assert containers(text.encode(), 10**6) <= 4 * 200
    with pytest.raises(Outside):
        Encoder(values_cap=40).encode(value)


def test_text_none_and_booleans_are_no_values_that_count() -> None:
    assert Encoder(values_cap=1).encode(["[{" * 100, None, True] * 100)
    assert containers(json.dumps({"a": ["[{\\" * 100, '"[' * 100]}).encode(), 5) == 2
