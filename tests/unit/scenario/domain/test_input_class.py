"""A class of inputs is the same in words, as an expression of domain.py, and to the tool."""

from typing import Any

import pytest

from authoring.model.wire import encode
from authoring.scenario.domain import InputClass, classes_of, clause, expression, holds, phrase
from authoring.scenario.domain.prelude import values_at

ROWS: list[dict[str, Any]] = [
    {"text": "", "n": 0, "options": {}, "rows": [], "flag": True},
    {"text": "a 'b'", "n": -3, "options": {"kind": "x"}, "rows": [(1, "é")], "flag": False},
    {"text": "A9\n", "n": 2.5, "options": {"kind": None}, "rows": [(1, "u"), (2, "vv")], "flag": True},
    {"text": None, "n": 7, "options": {"other": b"ab"}, "rows": [(-4, "")], "flag": True},
    {"text": "'select' 'select'", "n": 10**6, "options": {"kind": "x"}, "rows": {"k": 1}, "flag": True},
    {"text": "\u0663", "n": float("nan"), "options": {"kind": 1.5}, "rows": [(0, "u")]},
]
KEPT = frozenset({0})
FOUND = classes_of([encode(row) for row in ROWS], KEPT)
CLASSES: list[InputClass] = sorted(FOUND, key=phrase)


def test_classes_hold_some_inputs_and_none_that_is_kept() -> None:
    assert FOUND
    for members in FOUND.values():
        assert members and not members & KEPT


@pytest.mark.parametrize("one", CLASSES, ids=phrase)
def test_the_tool_and_the_expression_agree_on_every_input(one: InputClass) -> None:
    for at, row in enumerate(ROWS):
        told = holds(one, encode(row))
        assert told == (at in FOUND[one])
        assert eval(expression(one), {"values_at": values_at, "p": row}) is told


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (InputClass(("text",), "holds", "'"), 'inputs whose `text` holds "\'"'),
        (InputClass(("rows", None, 0), "below", 0), "inputs in which item 0 of an item of `rows` is below 0"),
        (InputClass(("options", "kind"), "given"), "inputs in which `kind` of `options` is given"),
        (InputClass(("text",), "is None"), "inputs whose `text` is None"),
        (InputClass(("n",), "kind", "float"), "inputs whose `n` is of type float"),
    ],
)
def test_a_class_is_said_in_plain_words(one: InputClass, words: str) -> None:
    assert phrase(one) == words
    assert one in FOUND


def test_a_class_of_steps_is_said_of_steps_and_arguments() -> None:
    one = InputClass(("steps", None, None, None), "below", 0)
    assert phrase(one) == "inputs in which an argument of a step of `steps` is below 0"


def test_what_has_no_value_outside_a_box_is_of_no_class() -> None:
    opaque = {"dict": [["clock", {"double": "clock"}], ["n", encode(-1)]]}
    assert classes_of([opaque], frozenset()) == {}
    assert not holds(InputClass(("n",), "below", 0), opaque)


def test_a_threshold_is_the_greatest_value_of_the_kept_inputs() -> None:
    rows = [encode({"n": 5, "t": "abc"}), encode({"n": 6, "t": "abcd"}), encode({"n": 4, "t": "ab"})]
    found = classes_of(rows, frozenset({0}))
    assert found[InputClass(("n",), "above", 5)] == {1}
    assert found[InputClass(("t",), "longer", 3)] == {1}


def test_equal_values_of_different_types_are_classes_of_their_own() -> None:
    rows = [{"n": value} for value in (5, False, 0, 0.0, -0.0, False, 0)]
    found = classes_of([encode(row) for row in rows], KEPT)
    zeros = {repr(one.than): members for one, members in found.items() if one.test == "is"}
    assert zeros == {"False": {1, 5}, "0": {2, 6}, "0.0": {3, 4}}
    for one, members in found.items():
        assert {at for at, row in enumerate(rows) if holds(one, encode(row))} == members


@pytest.mark.parametrize(
    ("one", "words", "members"),
    [
        (InputClass(("n",), "at least", 7), "`n` is 7 or above", {3, 4}),
        (InputClass(("n",), "at most", -3), "`n` is -3 or below", {1}),
        (InputClass(("n",), "far", 3), "`n` is 3 or more away from 0", {1, 3, 4}),
        (InputClass(("n",), "near", 3), "`n` is less than 3 away from 0", {0, 2}),
        (InputClass(("n",), "multiple", 10), "`n` is a multiple of 10", {4}),
        (InputClass(("n",), "power", 10), "`n` is a power of 10", {4}),
        (InputClass(("n",), "power far", 3), "`n` is a power of 3, or minus one", {1}),
        (InputClass(("n",), "among", (0, 7, 2.5)), "`n` is 0, 7 or 2.5", {0, 2, 3}),
        (InputClass(("text",), "long", 1), "`text` is 1 long", {5}),
        (InputClass(("text",), "shorter", 2), "`text` is shorter than 2", {0, 5}),
        (InputClass(("text",), "lacks", "'"), '`text` does not hold "\'"', {0, 2, 5}),
        (InputClass(("text",), "blank"), "`text` is blank", set()),
        (
            InputClass(("text",), "none between", ("0", "9")),
            "`text` holds no character from '0' to '9'",
            {0, 1, 4, 5},
        ),
    ],
)
def test_boundaries_that_rules_speak_of_are_classes_too(
    one: InputClass, words: str, members: set[int]
) -> None:
    assert clause(one) == words
    for at, row in enumerate(ROWS):
        assert holds(one, encode(row)) is (at in members)
        assert eval(expression(one), {"values_at": values_at, "p": row}) is (at in members)
