"""Rendering, also of templates that mean harm."""

from collections.abc import Callable

import pytest

from authoring.model.errors import UsageError
from authoring.variants.literal import write_literal
from authoring.variants.render import render_prose, render_source


def code_of(call: Callable[..., object], *args: object) -> str:
    with pytest.raises(UsageError) as caught:
        call(*args)
    return caught.value.code


HOSTILE = {
    "loop": "#% for i in range(99999)\nx = 1\n#% endfor\n",
    "repetition": '⟦ "a" * 999999999 ⟧',
    "power": "⟦ 9 ** 9 ** 9 ⟧",
    "call": "⟦ constants.items() ⟧",
    "class": "⟦ constants.__class__ ⟧",
    "chain": "⟦ constants.limit.__class__ ⟧",
    "filter": "⟦ constants.limit | string ⟧",
    "include": "⟦% include 'x' %⟧",
    "macro": "⟦% macro m() %⟧⟦ m() ⟧⟦% endmacro %⟧⟦ m() ⟧",
    "set": "#% set x = 1\n",
    "global": "⟦ cycler ⟧",
    "other name": "⟦ secret ⟧",
    "deep parentheses": "⟦ " + "(" * 5000 + "1" + ")" * 5000 + " ⟧",
    "deep choices": "#% if version\n" * 400 + "#% endif\n" * 400,
    "too long": "x = 1\n" * 300_000,
    "syntax": "#% if version ==\n",
    "name with arguments": "⟦ name(version, *constants) ⟧",
}


@pytest.mark.parametrize("template", HOSTILE.values(), ids=HOSTILE)
def test_a_template_that_does_more_than_choose_and_fill_in_is_refused(template: str) -> None:
    assert code_of(render_source, template, "broken", {"limit": 3}) == "VAR002"


@pytest.mark.parametrize("template", HOSTILE.values(), ids=HOSTILE)
def test_a_prompt_obeys_the_same_bounds(template: str) -> None:
    assert code_of(render_prose, template, {}, {"limit": 3}) == "VAR002"


def test_a_constant_that_is_not_given_is_an_error_and_never_empty_text() -> None:
    assert code_of(render_source, "x = ⟦ constants.missing ⟧\n", "broken", {}) == "VAR002"


def test_output_that_is_not_python_is_refused() -> None:
    assert code_of(render_source, "def :\n", "broken", {}) == "VAR003"


def test_ordinary_braces_in_source_are_left_alone() -> None:
    source = 'x = {{1}: 2}\ny = "{{ a }} {% if b %}"\n# {# c #}\n'.replace("{{1}: 2}", "{1: {2: 3}}")
    assert render_source(source, "broken", {}) == source


def test_prose_takes_names_bare_and_constants_as_literals() -> None:
    text = 'Repair `⟦ name("Box.fill") ⟧`: at most ⟦ constants.limit ⟧.\n'
    assert (
        render_prose(text, {"Box": "Crate", "fill": "load"}, {"limit": 9})
        == "Repair `Crate.load`: at most 9.\n"
    )


def test_prose_says_public_checks_as_they_are_and_an_unknown_one_by_its_id() -> None:
    text = '- ⟦ check("p01") ⟧\n- ⟦ check("p09") ⟧\n'
    said = render_prose(text, {}, {}, {"p01": "find(x='⟦ secret ⟧') gives 2"})
    assert said == "- `p01`: find(x='⟦ secret ⟧') gives 2\n- `p09`\n"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "None"),
        (-3, "-3"),
        (1.5, "1.5"),
        ("it's", '"it\'s"'),
        ('say "x"', "'say \"x\"'"),
        ((1,), "(1,)"),
        ([1, "a"], '[1, "a"]'),
        ({"b", "a"}, '{"a", "b"}'),
        ({"k": (True, b"x")}, "{\"k\": (True, b'x')}"),
    ],
)
def test_a_literal_is_written_one_way_and_reads_back(value: object, text: str) -> None:
    assert write_literal(value) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), [object()], set(), complex("nan")])
def test_a_value_without_a_literal_is_refused(value: object) -> None:
    assert code_of(write_literal, value) == "VAR004"
