"""What hangs on the recursion limit is told from recursion without an end, and from what is far from the limit."""

import sys

from authoring.model.execution import How, Program, Request
from authoring.model.wire import encode
from authoring.scenario.inputs import decided_by_depth, thrifty
from tests.memory_runner import MemoryRunner

DEEP = "def f(n):\n    return 0 if n == 0 else 1 + f(n - 1)\n"
ENDLESS = "def f(n):\n    return f(n + 1) if n > 10 else n\n"
CALL = "def call(program, p, seen):\n    seen(program.f(p['n']))\n"


def decided(source: str, *depths: int) -> list[int]:
    runner, program = MemoryRunner(), Program(source, "program", CALL)
    requests = [Request("call", encode({"n": n})) for n in depths]
    outcomes = runner.observe(program, requests, How())
    found = decided_by_depth(runner, program, requests, outcomes, How())
    return [depths[at] for at in sorted(found)]


def worth(source: str, *depths: int) -> list[int]:
    requests = [Request("call", encode({"n": n})) for n in depths]
    places = thrifty(MemoryRunner(), Program(source, "program", CALL), requests, How())
    return [depths[at] for at in places]


def test_a_depth_that_twice_the_limit_allows_decides() -> None:
    limit = sys.getrecursionlimit()
    assert decided(DEEP, 1, limit // 4, limit + 100, 3 * limit) == [limit + 100]


def test_recursion_without_an_end_is_no_accident() -> None:
    assert decided(ENDLESS, 5, 50) == []


def test_what_comes_near_the_limit_is_not_worth_asking() -> None:
    limit = sys.getrecursionlimit()
    assert worth(DEEP, 1, limit // 4, limit // 2 + 50, 2) == [1, limit // 4, 2]


def test_what_ends_so_at_the_limit_too_is_not_near_it() -> None:
    assert worth(ENDLESS, 5, 500) == [5, 500]


def test_the_limit_is_as_before_afterwards() -> None:
    limit = sys.getrecursionlimit()
    decided(DEEP, limit + 100)
    worth(DEEP, limit // 2 + 50)
    assert sys.getrecursionlimit() == limit
