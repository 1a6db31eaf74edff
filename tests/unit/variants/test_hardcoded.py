"""A hard-coded program is right on the public inputs and wrong elsewhere."""

from fractions import Fraction
from types import ModuleType
from typing import Any

from authoring.model.wire import encode
from authoring.variants.hardcoded import hardcode

BROKEN = """
bounds = [6, 9]
names = ("million", "billion")


def word(value):
    return names[0] if value < bounds[0] else str(value)
"""

REFERENCE = """
def pair(text):
    return (text, "s")


bounds = [3, 6, 9]
names = (pair("thousand"), pair("million"))


def word(value):
    return names[0][0] if value < bounds[0] else str(value)
"""


def answer(source: str, value: object) -> object:
    """Call the program as a scenario does: with its parameters on the stack."""
    module = ModuleType("program")
    exec(source, module.__dict__)

    def scenario(p: dict[str, Any], seen: list[object]) -> object:
        return module.word(p["value"])

    return scenario({"value": value}, [])


def test_data_that_the_versions_bind_otherwise_is_kept_apart() -> None:
    source = hardcode(BROKEN, REFERENCE, [encode({"value": 1}), encode({"value": 4})])
    assert source is not None
    assert [answer(source, value) for value in (1, 4)] == [answer(REFERENCE, value) for value in (1, 4)]
    assert [answer(source, value) for value in (2, 5)] == [answer(BROKEN, value) for value in (2, 5)]


def test_inputs_are_known_by_type_and_value_even_where_they_have_no_literal() -> None:
    broken, reference = "def word(value):\n    return 0\n", "def word(value):\n    return 1\n"
    known = [Fraction(1, 2), {"b", "a"}, float("nan"), [1, (2,)], True]
    source = hardcode(broken, reference, [encode({"value": value}) for value in known])
    assert source is not None
    assert [answer(source, value) for value in (Fraction(2, 4), {"a", "b"}, float("nan"), [1, (2,)])] == [
        1
    ] * 4
    assert [answer(source, value) for value in (0.5, ["a", "b"], [1, [2]], 1, 1.0, Fraction(1, 3))] == [0] * 6


def test_deep_inputs_and_names_of_the_program_are_no_trouble() -> None:
    deep: object = "it's"
    for _ in range(40):
        deep = [deep]
    broken = "def _form(x):\n    return 0\ndef word(value):\n    return _form(value)\n"
    source = hardcode(broken, broken.replace("return _form(value)", "return 1"), [encode({"value": deep})])
    assert source is not None and len(source) < 4_000
    assert (answer(source, deep), answer(source, [deep])) == (1, 0)


HELD = """
class Words:
    @staticmethod
    def still(value):
        return {still}

    def bare(value):
        return {bare}

    @classmethod
    def of(cls, value):
        return cls, {of}

    @property
    def mine(self):
        return {mine}


def word(value):
    return Words.still(value), Words.bare(value), Words.of(value)[1], Words().mine
"""


def test_what_a_class_holds_is_dispatched_however_it_is_called() -> None:
    broken, reference = (HELD.format(still=at, bare=at, of=at, mine=at) for at in (0, 1))
    source = hardcode(broken, reference, [encode({"value": 4})])
    assert source is not None
    assert [answer(source, value) for value in (4, 5)] == [(1, 1, 1, 1), (0, 0, 0, 0)]
