"""An incident whose reproducer hands a function over becomes a task that tells apart how often it is called."""

from pathlib import Path

import pytest

from authoring.execution import BoxRunner
from authoring.validation.grade import Graded, Grader, Submission, load_material
from tests.e2e.new.job import DATA, KEY, Desk

pytestmark = [pytest.mark.timeout(1500), pytest.mark.slow]

NAME = "feed-first"
RIGHT = """
def first_of_each(items, key, length):
    marks = [key(item)[:length] for item in items]
    return [item for at, item in enumerate(items) if marks.index(marks[at]) == at]
"""
TWICE = RIGHT.replace("[key(item)[:length] for", "[key(item)[:length] if key(item) else '' for")
NOT_AT_ALL = RIGHT.replace("in items]\n", "in items] if len(items) > 1 else ['']\n", 1)
REMEMBERED = RIGHT.replace(
    "marks = [", "known = {item: key(item) for item in dict.fromkeys(items)}\n    marks = ["
).replace("[key(item)[", "[known[item][")
BACKWARDS = RIGHT.replace("in items]\n", "in items[::-1]][::-1]\n", 1)


@pytest.fixture(scope="module")
def place(desk: Desk) -> tuple[Path, Path]:
    """The folder of the incident's base in public and in hidden."""
    workspace = desk.thrifty_workspace(NAME)
    incident = DATA / "calls" / NAME / "incident.toml"
    told = desk.run("new", NAME, "--incident", incident, "--workspace", workspace, "--json")
    assert told.code == 0, told.out + told.err
    return workspace / "public" / "tasks" / NAME / "base", workspace / "hidden" / NAME / "base"


def graded(place: tuple[Path, Path], source: str) -> Graded:
    with BoxRunner() as runner:
        grader = Grader(runner, load_material(*place), KEY)
        return grader.grade(Submission({"program.py": source.encode()}))


def test_a_right_program_of_another_kind_passes(place: tuple[Path, Path]) -> None:
    assert graded(place, RIGHT).verdict == "pass"


@pytest.mark.parametrize(
    "source", [TWICE, NOT_AT_ALL, REMEMBERED, BACKWARDS], ids=["twice", "not at all", "fewer", "backwards"]
)
def test_a_program_with_equal_results_is_wrong_where_it_calls_back_otherwise(
    place: tuple[Path, Path], source: str
) -> None:
    found = graded(place, source)
    assert found.verdict == "wrong"
    assert "wrong" in found.checks.values()


def test_a_candidate_is_told_that_calls_count(place: tuple[Path, Path]) -> None:
    assert "`calls`" in (place[0] / "prompt.md").read_text()
    assert "seen(calls)" in (place[0] / "scenarios.py").read_text()
