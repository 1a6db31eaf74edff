"""Comparisons become more tolerant a step at a time, and exceptions by the nearest class that they share."""

import pytest

from authoring.contract.relaxations import common_base, relaxations
from authoring.model.observation import Compare, ExceptionBase, FloatTolerance, Observation

OWN = "class PageError(ValueError):\n    pass\n\n\nclass CursorError(PageError):\n    pass\n\n\nclass Odd(Base):\n    pass\n"


def raised(name: str) -> list[Observation]:
    return [{"value": 1}, {"raised": {"type": name}}]


@pytest.mark.parametrize(
    ("left", "right", "base", "types"),
    [
        ("KeyError", "IndexError", "LookupError", ()),
        ("KeyError", "LookupError", "LookupError", ()),
        ("UnicodeDecodeError", "ValueError", "ValueError", ()),
        ("PageError", "ValueError", "ValueError", ("PageError",)),
        ("CursorError", "UnicodeError", "ValueError", ("CursorError",)),
        ("CursorError", "PageError", "ValueError", ("CursorError", "PageError")),
    ],
)
def test_the_nearest_class_that_all_share_is_named(
    left: str, right: str, base: str, types: tuple[str, ...]
) -> None:
    found = common_base([(raised(left), raised(right))], [OWN])
    assert found == ExceptionBase(base=base, types=types)


@pytest.mark.parametrize(
    ("left", "right"), [("KeyError", "TypeError"), ("Odd", "ValueError"), ("ValueError", "ValueError")]
)
def test_no_class_is_named_where_only_all_exceptions_are_shared_or_one_is_unknown_or_none_differ(
    left: str, right: str
) -> None:
    assert common_base([(raised(left), raised(right))], [OWN]) is None


def test_what_returns_on_one_side_names_no_class() -> None:
    assert common_base([([{"value": 1}], raised("KeyError"))], []) is None


def test_one_respect_comes_before_two_and_all_come_last() -> None:
    names = [each.names for each in relaxations(Compare(), None)]
    assert names[:4] == [("nothing",), ("args",), ("order",), ("floats",)]
    assert all(len(each) == 2 for each in names[4:-1])
    assert names[-1] == ("nothing", "args", "order", "floats")


def test_a_message_is_given_up_before_the_type_and_what_is_tolerant_already_is_no_step() -> None:
    strict = Compare(exception="type+message", floats=FloatTolerance(rel=1e-9))
    base = ExceptionBase(base="LookupError")
    singles = [each for each in relaxations(strict, base) if len(each.names) == 1]
    assert [each.names[0] for each in singles] == [
        "exception",
        "exception LookupError",
        "nothing",
        "args",
        "order",
    ]
    assert singles[0].compare.exception == "type"
    assert singles[1].compare.exception == base
