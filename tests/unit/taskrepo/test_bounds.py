"""Where versions differ in cost alone, line events tell them apart at sizes of which each is certain."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from authoring.model.capture import LiftedCheck
from authoring.model.execution import How, Hung, Limits, Observed, Outcome, Package, Program, Request, Subject
from authoring.model.wire import decode, encode
from authoring.taskrepo.stages.bounds import EXCEEDS, TIMES, Bounded, around, bounded_capture, bounds_of
from authoring.taskrepo.stages.reduction_inputs import Releases, lifted_requests
from tests.memory_runner import MemoryRunner
from tests.unit.contract.sample import material

SCENARIOS = "def count(program, p, seen):\n    seen(program.count(p['text']))\n"
LINEAR = (
    "def count(text):\n    found = 0\n    for each in text:\n        found += each == ','\n    return found\n"
)
SQUARE = (
    "def count(text):\n    found = 0\n    for at in range(len(text)):\n        seen = 0\n"
    "        for each in text[:at + 1]:\n            seen += each == ','\n        found = seen\n    return found\n"
)
ENDLESS = "def count(text):\n    while text:\n        pass\n    return 0\n"
LINES_A_SECOND = 200_000


class Boxes(MemoryRunner):
    """Runs a release whose tree is named after it, with as many line events as its time allows."""

    def __init__(self, **sources: str) -> None:
        super().__init__()
        self.sources = sources

    def observe(self, subject: Subject, requests: Sequence[Request], how: How) -> list[Outcome]:
        """Observe a release."""
        assert isinstance(subject, Package)
        program = Program(self.sources[subject.tree.name], "program", subject.scenarios, subject.types)
        timed = int((how.limits.call_cpu_s or 0) * LINES_A_SECOND)
        bound = [timed if one.line_events is None else min(timed, one.line_events) for one in requests]
        pairs = zip(requests, bound, strict=True)
        return super().observe(program, [replace(one, line_events=most) for one, most in pairs], how)


def releases(broken: str, reference: str = LINEAR) -> Releases:
    runner = Boxes(broken=broken, reference=reference)
    how = How(limits=Limits(call_cpu_s=2.0))
    packages: Any = {name: Package(Path(name), ("s",), "", SCENARIOS) for name in ("broken", "reference")}
    return Releases(runner, how, how, packages)


def request(length: int) -> Request:
    return Request("count", encode({"text": "ab," * (length // 3)}))


def bounds(broken: str, length: int, reference: str = LINEAR) -> list[Bounded]:
    made = releases(broken, reference)
    asked = [request(length)]
    made.expected(asked)
    return bounds_of(made, asked)


def bounds_where_it_fails(broken: str, length: int, reference: str = LINEAR) -> list[Bounded]:
    """Return what is bounded of a check that fails on the broken side."""
    asked = [request(length)]
    return bounds_of(releases(broken, reference), asked, asked)


def outcome(source: str, one: Request, line_events: int) -> Outcome:
    program = Program(source, "program", SCENARIOS)
    (seen,) = MemoryRunner().observe(program, [replace(one, line_events=line_events)], How())
    return seen


@pytest.mark.parametrize("length", [600, 3000, 30_000])
def test_each_bound_leaves_room_for_the_reference_and_none_for_what_is_slow(length: int) -> None:
    (found,) = bounds(SQUARE, length)
    assert len(found.requests) >= 2
    for one in found.requests:
        assert one.line_events is not None
        assert isinstance(outcome(LINEAR, one, one.line_events // TIMES), Observed)
        assert outcome(SQUARE, one, EXCEEDS * one.line_events) == Hung()


def test_the_reproducers_own_size_stands_for_itself_where_line_events_tell() -> None:
    (found,) = bounds(SQUARE, 1200)
    assert found.requests[0].params == request(1200).params
    assert len(decode(found.plain.params)["text"]) < 30


@pytest.mark.parametrize(
    ("broken", "reference", "length"),
    [(ENDLESS, LINEAR, 3000), (LINEAR, LINEAR, 3000), (SQUARE, SQUARE, 3000), (SQUARE, LINEAR, 30)],
    ids=["endless", "quick", "both slow", "short"],
)
def test_nothing_is_bounded_where_cost_does_not_tell(broken: str, reference: str, length: int) -> None:
    assert bounds(broken, length, reference) == []


def test_a_check_takes_the_size_and_the_bound_and_inputs_are_looked_for_around_a_small_one() -> None:
    found = bounds(SQUARE, 30_000)
    check = LiftedCheck(
        id="check_1",
        function="",
        line=1,
        script="",
        scenario="count",
        params=request(30_000).params,
        view="value",
    )
    other = check.model_copy(update={"id": "check_2", "params": request(3).params})
    capture = material().capture.model_copy(update={"checks": (check, other)})
    moved = bounded_capture(capture, found)
    assert lifted_requests(moved) == [found[0].requests[0], request(3)]
    assert [one.params for one in around(moved, found)] == [found[0].plain.params, other.params]
    assert bounded_capture(capture, []) == capture


def test_a_check_that_nothing_but_cost_can_fail_is_asked_at_larger_sizes() -> None:
    assert bounds(SQUARE, 150) == []
    (found,) = bounds_where_it_fails(SQUARE, 150)
    lengths = [len(decode(one.params)["text"]) for one in found.requests]
    assert len(lengths) >= 2 and min(lengths) > 150
    assert lengths == sorted(lengths)
    assert len(decode(found.plain.params)["text"]) <= 150
    for one in found.requests:
        assert one.line_events is not None
        assert isinstance(outcome(LINEAR, one, one.line_events // TIMES), Observed)
        assert outcome(SQUARE, one, EXCEEDS * one.line_events) == Hung()


@pytest.mark.parametrize(
    ("broken", "reference"),
    [
        (LINEAR, LINEAR),
        (LINEAR.replace("found += each == ','", "found += each == ','\n        each = each"), LINEAR),
        (SQUARE.replace("return found", "return found + 1"), LINEAR),
        (SQUARE, SQUARE),
    ],
    ids=["equal", "a few times", "another result", "both slow"],
)
def test_what_costs_no_higher_order_more_or_fails_by_its_result_is_not_bounded(
    broken: str, reference: str
) -> None:
    assert bounds_where_it_fails(broken, 150, reference) == []
