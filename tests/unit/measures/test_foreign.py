"""Mutants of the independent tool are programs, each changed at one place."""

import ast

from tests.measures.foreign import mutmut_mutants

SOURCE = '''"""A page."""

LIMIT = 3


def page(rows, start=0):
    """Return some rows."""
    if start < 0:
        raise ValueError("start")
    return rows[start : start + LIMIT]
'''


def test_every_mutant_is_another_program_and_none_is_listed_twice() -> None:
    found = mutmut_mutants(SOURCE)
    trees = {ast.dump(ast.parse(text)) for text in found}
    assert len(found) == len(trees) > 5
    assert ast.dump(ast.parse(SOURCE)) not in trees
    assert any("start <= 0" in text for text in found)
    assert any("start - LIMIT" in text for text in found)


def test_only_functions_are_changed() -> None:
    assert all("LIMIT = 3\n" in text for text in mutmut_mutants(SOURCE))


def test_a_limit_spreads_the_mutants_over_the_text() -> None:
    doubled = SOURCE + SOURCE.replace("page", "turn")
    every, few = mutmut_mutants(doubled), mutmut_mutants(doubled, limit=4)
    assert len(few) <= 4
    assert set(few) <= set(every)
    first = doubled[: len(SOURCE)]
    assert 0 < sum(text.startswith(first) for text in few) < len(few)


def test_a_program_without_functions_has_no_mutants() -> None:
    assert mutmut_mutants("LIMIT = 3\n") == []
