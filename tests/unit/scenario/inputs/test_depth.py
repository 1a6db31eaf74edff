"""What hangs on the recursion limit is told from recursion without an end, and from what is far from the limit."""

import sys
from collections.abc import Sequence

from authoring.model.execution import How, Program, Request
from authoring.model.wire import encode
from authoring.scenario.inputs import decided_by_depth, nearly_too_deep
from tests.memory_runner import MemoryRunner

DEEP = "def f(n):\n    return 0 if n == 0 else 1 + f(n - 1)\n"
ENDLESS = "def f(n):\n    return f(n + 1) if n > 10 else n\n"
CALL = "def call(program, p, seen):\n    seen(program.f(p['n']))\n"


def decided(source: str, *depths: int, own: Sequence[int] = ()) -> list[int]:
    runner, program = MemoryRunner(), Program(source, "program", CALL)
    asked = [Request("call", encode({"n": n})) for n in own]
    requests = [Request("call", encode({"n": n})) for n in depths]
    outcomes = runner.observe(program, requests, How())
    found = decided_by_depth(runner, program, requests, outcomes, How(), asked)
    return [depths[at] for at in sorted(found)]


def near(source: str, *depths: int, own: Sequence[int] = ()) -> list[int]:
    requests, asked = ([Request("call", encode({"n": n})) for n in each] for each in (depths, own))
    program = Program(source, "program", CALL)
    return [depths[at] for at in sorted(nearly_too_deep(MemoryRunner(), program, requests, How(), asked))]


def test_a_depth_that_twice_the_limit_allows_decides() -> None:
    limit = sys.getrecursionlimit()
    assert decided(DEEP, 1, limit // 4, limit + 100, 3 * limit) == [limit + 100]


def test_what_goes_as_deep_as_the_reproducer_does_is_no_accident() -> None:
    limit = sys.getrecursionlimit()
    own, less = limit * 17 // 10, limit * 12 // 10
    assert decided(DEEP, less, own + 1, own=[3, own]) == [less]
    assert decided(DEEP, less, own + 1, own=[3, 3 * limit]) == [less, own + 1]
    assert decided(DEEP, less, own=[limit]) == []


def test_recursion_without_an_end_is_no_accident() -> None:
    assert decided(ENDLESS, 5, 50) == []


def test_what_ends_well_but_not_under_half_the_limit_is_near_it() -> None:
    limit = sys.getrecursionlimit()
    assert near(DEEP, 1, limit // 4, limit // 2 + 50, 2) == [limit // 2 + 50]
    assert near(ENDLESS, 5, 500) == []


def test_nothing_is_near_the_limit_where_the_reproducer_comes_as_near() -> None:
    limit = sys.getrecursionlimit()
    assert near(DEEP, limit // 2 + 50, own=[limit // 2 + 60]) == []
    assert near(DEEP, limit // 2 + 50, own=[3, 3 * limit]) == [limit // 2 + 50]


def test_the_limit_is_as_before_afterwards() -> None:
    limit = sys.getrecursionlimit()
    decided(DEEP, limit + 100)
    near(DEEP, limit // 2 + 50)
    assert sys.getrecursionlimit() == limit
