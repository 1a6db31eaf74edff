"""Every operator makes what its examples say, and mutants are distinct, compiling and the same every time."""

import pytest

from authoring.scenario.mutants import OPERATORS, Operator, mutants_of

EXAMPLES = [(operator, *example) for operator in OPERATORS for example in operator.examples]

PROGRAM = '''
"""What it is."""
__all__ = ["size"]
UNITS = [(1024, "K"), (1, "B")]


def size(n: int, digits=None) -> str:
    """Say it in words."""
    for limit, unit in UNITS:
        if n >= limit and not n < 0:
            break
    return f"{n // limit:d}{unit}"


def other(x):
    return x + 1
'''


@pytest.mark.parametrize(("operator", "before", "after"), EXAMPLES, ids=lambda value: str(value)[:30])
def test_an_operator_makes_what_its_examples_say(operator: Operator, before: str, after: str) -> None:
    assert after in [mutant.source for mutant in mutants_of(before, operators=[operator])]


def test_mutants_are_distinct_compile_and_differ_from_the_program() -> None:
    mutants = mutants_of(PROGRAM)
    texts = [mutant.source for mutant in mutants]
    assert len(set(texts)) == len(texts) == len({mutant.id for mutant in mutants})
    assert PROGRAM not in texts
    for text in texts:
        compile(text, "mutant", "exec")


def test_the_same_program_has_the_same_mutants() -> None:
    assert mutants_of(PROGRAM) == mutants_of(PROGRAM)


def test_docstrings_annotations_and_dunder_names_have_no_mutants() -> None:
    for mutant in mutants_of(PROGRAM):
        assert '"""What it is."""\n__all__ = ["size"]' in mutant.source
        assert "n: int" in mutant.source or "def size" not in mutant.source
        assert "-> str" in mutant.source


def test_only_the_named_functions_are_mutated() -> None:
    mutants = mutants_of(PROGRAM, only_functions={"other"})
    assert mutants
    assert {mutant.line for mutant in mutants} <= {15, 16}


def test_a_limit_keeps_some_of_every_line_and_the_first_lines_first() -> None:
    lines = {mutant.line for mutant in mutants_of(PROGRAM)}
    few = mutants_of(PROGRAM, limit=len(lines))
    assert {mutant.line for mutant in few} == lines
    nearest = mutants_of(PROGRAM, limit=3, first_lines=[10])
    assert {mutant.line for mutant in nearest} == {10}
