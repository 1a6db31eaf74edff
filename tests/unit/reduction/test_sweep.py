"""A sweep keeps what the oracle allows, and does not ask about every row of a long table that is needed whole."""

from authoring.model.variants import VersionName
from authoring.reduction.edits import Cut, Edit
from authoring.reduction.merged import MergedLine, MergedProgram
from authoring.reduction.sweep import Rate, Sweep

OWN: frozenset[VersionName] = frozenset(("reference",))


def program(rows: int) -> MergedProgram:
    return MergedProgram(tuple(MergedLine(f"x = {at}", OWN) for at in range(rows)), ("reference",))


def swept(rows: int, needed: range, family: str) -> tuple[int, int]:
    """Return how many lines are left of ``rows``, and after how many questions."""
    asked: list[int] = []

    def ask(state: MergedProgram) -> bool:
        asked.append(1)
        return {line.text for line in state.lines} >= {f"x = {at}" for at in needed}

    start = program(rows)
    edits = [Edit((Cut(at, OWN),), 1, family) for at in range(rows)]
    sweep = Sweep(start, ask, Rate(5.0))
    sweep.run(edits)
    assert len(sweep.kept) + len(sweep.refused) == rows
    return len(sweep.program.lines), len(asked)


def test_all_rows_that_nothing_needs_go() -> None:
    assert swept(200, range(0), "table")[0] == 0


def test_a_table_that_is_needed_whole_is_given_up_after_some_rows() -> None:
    left, asked = swept(500, range(500), "table")
    assert (left, asked) == (500, 48 + 8)
    assert swept(500, range(500), "") == (500, 500)


def test_what_is_needed_in_places_is_asked_about_everywhere() -> None:
    assert swept(200, range(30, 60), "table")[0] == 30


def test_what_only_begins_with_rows_that_are_needed_goes_for_the_most_part() -> None:
    left, asked = swept(500, range(60), "table")
    assert left <= 60 + 500 // 8 and asked < 80
