"""Every transform does what its own examples say."""

import libcst as cst
import pytest

from authoring.scenario.lifting import (
    calls,
    inline,
    opened,
    results,
    series,
    timers,
    unittest_forms,
    unroll,
    weaker,
)
from authoring.scenario.lifting.items import Item
from authoring.scenario.lifting.literals import NOT_DATA, Constants, data_of
from authoring.scenario.lifting.normalise import Context, normalised
from authoring.scenario.lifting.syntax import code, expression, single, uses

NOTHING = Constants({}, {})


def text_of(items: list[Item] | None) -> str | None:
    return None if items is None else "".join(code(item.node) for item in items)


def as_written(source: str | None) -> str | None:
    return None if source is None else cst.parse_module(source).code


@pytest.mark.parametrize(("before", "after"), unroll.EXAMPLES)
def test_unroll(before: str, after: str | None) -> None:
    loop = cst.parse_module(before).body[0]
    assert isinstance(loop, cst.For)
    made = text_of(unroll.unrolled(loop, 1, NOTHING))
    assert (made or "").replace("\n", "").replace('"', "'") == (after or "").replace("\n", "")
    assert (made is None) == (after is None)


@pytest.mark.parametrize(("function", "call", "after"), inline.EXAMPLES)
def test_inline(function: str, call: str, after: str | None) -> None:
    definition = cst.parse_module(function).body[0]
    assert isinstance(definition, cst.FunctionDef)
    called = cst.parse_expression(call)
    assert isinstance(called, cst.Call)
    made = inline.inlined(called, 1, {definition.name.value: definition})
    assert (made is None) == (after is None)
    if made is not None and after is not None:
        assert "".join(code(item.node).strip() + "\n" for item in made) == after


@pytest.mark.parametrize(("before", "after"), unittest_forms.EXAMPLES)
def test_unittest_forms(before: str, after: str) -> None:
    call = cst.parse_expression(before)
    assert isinstance(call, cst.Call)
    test = unittest_forms.plain_test(call)
    assert test is not None
    assert code(test.with_changes(lpar=[], rpar=[])) == after


@pytest.mark.parametrize(("before", "after"), opened.EXAMPLES)
def test_opened(before: str, after: str) -> None:
    made = opened.within_opened(list(cst.parse_module(before).body))
    assert cst.Module(body=made).code == after


@pytest.mark.parametrize(("before", "after"), series.EXAMPLES)
def test_series(before: str, after: list[str] | None) -> None:
    written = {"CASES": cst.parse_expression("[1, two]")}
    made = series.elements_of(cst.parse_expression(before), written, NOTHING)
    assert (None if made is None else [code(each) for each in made]) == after


@pytest.mark.parametrize(("before", "after"), timers.EXAMPLES)
def test_timers(before: str, after: str) -> None:
    assert timers.without_timers(cst.parse_module(before)).code == after


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1024 ** 2 - 1", 1048575),
        ("-0.0", -0.0),
        ("'a' 'b'", "ab"),
        ("b'\\x00'", b"\x00"),
        ("[1, (2, {3: None})]", [1, (2, {3: None})]),
        ("'ab' * 3", "ababab"),
        ("set()", set()),
        ("[*(1, 2), 3]", [1, 2, 3]),
        ("{**{'a': 1}, 'b': 2}", {"a": 1, "b": 2}),
    ],
)
def test_what_is_written_out_is_data(text: str, value: object) -> None:
    assert data_of(expression(text), NOTHING) == value


@pytest.mark.parametrize(
    "text",
    [
        "f(1)",
        "x",
        "f'{1}'",
        "[x]",
        "10 ** 10 ** 10",
        "'a' * 10 ** 9",
        "1 / 0",
        "'%d' % 3",
        "[1] + 2",
        "lambda: 1",
    ],
)
def test_what_would_have_to_run_or_is_too_large_is_no_data(text: str) -> None:
    assert data_of(expression(text), NOTHING) is NOT_DATA


@pytest.mark.parametrize(
    ("text", "reads", "binds"),
    [
        ("x = y + x.z", {"x", "y"}, {"x"}),
        ("[a for a in b if c]", {"b", "c"}, set()),
        ("f(k=v)", {"f", "v"}, set()),
        ("lambda q, r=s: q + t", {"s", "t"}, set()),
        ("def f(a, b=c):\n    d = a\n    return d + e\n", {"c", "e"}, {"f"}),
        ("def f():\n    global g\n    g = 1\n", set(), {"f", "g"}),
        ("class C(B):\n    x = y\n    z = x\n", {"B", "y"}, {"C"}),
        ("for i in j:\n    k = i\n", {"j", "i"}, {"i", "k"}),
        ("with o() as p:\n    pass\n", {"o"}, {"p"}),
        ("try:\n    pass\nexcept E as e:\n    print(e)\n", {"E", "print"}, set()),
        ("import a.b, c as d\nfrom e import f as g\n", set(), {"a", "d", "g"}),
        ("x += 1", {"x"}, {"x"}),
        ("(n := m)", {"m"}, {"n"}),
        ("del q", {"q"}, set()),
        ("x: int = 3", {"int"}, {"x"}),
    ],
)
def test_uses_tells_what_is_read_from_outside_and_what_is_bound(
    text: str, reads: set[str], binds: set[str]
) -> None:
    found = uses(list(cst.parse_module(text).body))
    assert (found.reads, found.binds) == (reads, binds)


def test_nothing_to_normalise_stays_as_it_is() -> None:
    node = cst.parse_module("x = f(1)\n").body[0]
    assert isinstance(node, cst.SimpleStatementLine)
    (item,) = normalised([Item(node, 1)], Context({}, frozenset(), NOTHING))
    assert item.kind == "setup" and single(item.node) is single(node)


@pytest.mark.parametrize(("before", "after"), results.EXAMPLES)
def test_results(before: str, after: str) -> None:
    assert next(iter(results.with_result(before)), "") == after


def test_a_name_of_the_scenario_is_not_taken_for_a_result() -> None:
    text = 'def f(program, p, seen):\n    result = 1\n    seen(len(program.split(p["sql"], result)))\n'
    made = results.with_result(text)
    assert made[0].endswith("    seen(len(result_2))\n    seen(result_2)\n")
    assert made[-1].endswith("    seen(len(result_2))\n    seen(plain(result_2))\n")


def test_what_is_asked_of_a_result_is_told_from_what_it_is_made_of() -> None:
    text = 'def f(program, p, seen):\n    seen(p["item"] in program.split(p["sql"], p["n"])[p["n"]:])\n'
    assert results.asked_of_result(text) == {"item"}
    assert results.asked_of_result(results.EXAMPLES[4][0]) == frozenset()


@pytest.mark.parametrize(("before", "first", "last"), calls.EXAMPLES)
def test_calls(before: str, first: str, last: str) -> None:
    made = calls.with_calls(before)
    assert (next(iter(made), ""), next(reversed(made), "")) == (first, last)


@pytest.mark.parametrize(("before", "words", "after"), weaker.EXAMPLES)
def test_weaker(before: str, words: str, after: str) -> None:
    assert {view.words: view.text for view in weaker.weaker_views(before)}.get(words, "") == after
