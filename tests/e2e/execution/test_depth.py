"""The recursion limit of a subject in a box can be looked beyond, once for all its requests."""

import pytest

from authoring.execution import BoxRunner
from authoring.model.execution import How, Limits, Program, Request
from authoring.model.wire import encode
from authoring.scenario.inputs import decided_by_depth, nearly_too_deep

DEEP = "def f(n):\n    return 0 if n == 0 else 1 + f(n - 1)\n"
CALL = "def call(program, p, seen):\n    seen(program.f(p['n']))\n"
HOW = How(limits=Limits(call_cpu_s=0.2, call_s=5.0))


@pytest.mark.parametrize("is_fresh", [False, True], ids=["warm", "fresh"])
def test_depths_are_told_apart_in_a_box(runner: BoxRunner, is_fresh: bool) -> None:
    how = How(limits=HOW.limits, fresh=is_fresh)
    program = Program(DEEP, "program", CALL)
    requests = [Request("call", encode({"n": n})) for n in (100, 200, 700, 1500, 1600, 5000, 300)]
    outcomes = runner.observe(program, requests, how)
    assert decided_by_depth(runner, program, requests, outcomes, how) == {3, 4}
    assert nearly_too_deep(runner, program, requests[:3], how) == {2}
