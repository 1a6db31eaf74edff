"""Whatever bytes come from a box, the parent has a clean verdict on them, in bounded time."""

import random

import pytest

from authoring.execution.channel import parse_frame
from authoring.model.wire import WireError
from tests.property.frames import corpus_of_frames, mutated, verdict_of


def test_right_frames_are_understood() -> None:
    assert {verdict_of(frame) for frame in corpus_of_frames()} == {"observed", "refused"}


def test_mutated_frames_give_nothing_but_clean_verdicts() -> None:
    rng = random.Random(3)
    seeds = corpus_of_frames()
    tally = [verdict_of(mutated(rng.choice(seeds), rng)) for _ in range(1000)]
    assert tally.count("malformed") > 500
    assert set(tally) <= {"observed", "refused", "malformed"}


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"[]",
        b"\xff",
        b'{"a":1,"a":1}',
        b'{"a":NaN}',
        b'{"a":1.5}',
        b'{"a":' + b"9" * 100_000 + b"}",
        b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    ],
    ids=lambda frame: f"{len(frame)} bytes",
)
def test_a_frame_that_is_no_strict_object_is_malformed(frame: bytes) -> None:
    with pytest.raises(WireError):
        parse_frame(frame)
