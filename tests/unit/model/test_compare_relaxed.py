"""A comparison may look past the kind of nothing, and past the class of an exception."""

import json
from typing import Any

import pytest

from authoring.model.observation import Compare, ExceptionBase, equal, normalised
from authoring.taskrepo import RUN_CHECKS

LOOKUP = Compare(exception=ExceptionBase(base="LookupError", types=("Missing",)))
NOTHING = Compare(nothing="same")
ALIKE: list[Any] = [None, False, "", {"list": []}, {"dict": []}, {"tuple": []}, {"set": []}, {"bytes": ""}]
CASES = [
    *((NOTHING, {"value": None}, {"value": other}, True) for other in ALIKE),
    *(
        (NOTHING, {"value": None}, {"value": other}, False)
        for other in (True, {"int": "0x0"}, "a", {"list": [None]})
    ),
    (NOTHING, {"value": {"list": [None]}}, {"value": {"list": [False]}}, False),
    (Compare(), {"value": None}, {"value": False}, False),
    *(
        (LOOKUP, {"raised": {"type": "KeyError"}}, {"raised": {"type": name}}, is_same)
        for name, is_same in [
            ("IndexError", True),
            ("LookupError", True),
            ("Missing", True),
            ("ValueError", False),
        ]
    ),
    (LOOKUP, {"raised": {"type": "TypeError"}}, {"raised": {"type": "TypeError"}}, True),
    (LOOKUP, {"raised": {"type": "KeyError"}}, {"value": None}, False),
]


@pytest.mark.parametrize(("compare", "left", "right", "is_same"), CASES)
def test_what_is_alike_is_the_same_for_the_grader_and_for_who_runs_the_checks(
    compare: Compare, left: dict[str, Any], right: dict[str, Any], is_same: bool
) -> None:
    assert equal([left], [right], compare) == equal([right], [left], compare) == is_same
    assert (normalised([left], compare) == normalised([right], compare)) == is_same
    scope: dict[str, Any] = {"__name__": "run_checks", "__file__": "/nowhere/run_checks.py"}
    exec(compile(RUN_CHECKS, "run_checks.py", "exec", dont_inherit=True), scope)
    assert scope["equal"]([left], [right], compare.model_dump(mode="json")) == is_same


def test_a_comparison_that_is_not_relaxed_is_written_as_before() -> None:
    assert set(Compare().model_dump()) == {"exception", "floats", "order", "args"}
    assert Compare.model_validate(json.loads(LOOKUP.model_dump_json()), strict=False) == LOOKUP
