"""The parent answers injected functions, keeps what was asked, and its timeline never waits."""

import datetime
import math
from typing import Any

import pytest

from authoring.execution.doubles import Doubles, ExhaustedError
from authoring.model.errors import RefusedError
from authoring.model.wire import decode, encode


def timeline(*answers: Any) -> Doubles:
    return Doubles({"timeline": tuple(map(encode, answers))})


def now(doubles: Doubles) -> Any:
    return decode(doubles.answer("timeline.now", []))


def test_listed_answers_come_in_order_and_end() -> None:
    doubles = Doubles({"fetch": ("a", "b"), "store": ()})
    assert [doubles.answer("fetch", ["x"]), doubles.answer("fetch", [])] == ["a", "b"]
    for name in ("fetch", "store"):
        with pytest.raises(ExhaustedError):
            doubles.answer(name, [])
    assert doubles.calls[:2] == [["fetch", ["x"]], ["fetch", []]]
    assert not doubles.knows("other") and not doubles.knows("timeline.now")


@pytest.mark.parametrize(
    ("start", "slept", "expected"),
    [
        (100.0, [0.5, 2], 102.5),
        (100, [0.5, 0.5], 101),
        (0, [datetime.timedelta(hours=1)], 3600),
        (datetime.datetime(2024, 1, 1), [86400, 0.25], datetime.datetime(2024, 1, 2, 0, 0, 0, 250_000)),
        (5.0, [-1, math.nan, "text", None, True], 5.0),
        (0, [math.inf, 1], 10**10),
    ],
)
def test_a_sleep_advances_the_clock_exactly_and_never_backwards(
    start: Any, slept: list[Any], expected: Any
) -> None:
    doubles = timeline(start)
    for duration in slept:
        assert doubles.answer("async timeline.sleep", [encode(duration)]) is None
    assert now(doubles) == expected
    assert type(now(doubles)) is type(start)


def test_a_tick_passes_with_each_reading() -> None:
    doubles = timeline(0.0, 0.5)
    assert [now(doubles) for _ in range(3)] == [0.0, 0.5, 1.0]


def test_a_datetime_does_not_run_over_the_last_year() -> None:
    doubles = timeline(datetime.datetime(9999, 1, 1, tzinfo=datetime.UTC))
    doubles.answer("timeline.sleep", [encode(10**9)])
    assert now(doubles) == datetime.datetime.max.replace(tzinfo=datetime.UTC)


@pytest.mark.parametrize(
    "answers", [(), ("soon",), (True,), (math.nan,), (math.inf,), (1 << 80,), (0, -1), (0, "x"), (0, 1, 2)]
)
def test_a_malformed_timeline_is_a_coded_refusal(answers: tuple[Any, ...]) -> None:
    if answers:
        with pytest.raises(RefusedError) as caught:
            timeline(*answers)
        assert caught.value.code == "EXE016"
    else:
        assert now(timeline()) == 0


def test_a_timeline_itself_cannot_be_called() -> None:
    with pytest.raises(ExhaustedError):
        timeline(1).answer("timeline", [])
