"""The shortest description of the faults is found, and none where there is none."""

from typing import Any

import pytest

from authoring.contract.telling.learn import describe
from authoring.contract.telling.trait import Trait
from tests.unit.contract.telling.tables import HangError, table, told, words, wrong

NUMBERS = [{"n": n} for n in (*range(-40, 41), 1000, 1023, 1024, 1025, 1026, 1050, 2048, 4096, 10**6)]
TEXTS = [
    {"text": text}
    for text in [
        "",
        "a",
        "b",
        "ab",
        "a-b",
        "-",
        "x-",
        "--",
        "a--b",
        "-c",
        "-7",
        "-d-",
        "- ",
        "--e",
        "1",
        "12",
        "a1",
        "b2c",
        " a",
        "b ",
        "A",
        "Ab",
    ]
    + [
        f"{one}{other}"
        for one in ("k", "ll", "m-", "n1", "O", "p q")
        for other in ("r", "-s", "t2", "", "U", " v")
    ]
]


def identity(**params: Any) -> Any:
    return list(params.values())


@pytest.mark.parametrize(
    ("rows", "numbers", "texts", "is_fault", "expected"),
    [
        (NUMBERS, (1024,), (), lambda n: n >= 1024, "`n` is 1024 or above"),
        (NUMBERS, (1024,), (), lambda n: n > 1024, "`n` is above 1024"),
        (NUMBERS, (1024,), (), lambda n: n < 0, "`n` is below 0"),
        (NUMBERS, (8,), (), lambda n: n % 8 == 0 and n != 0, "`n` is a multiple of 8"),
        (NUMBERS, (2,), (), lambda n: n in (2, 4, 8, 16, 32, 1024, 2048, 4096), "`n` is a power of 2"),
        (NUMBERS, (17,), (), lambda n: abs(n) >= 17, "`n` is 17 or more away from 0"),
        (TEXTS, (), ("-",), lambda text: "-" in text, "`text` holds '-'"),
        (TEXTS, (), ("-",), lambda text: text.startswith("-"), "`text` begins with '-'"),
        (TEXTS, (), (), lambda text: text == "", "`text` is empty"),
        (TEXTS, (3,), (), lambda text: len(text) > 3, "`text` is longer than 3"),
        (
            TEXTS,
            (),
            (),
            lambda text: any(c.isdigit() for c in text),
            "`text` holds a character from '0' to '9'",
        ),
        (
            [{"one": a, "other": b} for a in range(9) for b in range(9)],
            (),
            (),
            lambda one, other: one == other,
            "`one` equals `other`",
        ),
        (
            [{"one": a, "other": b} for a in "abcdefgh" for b in "abcdefgh"],
            (),
            (),
            lambda one, other: one > other,
            "`one` comes after `other`",
        ),
        (
            [{"at": at, "items": [0] * size} for at in range(9) for size in range(7)],
            (),
            (),
            lambda at, items: at >= len(items),
            "`at` is the length of `items` or more",
        ),
    ],
)
def test_one_trait_tells_the_faults(
    rows: list[dict[str, Any]],
    numbers: tuple[int, ...],
    texts: tuple[str, ...],
    is_fault: Any,
    expected: str,
) -> None:
    found = told(table(rows, identity, wrong(identity, is_fault)), numbers, texts)
    assert words(found) == [expected]
    assert found[0].share == 1


def test_a_conjunction_tells_what_neither_trait_does() -> None:
    rows = [{"n": n, "text": text} for n in range(-12, 13) for text in ("", "a", "a-b", "-", "x", "y-", "zz")]
    (found,) = told(
        table(rows, identity, wrong(identity, lambda n, text: n < 0 and "-" in text)), texts=("-",)
    )
    assert {one.words for one in found.traits} == {"`n` is below 0", "`text` holds '-'"}
    assert found.share == 1


def test_two_classes_of_faults_are_told_one_after_the_other() -> None:
    rows = [*NUMBERS, *({"n": None} for _ in range(3))]
    examples = table(rows, identity, wrong(identity, lambda n: n is None or n >= 1024))
    assert words(told(examples, (1024,))) == ["`n` is 1024 or above", "`n` is None"]


def test_nothing_is_said_where_nothing_separates() -> None:
    far = [{"n": n * n * 7919 % 1009} for n in range(1, 300)]
    odd = {row["n"] for at, row in enumerate(far) if at % 7 == 3}
    assert told(table(far, identity, wrong(identity, lambda n: n in odd, [1]))) == []


def test_what_is_wrong_on_some_of_a_class_says_so() -> None:
    found = told(table(NUMBERS, identity, wrong(identity, lambda n: n < 0 and n % 5 != 0, [1])), (1024,))
    assert words(found) == ["`n` is below 0"]
    assert 0.7 < found[0].share < 0.9


def test_what_the_broken_program_does_tells_where_the_input_does_not() -> None:
    odd = {-31, -22, -13, -3, 4, 12, 19, 27, 35}

    def broken(n: int) -> list[int]:
        if n in odd:
            raise KeyError(n)
        return [n]

    assert words(told(table(NUMBERS, identity, broken))) == ["the broken one raises KeyError"]


def test_a_call_that_hangs_is_an_outcome() -> None:
    odd = {-31, -22, -13, -3, 4, 12, 19, 27, 35}

    def broken(n: int) -> list[int]:
        if n in odd:
            raise HangError
        return [n]

    assert words(told(table(NUMBERS, identity, broken))) == ["the broken one does not end"]


def test_a_number_of_the_changed_code_is_named_before_any_that_was_seen() -> None:
    rows = [{"n": n} for n in (*range(0, 60, 3), *range(100, 200, 7))]
    examples = table(rows, identity, wrong(identity, lambda n: n >= 80))
    assert words(told(examples, (80,))) == ["`n` is 80 or above"]
    assert words(told(examples)) == ["`n` is 100 or above"]


def test_chance_finds_nothing_among_few_faults() -> None:
    traits = [Trait(f"trait {n}", 9.0, (1 << n % 40) | (1 << (n * 7) % 40)) for n in range(200)]
    assert describe(0b11, (1 << 40) - 4, traits) == []


def test_of_traits_of_the_same_inputs_the_plainest_is_said() -> None:
    traits = [Trait("dear", 9.0, 0b1111), Trait("plain", 2.0, 0b1111), Trait("long words", 2.0, 0b1111)]
    (found,) = describe(0b1111, ((1 << 30) - 1) << 4, traits)
    assert found.words == "plain"


def test_what_the_broken_program_does_comes_with_what_the_inputs_are_mostly_like() -> None:
    def broken(n: int) -> list[int]:
        if n < 0 and n % 5:
            raise KeyError(n)
        return [n]

    (found,) = told(table(NUMBERS, identity, broken), (1024,))
    assert found.words == "the broken one raises KeyError"
    assert found.hint is not None
    assert found.hint.words == "`n` is below 0"
    assert 0.7 < found.hint.share < 0.9


def test_a_word_with_the_mark_beside_it_is_a_piece_of_text() -> None:
    closed = (
        "x = ({})",
        "q({})",
        "b[({})]",
        "q(({}))",
        "({}).z",
        "if ({}):",
        "{} + ({})",
        "({}) + {}",
        "-({})",
    )
    places = (*closed, "({} y)", "{}, z", "f({}, 1)", "{}", "a {} b", "[{}]", "{}: 1", "({}, )", "{} + 1")
    rows = [
        {"line": place.replace("{}", word)} for place in places for word in ("yield", "await", "not", "in")
    ]
    found = told(table(rows, identity, wrong(identity, lambda line: "yield)" in line, [])))
    assert words(found) == ["`line` holds 'yield)'"]
