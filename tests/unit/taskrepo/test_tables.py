"""Laws of inputs that name what tables hold."""

from authoring.model.execution import How, Request
from authoring.model.wire import encode
from authoring.taskrepo.stages.tables import probes_of, scalars_of
from tests.memory_runner import MemoryRunner

_SOURCE = """
NAMES = {"CON", "NUL", *("COM" + c for c in "12")}
PAIR = ("left", "right")
class Unit:
    POWERS = [10, 100, 1000]
    NAMED = {"kilo": ("k", 3), "mega": ("M", 6), "giga": ("G", 9)}
"""


def test_texts_and_numbers_of_tables_are_found_and_no_others() -> None:
    found = scalars_of(MemoryRunner(), [_SOURCE], How())
    assert found["text"] == ["COM1", "COM2", "CON", "G", "M", "NUL", "giga", "k", "kilo", "mega"]
    assert found["int"] == [encode(number) for number in (3, 6, 9, 10, 100, 1000)]


def test_a_program_that_does_not_come_up_holds_nothing() -> None:
    assert scalars_of(MemoryRunner(), ["raise ValueError\n"], How()) == {"text": [], "int": []}


def test_each_scalar_stands_once_in_the_place_of_a_lifted_one_of_its_kind() -> None:
    lifted = [
        Request("join", encode({"parts": ["a", "b"], "deep": {"n": 5}})),
        Request("join", encode({"parts": ["c"], "deep": {"n": 6}})),
    ]
    probes = probes_of({"text": ["NUL"], "int": [encode(9)]}, lifted)
    assert [one.params for one in probes] == [
        encode({"parts": ["NUL", "b"], "deep": {"n": 5}}),
        encode({"parts": ["a", "b"], "deep": {"n": 9}}),
    ]


def test_what_takes_no_texts_is_asked_none() -> None:
    assert probes_of({"text": ["NUL"], "int": []}, [Request("f", encode({"n": 1, "key": True}))]) == []
