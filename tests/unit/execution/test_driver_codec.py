"""The codec in the box and the codec of the parent write and read the same forms."""

import datetime
import json
from decimal import Decimal
from typing import Any

import pytest

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
