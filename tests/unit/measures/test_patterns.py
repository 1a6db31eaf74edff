"""Patterns are compared as samples state them: a digit for each function of the reproducer."""

import pytest

from authoring.model.capture import Capture, LiftedCheck, Pattern
from tests.measures.patterns import grouped_patterns, stated_patterns
from tests.unit.contract.sample import material


def captured(functions: list[str], **bits: str) -> Capture:
    checks = tuple(
        LiftedCheck(
            id=f"check_{at}", function=function, line=at, script="", scenario="", params={"dict": []}, view=""
        )
        for at, function in enumerate(functions, 1)
    )
    patterns = tuple(Pattern(side=side, bits=each, failures=()) for side, each in bits.items())
    return material().capture.model_copy(update={"checks": checks, "patterns": patterns})


@pytest.mark.parametrize(
    ("functions", "bits", "grouped"),
    [
        (["a", "a", "b"], "110", "10"),
        (["a", "a", "b"], "101", "01"),
        (["", "", "b"], "101", "101"),
        (["a", "b", "a"], "110", "01"),
    ],
)
def test_a_function_passes_when_all_its_checks_do(functions: list[str], bits: str, grouped: str) -> None:
    assert grouped_patterns(captured(functions, broken=bits)) == {"broken": grouped}


@pytest.mark.parametrize(
    ("facts", "stated"),
    [({}, {}), ({"patterns": {"broken": "10"}}, {"broken": "10"}), ({"patterns": "10"}, {})],
)
def test_what_a_sample_states_is_read_where_it_states_it(
    facts: dict[str, object], stated: dict[str, str]
) -> None:
    assert stated_patterns(facts) == stated
