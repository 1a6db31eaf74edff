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


def test_library_modules_are_loaded_ahead_but_those_that_do_something_when_imported() -> None:
    source = "import re, json as data\nfrom collections.abc import Mapping\nimport orders, html.entities\n"
    source += "    import antigravity\nimport this, test.support\nfrom .re import x\nfrom . import y\n"
    assert library_modules(source) == {"re", "json", "collections.abc", "html.entities"}
