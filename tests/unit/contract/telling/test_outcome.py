"""What is right on a class of inputs, and what is wrong there, is said in words that hold for all of it."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from authoring.contract.telling.changes import change_words
from authoring.contract.telling.example import Example
from authoring.contract.telling.neighbouring import near_words
from authoring.contract.telling.outcome import GENERIC, right_words, wrong_words
from authoring.model.observation import Observation
from authoring.scenario.inputs import Input
from tests.unit.contract.telling.tables import Function, HangError, example, seen, table


def faults(rows: Sequence[dict[str, Any]], right: Function, broken: Function) -> list[Example]:
    made = table(rows, right, broken)
    assert all(one.is_fault for one in made)
    return made


NS = [{"n": n, "text": f"t{n}"} for n in range(-9, 0)]


def raising(kind: type[Exception]) -> Function:
    def function(**_: Any) -> None:
        raise kind

    return function


@pytest.mark.parametrize(
    ("right", "broken", "said"),
    [
        (raising(ValueError), lambda n, text: n, "raises ValueError"),
        (lambda n, text: [], lambda n, text: None, "gives []"),
        (lambda n, text: text, lambda n, text: text.upper(), "gives `text` as it is"),
        (lambda n, text: -n, lambda n, text: n + 0.0, "gives a whole number, as its public checks show"),
        (lambda n, text: -n * 3, lambda n, text: n * 3, "gives the negative of what the broken one gives"),
        (
            lambda n, text: f"-{text}!",
            lambda n, text: f"{text}!",
            "gives what the broken one gives with '-' before it",
        ),
        (lambda n, text: f"{n * n}", lambda n, text: n * n * n, "gives text, as its public checks show"),
        (lambda n, text: f"<{text}{n}", lambda n, text: f"{text}[{n}", "gives text that begins with '<t-'"),
        (lambda n, text: n * n, lambda n, text: n * n * n, GENERIC),
    ],
)
def test_what_is_right_is_said(right: Function, broken: Function, said: str) -> None:
    if said == GENERIC and right(2, "") == -2:
        assert right_words(faults(NS, right, broken)) in (
            GENERIC,
            "gives a whole number, as its public checks show",
        )
    else:
        assert right_words(faults(NS, right, broken)) == said


def hanging(**_: Any) -> None:
    raise HangError


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (hanging, "does not end"),
        (raising(KeyError), "raises KeyError"),
        (lambda n, text: None, "gives None"),
        (lambda n, text: n, "gives another value"),
        (lambda n, text: [n, n][1 if n % 2 else 2], "raises IndexError or gives another value"),
    ],
)
def test_what_is_wrong_is_said(broken: Function, said: str) -> None:
    assert wrong_words(faults(NS, lambda n, text: [text], broken)) == said


def test_arguments_that_must_stay_are_spoken_of() -> None:
    (one,) = faults([{"n": 1}], lambda n: n, lambda n: None)
    different = [
        Example(
            one.input, one.params, ({"value": text},), ({"value": text, "args_after": {"dict": []}},), True
        )
        for text in ("a", "b")
    ]
    assert right_words(different) == "leaves its arguments as they are"
    assert wrong_words(different) == "leaves them otherwise"


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ([([2, 1], [1, 2]), ([3, 1], [1, 3])], "{}, sorted"),
        ([([2, 2], [2]), ([3, 1, 3], [3, 1])], "{}, each item once"),
        ([("a'b", "a&b"), ("'", "&"), ("''", "&&")], "{} with '&' for every \"'\""),
        ([("a--b", "ab"), ("--", ""), ("c--", "c")], "{} without any '--'"),
        ([(4, 5), (9, 10), (1, 2)], "1 more than {}"),
        ([([1, 2, 3], [2]), ([4, 5], [4])], "some of {}, as its public checks show, and nothing else"),
        ([(4, 5), (9, 10)], ""),
        ([(1, 1), (2, 3)], ""),
        ([("a", 1), ("b", 7)], ""),
    ],
)
def test_one_change_makes_right_values_of_wrong_ones(pairs: list[tuple[Any, Any]], said: str) -> None:
    assert change_words(pairs) == said


def test_what_a_neighbour_gives_is_said_where_broken_is_right_there() -> None:
    def right(n: int) -> str:
        return f"-{-n} units" if n < 0 else f"{n} units"

    def broken(n: int) -> str:
        return str(n) if n < 0 else f"{n} units"

    def ask(inputs: Sequence[Input]) -> Mapping[str, Sequence[Observation]]:
        found = {}
        for one in inputs:
            n = int(one.params["dict"][0][1]["int"], 16)
            if right(n) == broken(n):
                found[one.key] = seen(right, {"n": n}) or ()
        return found

    made = [example({"n": n}, right, broken) for n in (-3, -20, -7)]
    said = near_words(made, ask)
    assert said == "gives what it gives for `n` without its minus sign with '-' before it"
    assert right_words(made, lambda: said) == said


def test_a_neighbour_that_is_outside_says_nothing() -> None:
    made = faults([{"n": n} for n in (1, 2, 3)], lambda n: f"{n}", lambda n: f"{n}{n}")
    assert near_words(made, lambda inputs: {}) == ""
