"""Few inputs stand for many."""

from authoring.reduction.covering import covering


def ways(*texts: str) -> list[frozenset[str]]:
    return [frozenset(text) for text in texts]


def test_what_runs_most_that_is_new_comes_first() -> None:
    assert covering(ways("ab", "abcd", "e"), [], 2) == [1, 2]


def test_what_other_inputs_run_anyway_brings_nothing() -> None:
    assert covering(ways("ab", "cd"), ways("ab"), 9) == [1]


def test_then_comes_one_of_each_way_that_is_new_as_a_whole() -> None:
    assert covering(ways("abc", "ab", "ab", "c"), [], 9) == [0, 1, 3]


def test_never_more_than_asked_for() -> None:
    assert covering(ways("a", "b", "c"), [], 2) == [0, 1]
    assert covering([], [], 2) == []
