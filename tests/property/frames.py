"""Frames of replies, right and mutated, and what the parent makes of them."""

import json
import random

from authoring.execution.channel import parse_frame
from authoring.execution.conversation import read_reply
from authoring.model.execution import Observed, Refused
from authoring.model.observation import Compare, equal, observations_digest
from authoring.model.wire import WireError, encode

__all__ = ["corpus_of_frames", "mutated", "verdict_of"]

_VALUES = [
    None,
    "text \ud800",
    -500,
    [1, [2.5, "x"], {"a": (1, True)}],
    {"é": b"\x00\xff", 3: {1, 2}},
    1e308,
    complex(0, -1),
]
_PIECES = [
    b"{", b"}", b"[", b"]", b'"', b":", b",", b"null", b"true", b"NaN", b"Infinity", b"1e999", b"-", b"0x", b"9" * 200,
    b'{"int":"0x1"}', b'{"float":"nan"}', b'{"list":[', b'{"set":[', b'{"id":1', b"\\ud800", b"\xff", b"\x00",
    b"[" * 2000, b'{"a":' * 300, b'"observations"', b'"outside"', b'{"handle":-1}', b'{"date":[0,0,0]}',
]  # fmt: skip


def corpus_of_frames() -> list[bytes]:
    """Return right replies to the request 1, of every form."""
    frames = [json.dumps({"id": 1, "observations": [{"value": encode(value)}]}) for value in _VALUES]
    frames.append(json.dumps({"id": 1, "observations": [{"raised": {"type": "ValueError", "message": "m"}}]}))
    last = {"value": None, "args_after": encode({"a": [1]}), "calls": [["clock", [encode(1)]]]}
    frames.append(json.dumps({"id": 1, "observations": [{"value": "a"}, last]}))
    frames.append(json.dumps({"id": 1, "outside": ["type", "a value of the type X"]}))
    return [frame.encode("ascii") for frame in frames]


def mutated(frame: bytes, rng: random.Random) -> bytes:
    """Return a frame with one to four bytes or pieces changed, put in, taken out or moved."""
    data = bytearray(frame)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data) + 1)
        kind = rng.randrange(5)
        if kind == 0 and at < len(data):
            data[at] = rng.randrange(256)
        elif kind == 1:
            data[at:at] = rng.choice(_PIECES)
        elif kind == 2:
            del data[at : at + rng.randint(1, 8)]
        elif kind == 3:
            end = min(len(data), at + rng.randint(1, 30))
            data[at:at] = data[at:end]
        else:
            other = rng.randrange(len(data) + 1)
            data[at : at + 3], data[other : other + 3] = data[other : other + 3], data[at : at + 3]
    return bytes(data)


def verdict_of(frame: bytes) -> str:
    """Return what the parent makes of a frame: ``observed``, ``refused`` or ``malformed``, and nothing else."""
    try:
        outcome = read_reply(parse_frame(frame), 1)
    except WireError:
        return "malformed"
    if isinstance(outcome, Observed):
        equal(outcome.observations, outcome.observations)
        observations_digest(b"key", "pool", outcome.observations, Compare(), "task", 0)
        return "observed"
    assert isinstance(outcome, Refused)
    return "refused"
