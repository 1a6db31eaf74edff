"""What is left is told with the request that would be lost, the fault's own first."""

from authoring.model.variants import VersionName
from authoring.reduction.align import merge
from authoring.reduction.held import left_statements
from authoring.reduction.merged import MergedProgram
from authoring.reduction.oracle import Oracle
from tests.unit.reduction.sample import oracle, requests

BROKEN = """def f(x):
    if x > 100:
        x = 100 + (x - 100) * 2
    if x < 0:
        x = -x * 3
    spare = [1, 2]
    other = x > 3
    if other:
        x = x + 2
    return x
"""
PAIR: dict[VersionName, str] = {"broken": BROKEN, "reference": BROKEN.replace("x > 3", "x >= 3")}
ASKED = requests(3, -5, 200)
"""Only the first shows the fault."""


def judged() -> tuple[Oracle, MergedProgram]:
    judge, program = oracle(PAIR, ASKED), merge(PAIR)
    judge.admit(program)
    return judge, program


def test_a_statement_is_held_by_the_request_that_its_deletion_loses() -> None:
    judge, program = judged()
    left = left_statements(judge, program, frozenset("f"), frozenset({0}))
    held = {one.code: (one.is_kept, one.request) for one in left.held}
    assert held["if x > 100:"] == (False, ASKED[2])
    assert held["if x < 0:"] == (False, ASKED[1])
    assert held["if other:"] == (True, ASKED[0])


def test_statements_are_counted_by_what_keeps_them() -> None:
    judge, program = judged()
    counts = dict(left_statements(judge, program, frozenset("f"), frozenset({0})).counts)
    assert counts == {
        "undefined": 2,  # the assignments of other, one a version
        "untried": 1,  # the spare list: nothing asks for it
        "check": 3,  # if other, what it holds, and return
        "input": 2,
    }


def test_none_is_told_inside_one_that_inputs_hold_and_the_largest_comes_first() -> None:
    judge, program = judged()
    left = left_statements(judge, program, frozenset("f"), frozenset({0}))
    sizes = [one.nodes for one in left.held]
    assert sizes == sorted(sizes, reverse=True)
    assert "x = 100 + (x - 100) * 2" not in {one.code for one in left.held}


def test_to_tell_is_no_trial() -> None:
    judge, program = judged()
    trials = judge.trials
    left_statements(judge, program, frozenset("f"), frozenset({0}))
    assert judge.trials == trials
