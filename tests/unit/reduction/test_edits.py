"""Edits leave programs whole, for just the versions that they name."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from authoring.model.variants import VersionName
from authoring.reduction.align import merge
from authoring.reduction.edits import Change, Cut, Edit, Grant, Insert, Splice, Taken, apply_edits

BOTH: frozenset[VersionName] = frozenset(("broken", "reference"))
BROKEN: frozenset[VersionName] = frozenset(("broken",))


def applied(source: str, *changes: Change) -> dict[VersionName, str]:
    program = merge({"broken": source, "reference": source})
    return apply_edits(program, [Edit(changes)]).programs()


def test_a_cut_of_one_version_leaves_the_other() -> None:
    assert applied("a\nb\n", Cut(1, BROKEN)) == {"broken": "a\n", "reference": "a\nb\n"}


def test_an_emptied_block_gets_pass_and_an_emptied_else_goes() -> None:
    assert (
        applied("if a:\n    b\nelse:\n    c\n", Cut(1, BOTH), Cut(3, BOTH))["broken"] == "if a:\n    pass\n"
    )


def test_a_decorator_goes_with_its_definition() -> None:
    assert applied("@d\ndef f():\n    a\nb\n", Cut(1, BOTH), Cut(2, BOTH))["reference"] == "b\n"


def test_splices_of_one_line_are_made_together() -> None:
    text = applied("a + b + c\n", Splice(0, BOTH, 0, 1, "xyz"), Splice(0, BOTH, 8, 9, ""))["broken"]
    assert text == "xyz + b + \n"


def test_a_splice_for_one_version_splits_the_line() -> None:
    assert applied("a\n", Splice(0, BROKEN, 0, 1, "b")) == {"broken": "b\n", "reference": "a\n"}


def test_a_grant_gives_a_line_and_an_insert_adds_one() -> None:
    program = merge({"broken": "a\n", "reference": "a\nb\n"})
    edit = Edit((Grant(1, BROKEN), Insert(0, BOTH, "z")))
    assert apply_edits(program, [edit]).programs() == {"broken": "z\na\nb\n", "reference": "z\na\nb\n"}


def overlap(changes: list[Change], taken: list[Change]) -> bool:
    return Taken(taken).meets(Edit(tuple(changes)))


def test_edits_of_the_same_characters_exclude_each_other() -> None:
    assert overlap([Splice(0, BOTH, 0, 4, "")], [Splice(0, BOTH, 2, 3, "")])
    assert overlap([Cut(0, BOTH)], [Splice(0, BROKEN, 2, 3, "")])
    assert not overlap([Cut(0, BOTH)], [Cut(0, BOTH)])
    assert not overlap([Splice(0, BOTH, 0, 2, "")], [Splice(0, BOTH, 2, 3, "")])
    assert not overlap([Splice(0, BROKEN, 0, 2, "")], [Splice(0, frozenset(("reference",)), 0, 2, "")])


def test_splices_that_only_touch_at_their_ends_are_made_together_in_any_order() -> None:
    splices = [Splice(0, BOTH, 4, 4, "x"), Splice(0, BOTH, 0, 4, "ab"), Splice(0, BOTH, 4, 5, "")]
    for order in permutations(splices):
        assert applied("1234567\n", *order)["broken"] == "abx67\n"
        taken = Taken(order[:2])
        assert not taken.clashes(order[2])
        assert taken.clashes(Splice(0, BOTH, 0, 7, ""))
        assert taken.clashes(Cut(0, BROKEN)) and not taken.clashes(Insert(0, BOTH, "y"))


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=12))
def test_what_is_taken_is_told_as_by_looking_at_every_pair(pairs: list[tuple[int, int]]) -> None:
    splices = [Splice(0, BOTH, min(pair), max(pair), "") for pair in pairs]
    taken, made = Taken(), list[Splice]()
    for one in splices:
        meets = any(
            (one.start < other.end and other.start < one.end)
            or (one.start, one.end) == (other.start, other.end)
            for other in made
        )
        assert taken.clashes(one) is meets
        taken.add(one)
        made += [] if meets else [one]
