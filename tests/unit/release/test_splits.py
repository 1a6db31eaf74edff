"""Laws of splits."""

from authoring.release.splits import SPLITS, split_of

KEY = b"k" * 32


def test_a_groups_split_depends_on_its_name_and_the_key_alone() -> None:
    groups = [f"group-{number}" for number in range(400)]
    first = {group: split_of(KEY, group) for group in groups}
    assert {group: split_of(KEY, group) for group in reversed(groups)} == first
    assert {group: split_of(b"x" * 32, group) for group in groups} != first


def test_the_shares_are_about_those_that_are_stated() -> None:
    drawn = [split_of(KEY, f"group-{number}") for number in range(2000)]
    for name, share in SPLITS:
        assert abs(drawn.count(name) / 20 - share) < 5
