"""The same input at smaller sizes: what is long or large shrinks, what is small or of another kind stays."""

from fractions import Fraction
from typing import Any

import pytest

from authoring.model.wire import decode, encode
from authoring.taskrepo.stages.sizes import LARGER, SIZES, at_larger_sizes, at_sizes, scaled


@pytest.mark.parametrize(
    ("value", "half"),
    [
        ("ab" * 40, "ab" * 20),
        ("short", "short"),
        (b"x" * 100, b"x" * 50),
        (list(range(20)), list(range(10))),
        (["y" * 60, 3], ["y" * 30, 3]),
        (1000, 500),
        (7, 7),
        (-1000, -1000),
        (1 << 40, 1 << 40),
        (True, True),
        (0.5, 0.5),
        ({"text": "z" * 30, "count": 24}, {"text": "z" * 15, "count": 12}),
    ],
)
def test_what_is_long_or_large_is_halved(value: Any, half: Any) -> None:
    assert decode(scaled(encode(value), Fraction(1, 2))) == half


def test_the_input_itself_comes_first_and_each_size_once() -> None:
    sizes = [decode(wire)["text"] for wire in at_sizes(encode({"text": "a," * 4000}))]
    lengths = [len(text) for text in sizes]
    assert lengths == sorted(set(lengths), reverse=True)
    assert lengths[0] == 8000 and len(lengths) == len(SIZES)


def test_an_input_that_cannot_shrink_has_one_size() -> None:
    assert len(list(at_sizes(encode({"text": "a", "count": 3})))) == 1


def test_larger_sizes_repeat_what_is_there_and_end_where_they_are_long() -> None:
    sizes = [
        decode(wire) for wire in at_larger_sizes(encode({"text": "ab," * 10, "count": 30, "short": "x"}))
    ]
    assert [len(each["text"]) for each in sizes] == [30 * int(size) for size in LARGER]
    assert sizes[0] == {"text": "ab," * 20, "count": 60, "short": "x"}
    assert list(at_larger_sizes(encode({"text": "a", "count": 3}))) == []
    assert len(list(at_larger_sizes(encode({"text": "a" * 20_000})))) == 1
