"""A hard-coded program is right on the public inputs and wrong elsewhere."""

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


def answer(source: str, value: int) -> object:
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
