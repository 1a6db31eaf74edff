"""Laws of tables: rows that are built alike are edited alike, or not at all."""

import pytest

from authoring.reduction.align import merge
from authoring.reduction.edits import apply_edits
from authoring.reduction.expressions import line_tree
from authoring.reduction.passes import arguments, constants, elements, operands, parts
from authoring.reduction.passes.base import Pass
from authoring.reduction.rows import alike
from authoring.reduction.view import View

_TABLE = "x = (f('a', 'as'), f('b', 'bs'), f('c', 'cs'))\n"
_MAP = "x = {1: [a or b], 2: [c or d], 3: [e or g]}\n"


def _reached(each: Pass, text: str) -> set[str]:
    program = merge({"reference": text})
    return {apply_edits(program, [edit]).project("reference") for edit in each.candidates(View(program))}


def test_a_part_takes_the_place_of_its_whole_in_every_row() -> None:
    reached = _reached(parts.PASS, _TABLE)
    assert "x = ('a', 'b', 'c')\n" in reached
    assert all(text.count("f(") in (0, 1, 3) for text in reached), reached


def test_an_argument_goes_in_every_row() -> None:
    assert _reached(arguments.PASS, _TABLE) == {
        "x = (f('as'), f('bs'), f('cs'))\n",
        "x = (f('a'), f('b'), f('c'))\n",
    }


def test_an_operand_goes_in_every_row_of_a_mapping() -> None:
    assert _reached(operands.PASS, _MAP) == {
        "x = {1: [a], 2: [c], 3: [e]}\n",
        "x = {1: [b], 2: [d], 3: [g]}\n",
    }


def test_a_constant_takes_the_place_of_what_stands_in_every_row() -> None:
    reached = _reached(constants.PASS, _MAP)
    assert "x = {1: [True], 2: [True], 3: [True]}\n" in reached
    assert not any(text.count("True") == 1 for text in reached)


@pytest.mark.parametrize("text", ["x = [f(a), f(b)]\n", "x = [f(a), f(b), c]\n"])
def test_two_elements_or_different_ones_are_no_table(text: str) -> None:
    tree = line_tree(text.removesuffix("\n"))
    assert all(alike(tree, span) == (span,) for span in tree.spans)


def test_a_whole_row_still_goes_alone() -> None:
    assert "x = (f('a', 'as'), f('b', 'bs'))\n" in _reached(elements.PASS, _TABLE)


def test_rows_of_an_outer_table_hold_their_inner_tables_together() -> None:
    tree = line_tree("x = [[f(1), f(2), f(3)], [f(4), f(5), f(6)], [f(7), f(8), f(9)]]")
    call = next(span for span in tree.spans if tree.source(span) == "f(2)" and span.field == "value")
    assert [tree.source(one) for one in alike(tree, call)] == ["f(2)", "f(5)", "f(8)"]
