"""What only the recursion limit decides on a release is no request of a reduction."""

import sys
from collections.abc import Sequence
from pathlib import Path

from authoring.model.execution import How, Package, Request
from authoring.model.variants import VersionName
from authoring.model.wire import encode
from authoring.taskrepo.stages.reduction_inputs import Releases
from tests.unit.contract.test_hear import Releases as Runner

DEEP = "def f(n):\n    return 0 if n == 0 else 1 + f(n - 1)\n"
FLAT = "def f(n):\n    return n\n"
CALL = "def call(program, p, seen):\n    seen(program.f(p['n']))\n"
LIMIT = sys.getrecursionlimit()


def left(depths: Sequence[int], own: Sequence[int]) -> list[int]:
    packages: dict[VersionName, Package] = {
        "broken": Package(Path("r1"), ("sample",), "", CALL),
        "reference": Package(Path("r2"), ("sample",), "", CALL),
    }
    releases = Releases(Runner(r1=DEEP, r2=FLAT), How(), How(), packages)
    asked, lifted = ([Request("call", encode({"n": n})) for n in each] for each in (depths, own))
    kept = releases.without_depth(asked, lifted)
    return [n for n, one in zip(depths, asked, strict=True) if one in kept]


def test_a_depth_that_one_release_cannot_bear_by_accident_is_left_out() -> None:
    assert left([3, LIMIT + 100, 3 * LIMIT], own=[3, 4 * LIMIT]) == [3, 3 * LIMIT]


def test_what_goes_as_deep_as_the_reproducer_is_asked() -> None:
    assert left([LIMIT + 100, LIMIT * 18 // 10], own=[LIMIT * 17 // 10]) == [LIMIT * 18 // 10]
