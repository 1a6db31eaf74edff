"""A change is undone in a state and in all that came after it, wherever the two can be joined."""

from collections.abc import Sequence

import pytest

from authoring.model.variants import VersionName
from authoring.reduction.history import History, apply_hunks, hunks, transferred
from authoring.reduction.merged import MergedLine, MergedProgram

BOTH: frozenset[VersionName] = frozenset(("broken", "reference"))


def program(text: str) -> MergedProgram:
    return MergedProgram(tuple(MergedLine(line, BOTH) for line in text.split()), ("broken", "reference"))


def text(made: MergedProgram | None) -> str:
    return "" if made is None else " ".join(line.text for line in made.lines)


@pytest.mark.parametrize(
    ("before", "after"),
    [("a b c d", "a c d"), ("a b c", "x a b c y"), ("a b", "c d"), ("a", "a"), ("a b", "")],
)
def test_all_changes_of_a_state_give_the_next_one(before: str, after: str) -> None:
    one, other = program(before), program(after)
    assert apply_hunks(one, hunks(one, other)) == other
    assert apply_hunks(one, []) == one


@pytest.mark.parametrize(
    ("before", "mended", "later", "joined"),
    [
        ("a c d e", "a b c d e", "a c e", "a b c e"),
        ("a c d e", "a b c d e", "a d e", "a b d e"),
        ("a c d e", "a b c d e", "c d e", "b c d e"),
        ("a x d e", "a b d e", "a x e", "a b e"),
        ("a x d e", "a b d e", "a y d e", "a b d e"),
        ("a x d e", "a b d e", "x", "b"),
        ("a c", "a b c", "e", None),
        ("a x d", "a b d", "a e", None),
    ],
)
def test_what_is_undone_is_joined_with_what_came_later(
    before: str, mended: str, later: str, joined: str | None
) -> None:
    start = program(before)
    made = transferred(hunks(start, program(mended)), start, program(later))
    assert (None if made is None else text(made)) == joined


def test_what_is_put_back_at_one_place_stays_in_order() -> None:
    start = program("a b c")
    made = transferred(hunks(start, program("a x b y c")), start, program("a c"))
    assert text(made) == "a x y c"


def history(states: Sequence[str]) -> History:
    made = History(program(states[0]))
    for phases, state in enumerate(states[1:], 1):
        made.add(program(state), phases)
    return made


class Holding:
    """Tells whether a state has some lines, and remembers what it was asked."""

    def __init__(self, *needed: str) -> None:
        self.needed = set(needed)
        self.asked: list[str] = []

    def __call__(self, state: MergedProgram) -> bool:
        self.asked.append(text(state))
        return self.needed <= set(text(state).split())


def test_a_lost_line_comes_back_and_no_other_does() -> None:
    made = history(["a b c d e f g h", "a b c e f g h", "a c f g h", "a c f h", "c f"])
    assert made.mend(Holding("b"), Holding("b"))
    assert text(made.last) == "b c f"
    assert made.states[-1].phases == 4


def test_of_a_step_with_many_changes_only_those_that_lost_it_are_undone() -> None:
    made = history(["a b c d e f g h i j", "b d f h j", "b f j"])
    assert made.mend(Holding("c", "h"), Holding("c", "h"))
    assert text(made.last) == "b c f h j"


def test_where_nothing_can_be_joined_it_goes_back() -> None:
    made = history(["a b c d", "a d", "x"])
    assert made.mend(Holding("b", "a"), Holding("b", "a"))
    assert set("ab") <= set(text(made.last).split())
    assert len(made.states) <= 3


def test_states_that_hold_are_not_touched_and_hardly_asked() -> None:
    made = history(["a b c", "a b", "a"])
    holds = Holding("a")
    assert made.mend(holds, holds)
    assert text(made.last) == "a" and holds.asked == ["a", "a"]


def test_where_not_even_the_first_state_holds_it_is_said() -> None:
    made = history(["a b", "a"])
    assert not made.mend(Holding("z"), Holding("z"))


def test_a_joined_state_that_lost_something_else_does_not_cost_what_came_after() -> None:
    made = history(["a b k c d e f g", "a k c d e f g", "a c d e f g", "a d f g", "a f g"])
    assert made.mend(Holding("k", "b", "a"), Holding("b"))
    assert text(made.last) == "a b k f g"


def test_many_undoings_of_states_that_nobody_asked_for_do_not_pile_up() -> None:
    start = program(" ".join(f"l{at}" for at in range(160)))
    made = History(start)
    for end in range(159, 40, -1):
        made.add(program(" ".join(f"l{at}" for at in range(end))), 1)
    for at in range(159, 60, -1):
        needed = Holding(f"l{at}", *(f"l{other}" for other in range(at, 160)))
        assert made.mend(needed, needed)
    assert max(state.depth for state in made.states) <= 51
