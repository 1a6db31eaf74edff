"""Which inputs are worth what it costs to ask them."""

from dataclasses import replace

from authoring.model.execution import How, Program, Request
from authoring.model.wire import encode
from authoring.scenario.inputs import thrifty
from tests.memory_runner import MemoryRunner

LOOP = "def f(n):\n    for _ in range(n):\n        pass\n    return n\n"
CALL = "def call(program, p, seen):\n    seen(program.f(p['n']))\n"


def kept(*sizes: int) -> list[int]:
    """Return the sizes of the inputs that are kept, where a call takes two line events for each of its size."""
    requests = [Request("call", encode({"n": n})) for n in sizes]
    places = thrifty(MemoryRunner(), Program(LOOP, "program", CALL), requests, How())
    assert places == sorted(places)
    return [sizes[at] for at in places]


def test_what_is_cheap_is_kept() -> None:
    assert kept(1, 1000, 2, 4000) == [1, 1000, 2, 4000]


def test_of_what_is_dear_some_is_kept_from_all_over_and_of_what_is_too_dear_nothing() -> None:
    dear = [6000 + n for n in range(100)]
    found = kept(1, *dear, 2, 100_000)
    assert found[0] == 1 and found[-1] == 2
    assert len(found) == 2 + 24
    assert found[1] < 6010 and found[-2] > 6090


def test_where_the_first_are_too_dear_others_take_their_places() -> None:
    assert kept(*[100_000] * 30, *[6000 + n for n in range(20)]) == [6000 + n for n in range(20)]


def test_requests_that_bound_their_cost_are_kept() -> None:
    bounded = replace(Request("call", encode({"n": 100_000})), line_events=9)
    assert thrifty(MemoryRunner(), Program(LOOP, "program", CALL), [bounded], How()) == [0]
