"""Edits of steps take a step as a whole: no name of a method, and no number of arguments, ever changes."""

from typing import Any

from authoring.model.wire import Wire, check, decode, encode, sort_key
from authoring.scenario.domain import ChangedCode, Constants
from authoring.scenario.inputs import (
    Palette,
    cross,
    is_steps,
    leaves,
    mixtures,
    neighbours,
    palette_of,
    shrink,
    with_pieces,
)

FORMS = {("put", 2, ("wait",)), ("put", 2, ()), ("get", 1, ()), ("clear", 0, ())}
STEPS: list[Any] = [
    ["put", ["a", 1], {"wait": True}],
    ["get", ["a"], {}],
    ["clear", [], {}],
    ["put", ["b", 2], {}],
]
ROWS: list[dict[str, Any]] = [
    {"key": "put", "steps": STEPS},
    {"key": "a", "steps": STEPS[:1]},
    {"key": "", "steps": []},
]
WIRES = [encode(row) for row in ROWS]
CODE = ChangedCode(Constants(numbers=(7,), texts=("get", "x")))
PALETTE = palette_of(WIRES, CODE)


def steps_of(wires: list[Wire]) -> list[list[Any]]:
    for wire in wires:
        check(wire)
    return [decode(wire)["steps"] for wire in wires]


def are_calls(found: list[list[Any]]) -> bool:
    return all((name, len(args), tuple(options)) in FORMS for steps in found for name, args, options in steps)


def test_neighbours_drop_repeat_swap_put_in_replace_and_call_otherwise() -> None:
    found = steps_of(neighbours(WIRES[0], PALETTE, 4000))
    first, second, third, fourth = STEPS
    assert [first, third, fourth] in found, "dropped"
    assert [first, second, second, third, fourth] in found, "repeated"
    assert [second, first, third, fourth] in found, "swapped"
    assert [*STEPS, first] in found, "put in"
    assert [first, fourth, third, fourth] in found, "replaced"
    assert STEPS + STEPS in found, "all twice"
    assert [["put", ["a", 7], {"wait": True}], second, third, fourth] in found, "an argument"
    assert [["put", ["a", 1], {}], second, third, fourth] in found, "a keyword left out"
    assert are_calls(found)


def test_nothing_grows_from_no_steps_but_the_steps_seen() -> None:
    found = steps_of(neighbours(WIRES[2], PALETTE, 4000))
    assert {sort_key(encode(steps)) for steps in found} == {
        sort_key(encode(steps)) for steps in ([], *([step] for step in STEPS))
    }


def test_mutations_and_crossings_are_calls_too_and_grow_longer_than_seen() -> None:
    stream = mixtures(WIRES, 3, PALETTE)
    found = steps_of([next(stream) for _ in range(600)])
    assert are_calls(found)
    assert max(map(len, found)) > len(STEPS)
    assert len({sort_key(encode(steps)) for steps in found}) > 200


def test_a_crossing_takes_the_first_steps_of_one_and_the_last_of_the_other() -> None:
    left, right = encode({"steps": STEPS[:2]}), encode({"steps": STEPS[2:]})
    found = steps_of([cross(left, right, seed) for seed in range(60)])
    assert [STEPS[0], STEPS[3]] in found
    assert are_calls(found)


def test_pieces_and_leaves_are_arguments_and_values_of_keywords() -> None:
    assert [leaf for _, leaf in leaves(WIRES[0], keys=True)] == ["put", "a", encode(1), "a", "b", encode(2)]
    assert are_calls(steps_of(with_pieces(WIRES[:2], 5, PALETTE, 80)))


def test_a_word_that_a_method_is_called_by_is_not_reworded_with_others() -> None:
    found = [decode(wire) for wire in neighbours(WIRES[0], Palette(texts=("zz",)), 4000)]
    assert are_calls([one["steps"] for one in found if one["key"] != "put"])


def test_a_smaller_input_has_fewer_steps_and_smaller_arguments() -> None:
    grown = encode({"steps": [*STEPS, ["put", ["bbb", 900], {"wait": False}], ["get", ["b"], {}]]})

    def holds(wires: Any) -> list[bool]:
        found = steps_of(list(wires))
        assert are_calls(found)
        return [any(name == "put" and args[1] > 5 for name, args, _ in steps) for steps in found]

    assert decode(shrink(grown, holds, rounds=40))["steps"] == [["put", ["", 6], {}]]


def test_what_has_another_form_is_no_list_of_steps() -> None:
    assert is_steps("steps2", encode(STEPS))
    assert not is_steps("items", encode(STEPS))
    assert not any(is_steps("steps", encode(value)) for value in ([], 3, [1], [["put"]], [["put", 1]]))
