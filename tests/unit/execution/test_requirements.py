"""What a subject asks for is read from its text."""

from authoring.execution.requirements import library_modules, required_names

SCENARIOS = """
def first(program, p, seen):
    def inner():
        return program.one(p)
    seen(inner().attribute)
    seen(program.two.three)

async def second(thing, p, seen):
    seen(await thing.four())

def third(program, p, seen):
    seen(p.one)
"""


def test_names_are_those_that_the_asked_scenarios_read_from_their_first_parameter() -> None:
    assert required_names(SCENARIOS, frozenset({"first"})) == ["one", "two"]
    assert required_names(SCENARIOS, frozenset({"second", "third"})) == ["four"]
    assert required_names("not python(", frozenset({"first"})) == []


def test_only_common_library_modules_are_loaded_ahead() -> None:
    source = "import re, json\nfrom collections.abc import Mapping\n"
    source += "    import antigravity\nimport this\nfrom .re import x\n"
    assert library_modules(source) == {"re", "collections.abc"}
