"""The template that holds every version of a program."""

import pytest

from authoring.model.errors import UsageError
from authoring.model.variants import VersionName
from authoring.variants.lines import Line, project
from authoring.variants.render import render_source
from authoring.variants.slots import find_slots, slots_by_line
from authoring.variants.template import write_template

ALL: frozenset[VersionName] = frozenset(("broken", "hard_negative", "reference"))
BROKEN: frozenset[VersionName] = frozenset(("broken",))
HARD: frozenset[VersionName] = frozenset(("hard_negative",))
REFERENCE: frozenset[VersionName] = frozenset(("reference",))


def lines(*pairs: tuple[str, frozenset[VersionName]]) -> list[Line]:
    return [Line(text, versions) for text, versions in pairs]


def test_versions_that_differ_in_one_place_become_one_choice() -> None:
    merged = lines(
        ("def f(x):", ALL), ("    return 1", BROKEN), ("    return 2", HARD), ("    return 3", REFERENCE)
    )
    assert write_template(merged) == (
        "def f(x):\n"
        '#% if version == "broken"\n    return 1\n'
        '#% elif version == "hard_negative"\n    return 2\n'
        "#% else\n    return 3\n"
        "#% endif\n"
    )


def test_versions_that_share_a_text_are_named_together() -> None:
    merged = lines(("x = 1", BROKEN | HARD), ("y = 2", ALL))
    assert write_template(merged) == '#% if version in ("broken", "hard_negative")\nx = 1\n#% endif\ny = 2\n'


def test_a_blank_line_stands_before_a_statement_where_it_can() -> None:
    merged = lines(("a = 1", ALL), ("", REFERENCE), ("b = 2", REFERENCE), ("", ALL), ("c = 3", ALL))
    template = write_template(merged)
    assert template == 'a = 1\n\n#% if version == "reference"\nb = 2\n\n#% endif\nc = 3\n'
    assert render_source(template, "reference", {}) == project(merged, "reference")
    assert render_source(template, "broken", {}) == project(merged, "broken")


def test_a_blank_line_that_must_follow_a_statement_is_held_by_an_empty_comment() -> None:
    merged = lines(("a = 1", ALL), ("b = 2", REFERENCE), ("", ALL), ("c = 3", ALL))
    assert write_template(merged) == 'a = 1\n#% if version == "reference"\nb = 2\n#% endif\n⟦##⟧\nc = 3\n'


def test_constants_become_slots_and_render_back() -> None:
    merged = lines(
        ("LIMIT = 100", ALL),
        ('def f(n, label="items"):', ALL),
        ("    return n < LIMIT", REFERENCE),
        ("    return n", BROKEN | HARD),
    )
    slots = find_slots(merged)
    template = write_template(merged, slots_by_line(slots))
    assert template.startswith("LIMIT = ⟦ constants.limit ⟧\ndef f(n, label=⟦ constants.label ⟧):\n")
    assert render_source(template, "reference", {"limit": 100, "label": "items"}) == project(
        merged, "reference"
    )
    assert "LIMIT = 250\n" in render_source(template, "reference", {"limit": 250, "label": "items"})


@pytest.mark.parametrize(
    ("text", "versions"),
    [
        ("x = 7 + 7", ALL),
        ("x = 17", REFERENCE),
        ("x = 0x11", ALL),
        ("x = items[17]", ALL),
        ("x = f'{a}17'", ALL),
        ("x = 1", ALL),
        ("x = a is ...", ALL),
        ("x = 1e999", ALL),
        ("x = 17j", ALL),
    ],
    ids=[
        "twice",
        "in a choice",
        "other spelling",
        "index",
        "f-string",
        "small",
        "dots",
        "infinite",
        "complex",
    ],
)
def test_a_literal_that_is_not_safe_to_vary_is_no_slot(text: str, versions: frozenset[VersionName]) -> None:
    merged = lines(("def f(items, a):", ALL), (f"    {text}", versions), ("    pass", ALL))
    assert find_slots(merged) == ()


def test_a_carriage_return_is_refused_with_a_code() -> None:
    with pytest.raises(UsageError) as caught:
        write_template(lines(("x = 1\r", ALL)))
    assert caught.value.code == "VAR001"
