"""What the changed code names is found by value, on the changed lines only."""

import pytest

from authoring.scenario.domain import changed_code, changed_lines, constants_of, lines_around


def test_only_lines_that_differ_count_as_changed() -> None:
    code = changed_code({"broken": "a = 1\nb = 2\n", "reference": "a = 1\nb = 3\n"})
    assert code.changed.numbers == (2, 3)
    assert code.all.numbers == (1, 2, 3)


def test_a_line_that_one_side_lacks_is_changed_in_the_other() -> None:
    assert changed_lines("a\nb\n", "a\n") == (frozenset({2}), frozenset())


@pytest.mark.parametrize(
    ("source", "numbers"),
    [
        ("x = 1024 ** 2", (2, 1024, 1048576)),
        ("x = 1 << 20", (1, 20, 1048576)),
        ("x = 9 ** 9 ** 9", (9, 9**9)),
    ],
)
def test_arithmetic_over_literals_counts_by_its_value_unless_it_is_huge(
    source: str, numbers: tuple[int, ...]
) -> None:
    assert constants_of(source).numbers == numbers


def test_docstrings_are_no_constants() -> None:
    assert constants_of('"""doc"""\ndef f():\n    "more"\n    return "kept"\n').texts == ("kept",)


@pytest.mark.parametrize(
    ("source", "characters"),
    [
        (r'x = r"[\s/>=]"', "\t\n\r /=>\u00a0\x1c"),
        ('x = r"[b-y]"', "abyz"),
        ("x = text.isdigit()", "09\u00b2"),
        ('x = text.split("/")', "/"),
    ],
)
def test_character_classes_and_text_methods_give_characters_on_both_sides(
    source: str, characters: str
) -> None:
    assert set(characters) <= set(constants_of(source).characters)


def test_text_that_is_no_python_names_nothing() -> None:
    assert constants_of("def (").numbers == ()


def test_lines_around_are_those_of_the_innermost_function_and_of_the_data_that_it_reads() -> None:
    source = (
        "LIMIT = 3\n"
        "NAMES = [\n"
        "    'one',\n"
        "]\n"
        "OTHER = 'two'\n"
        "class Box:\n"
        "    def check(self, name):\n"
        "        if name in NAMES:\n"
        "            self.fail(name)\n"
        "    def other(self):\n"
        "        return OTHER\n"
    )
    assert lines_around(source, frozenset({9})) == {2, 3, 4, 7, 8, 9}
    assert lines_around(source, frozenset({1})) == frozenset()
    assert lines_around("def (", frozenset({1})) == frozenset()
    assert lines_around(source, frozenset({3})) == {2, 3, 4, 7, 8, 9}
    typed = "LIMIT: int = 3\ndef f(x):\n    return x > LIMIT\ndef g(x):\n    return x\n"
    assert lines_around(typed, frozenset({3})) == lines_around(typed, frozenset({1})) == {1, 2, 3}
