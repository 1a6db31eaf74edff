"""Every way to over-correct makes what its examples say, out of what the fix adds or changes and nothing else."""

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper

from authoring.scenario.mutants import OVER_CORRECTIONS, OverCorrection, over_corrections_of
from authoring.scenario.mutants.fix import fix_of
from authoring.scenario.mutants.operator import code_of

EXAMPLES = [(way, *example) for way in OVER_CORRECTIONS for example in way.examples]

REFERENCE = """def size(n, unit):
    if n < 0 and unit != "B":
        raise ValueError(n)
    if n == 1:
        return unit.rstrip("s")
    return unit


def other(n):
    if n == 1 and n < 2:
        return n
    return None
"""
BROKEN = REFERENCE.replace('n < 0 and unit != "B"', "n < -1").replace('unit.rstrip("s")', "unit")


@pytest.mark.parametrize(("way", "broken", "reference", "after"), EXAMPLES, ids=lambda value: str(value)[:30])
def test_a_way_makes_what_its_examples_say(
    way: OverCorrection, broken: str, reference: str, after: str
) -> None:
    assert after in [one.source for one in over_corrections_of(broken, reference, ways=[way])]


def test_over_corrections_are_distinct_compile_and_are_neither_program() -> None:
    made = over_corrections_of(BROKEN, REFERENCE)
    texts = [one.source for one in made]
    assert len(set(texts)) == len(texts) == len({one.id for one in made})
    assert not {BROKEN, REFERENCE} & set(texts)
    for text in texts:
        compile(text, "over-correction", "exec")


def test_the_same_fix_has_the_same_over_corrections() -> None:
    assert over_corrections_of(BROKEN, REFERENCE) == over_corrections_of(BROKEN, REFERENCE)


def test_what_the_fix_did_not_touch_is_left_as_it_is() -> None:
    untouched = REFERENCE.partition("def other")[2]
    made = over_corrections_of(BROKEN, REFERENCE)
    assert made
    assert all(one.source.endswith(untouched) for one in made)


def test_a_limit_keeps_something_of_every_way() -> None:
    every = {one.operator for one in over_corrections_of(BROKEN, REFERENCE)}
    few = over_corrections_of(BROKEN, REFERENCE, limit=len(every))
    assert len(every) > 4
    assert {one.operator for one in few} == every


def test_programs_without_a_difference_have_none() -> None:
    assert over_corrections_of(REFERENCE, REFERENCE) == []


def test_a_fix_is_told_by_the_smallest_code_that_differs() -> None:
    fix = fix_of(BROKEN, MetadataWrapper(cst.parse_module(REFERENCE), unsafe_skip_copy=True))
    assert [(code_of(one.before), code_of(one.after)) for one in fix.changes] == [
        ("n < -1", 'n < 0 and unit != "B"'),
        ("unit", 'unit.rstrip("s")'),
    ]
    assert [one.name.value for one in fix.functions] == ["size"]


def test_where_a_fix_only_takes_away_what_stands_beside_that_is_looked_at() -> None:
    broken = "def f(a):\n    if a and a > 1:\n        a = 2\n        a = 3\n    return a\n"
    reference = broken.replace("        a = 3\n", "")
    made = over_corrections_of(broken, reference)
    assert "def f(a):\n    if True:\n        a = 2\n    return a\n" in [one.source for one in made]


def test_a_name_is_changed_where_it_is_read_and_not_where_it_is_bound() -> None:
    broken = "def f(a, b):\n    a = a + 1\n    return a, g(a=a)\n"
    reference = broken.replace("return a,", "return b,")
    made = [one.source for one in over_corrections_of(broken, reference)]
    assert made == [
        reference.replace("a + 1", "b + 1"),
        reference.replace("g(a=a)", "g(a=b)"),
    ]
