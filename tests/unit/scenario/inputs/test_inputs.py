"""Inputs next to inputs are valid, bounded, and the same for the same seed; searches find what differs."""

import datetime
from typing import Any

import pytest

from authoring.model.execution import How, Observed, Program
from authoring.model.wire import Wire, check, decode, encode, sort_key
from authoring.scenario.domain import changed_code
from authoring.scenario.inputs import (
    Distinguished,
    Input,
    Observer,
    Palette,
    Stock,
    Undistinguished,
    cross,
    mutate,
    neighbours,
    palette_of,
    search,
    shrink,
    weight,
    with_pieces,
)
from tests.memory_runner import MemoryRunner

ROWS: list[dict[str, Any]] = [
    {"n": 1024, "text": "a/b", "items": [1, "x"], "flag": True},
    {"n": -3, "text": "//c", "items": [], "flag": None},
    {"n": 7, "text": "", "items": [2.5, {"k": (1, b"z")}], "flag": False},
]
WIRES = [encode(row) for row in ROWS]
CODE = changed_code({"broken": "x = 1000", "reference": "x = '>'"})
PALETTE = palette_of(WIRES, CODE)


@pytest.mark.parametrize("wire", WIRES)
def test_neighbours_are_valid_distinct_and_differ_in_one_parameter(wire: Wire) -> None:
    found = neighbours(wire, PALETTE)
    assert len({sort_key(other) for other in found}) == len(found) > 20
    for other in found:
        check(other)
        changed = [a for a, b in zip(wire["dict"], other["dict"], strict=True) if a != b]
        assert len(changed) == 1


def test_a_word_that_parameters_share_is_replaced_in_all_of_them() -> None:
    row = {"rule": "/leaf", "paths": ["/leaf/", "/other"], "named": {"leaf": 1}, "n": 4}
    found = [decode(wire) for wire in neighbours(encode(row), Palette(texts=("x", "/", "y z")), 400)]
    reworded = [one for one in found if len({key for key in row if one[key] != row[key]}) > 1]
    assert [one["rule"] for one in reworded] == ["/lea", "/eaf", "/leaff", "/x"]
    assert reworded[-1] == {"rule": "/x", "paths": ["/x/", "/other"], "named": {"x": 1}, "n": 4}


def test_a_word_of_a_text_becomes_a_word_that_the_code_names() -> None:
    code = changed_code({"reference": "def f(x):\n    return x in ('breakpoint', '==')\n"})
    params = encode({"source": "value = box.size"})
    found = {decode(one)["source"] for one in neighbours(params, palette_of([params], code), 2000)}
    assert {"breakpoint = box.size", "value = breakpoint.size", "value = box.breakpoint"} <= found
    assert "== = box.size" not in found


def test_neighbours_hold_the_steps_that_boundaries_need() -> None:
    values = [decode(wire) for wire in neighbours(WIRES[0], PALETTE, 400)]
    assert {1023, 1025, 2048, 512, 1000, 1001} <= {value["n"] for value in values}
    assert {"/b", "a//b", "/ab", "a/b>", ">a/b"} <= {value["text"] for value in values}
    assert [1] in [value["items"] for value in values]
    assert ["x", 1] in [value["items"] for value in values]


def test_a_parameter_takes_no_kind_that_was_not_seen_in_it() -> None:
    palette = palette_of([encode({"n": 1}), encode({"n": 2})], CODE)
    assert all(type(decode(wire)["n"]) is int for wire in neighbours(encode({"n": 1}), palette))
    assert min(decode(wire)["n"] for wire in neighbours(encode({"n": 5}), palette)) >= -1


def test_injected_functions_stay_as_they_are() -> None:
    params = {"dict": [["clock", {"double": "clock"}], ["n", {"int": "0x1"}]]}
    found = neighbours(params, palette_of([params], CODE))
    assert found
    assert all(other["dict"][0] == params["dict"][0] for other in found)


@pytest.mark.parametrize("seed", range(20))
def test_mutation_and_crossing_depend_on_the_seed_alone(seed: int) -> None:
    assert mutate(WIRES[0], seed, PALETTE) == mutate(WIRES[0], seed, PALETTE)
    crossed = decode(cross(WIRES[0], WIRES[1], seed))
    assert all(crossed[name] in (ROWS[0][name], ROWS[1][name]) for name in crossed)
    check(mutate(WIRES[2], seed, PALETTE))


@pytest.mark.parametrize("seed", range(300))
def test_every_mutation_is_a_value(seed: int) -> None:
    nested = encode({"d": {"a": 1, "b": {"c": [1, {2, 3}], "e": (1, None)}}, "s": frozenset({1, "x"})})
    palette = palette_of([nested], CODE)
    decode(mutate(nested, seed, palette))


def test_mutations_of_one_input_reach_many_others() -> None:
    assert len({sort_key(mutate(WIRES[0], seed, PALETTE)) for seed in range(100)}) > 80


@pytest.mark.parametrize(
    "value",
    [
        datetime.date(2024, 2, 29),
        datetime.datetime.max,
        datetime.timedelta(0),
        {1, 2},
        frozenset(),
        b"\xff",
        1.5,
    ],
)
def test_every_kind_of_value_has_valid_neighbours_or_none(value: Any) -> None:
    wire = encode({"v": value})
    for other in neighbours(wire, palette_of([wire], CODE)):
        check(other)
        decode(other)


def test_shrinking_ends_at_the_smallest_input_of_the_kind() -> None:
    def holds(wires: Any) -> list[bool]:
        return [">" in decode(wire)["text"] and decode(wire)["n"] >= 10 for wire in wires]

    small = decode(shrink(encode({"n": 123456, "text": "aaa>bbb>ccc", "other": [1, 2, 3]}), holds))
    assert small == {"n": 10, "text": ">", "other": []}


def test_shrinking_never_grows_and_keeps_what_matters() -> None:
    wire = encode({"n": 5})
    assert shrink(wire, lambda wires: [False] * len(wires)) == wire
    assert weight(shrink(wire, lambda wires: [True] * len(wires))) < weight(wire)


SCENARIOS = "def run(program, p, seen):\n    seen(program.f(p['n']))\n"


def program(body: str) -> Program:
    return Program(f"def f(n):\n{body}", "program", SCENARIOS)


def stock(*numbers: int) -> dict[str, Stock]:
    wires = [encode({"n": n}) for n in numbers]
    return {"run": Stock(wires, palette_of(wires, CODE))}


def test_the_search_finds_the_one_number_at_which_programs_differ() -> None:
    left, right = program("    return n > 1000"), program("    return n >= 1000")
    found = search(Observer(MemoryRunner(), How()), left, right, stock(5), seed=1)
    assert isinstance(found, Distinguished)
    assert decode(found.input.params) == {"n": 1000}
    assert isinstance(found.right, Observed)


def test_the_search_says_how_hard_it_looked() -> None:
    left, right = program("    return n + n"), program("    return 2 * n")
    observer = Observer(MemoryRunner(), How())
    found = search(observer, left, right, stock(5), seed=1, budget=100)
    assert isinstance(found, Undistinguished)
    assert found.effort * 2 == observer.asked > 150


def test_inputs_on_which_the_right_program_hangs_tell_nothing() -> None:
    left = program("    return n")
    right = program("    while n > 5:\n        pass\n    return n")
    found = search(Observer(MemoryRunner(), How()), left, right, stock(3), seed=1, budget=40)
    assert isinstance(found, Undistinguished)


def test_a_program_that_hangs_is_not_asked_further() -> None:
    runner = MemoryRunner()
    inputs = [Input("run", encode({"n": n})) for n in range(200)]
    seen = Observer(runner, How()).first_outcomes(program("    while n >= 0:\n        n += 1"), inputs)
    assert len(seen) == runner.requests == 24


def test_nothing_is_asked_twice() -> None:
    runner = MemoryRunner()
    observer = Observer(runner, How())
    inputs = [Input("run", encode({"n": n})) for n in range(3)]
    first = observer.outcomes(program("    return n"), inputs)
    assert observer.outcomes(program("    return n"), inputs[::-1]) == first[::-1]
    assert runner.requests == observer.asked == 3


def test_an_empty_palette_still_has_neighbours() -> None:
    assert neighbours(encode({"n": 3}), Palette())


def test_every_piece_of_the_code_is_put_into_some_input() -> None:
    texts = ("builtins", "==", "spam eggs", "[")
    stock = [encode({"source": "r = 'a'.size", "n": [3]}), encode({"source": "f(x)", "n": {"k": 4}})]
    palette = Palette(texts=texts, numbers=(77,))
    made = with_pieces(stock, 5, palette, 40)
    assert len({sort_key(one) for one in made}) == len(made) == 40
    for one in made:
        check(one)
        changed = [a for a, b in zip(stock[0]["dict"], one["dict"], strict=True) if a != b]
        other = [a for a, b in zip(stock[1]["dict"], one["dict"], strict=True) if a != b]
        assert min(len(changed), len(other)) == 1
    told = [sort_key(one) for one in made]
    assert all(any(sort_key(text)[1:-1] in one for one in told) for text in texts)
    assert any(sort_key(encode(77)) in one for one in told)
    sources = {decode(one)["source"] for one in made}
    assert sources & {"builtins(x)", "f(builtins)", "builtins", "builtins = 'a'.size"}
    assert with_pieces(stock, 5, palette, 40) == made
    assert with_pieces([], 5, palette, 60) == with_pieces(stock, 5, Palette(), 60) == []


def test_pieces_are_put_into_large_inputs_too() -> None:
    rows = [{f"key {n}": "some text of a row", "n": n, "items": list(range(8))} for n in range(40)]
    palette = Palette(texts=tuple(f"word{n}" for n in range(30)), numbers=tuple(range(100, 130)))
    made = with_pieces([encode({"rows": rows})], 1, palette, 96)
    assert len(made) == 96
    assert sum("word" in sort_key(one) for one in made) in range(30, 70)
