"""Pieces of a difference can be given one by one, and together they are all of it."""

import pytest

from authoring.model.variants import VersionName
from authoring.reduction.pieces import Difference

FIXED = """\
def read(text):
    text = text.strip()
    sign = -1 if text[:1] == "-" else 1
    return sign * int(text.lstrip("-"))


def show(number):
    return f"{number:,}"
"""
BROKEN = """\
def read(text):
    text = text
    sign = 1
    return sign * int(text.lstrip("-"))


def show(number):
    return f"{number}"
"""
ATTEMPT = """\
def read(text):
    text = text.strip()
    sign = 1
    return sign * int(text.lstrip("-"))


def show(number):
    return f"{number:_}"
"""
VERSIONS: dict[VersionName, str] = {"broken": BROKEN, "reference": FIXED, "hard_negative": ATTEMPT}


def test_lines_that_replace_as_many_at_the_same_depth_are_pieces_of_their_own() -> None:
    difference = Difference({"broken": BROKEN, "reference": FIXED})
    assert len(difference) == 3
    assert difference.repaired([1]) == BROKEN.replace("sign = 1", 'sign = -1 if text[:1] == "-" else 1')


@pytest.mark.parametrize("versions", [VERSIONS, {"broken": BROKEN, "reference": FIXED}])
def test_no_piece_is_broken_and_all_are_the_reference(versions: dict[VersionName, str]) -> None:
    difference = Difference(versions)
    assert difference.repaired([]) == BROKEN
    assert difference.repaired(range(len(difference))) == FIXED


def test_a_block_that_is_new_is_one_piece() -> None:
    longer = FIXED.replace("    return sign", "    if not text:\n        return 0\n    return sign")
    difference = Difference({"broken": FIXED, "reference": longer})
    assert len(difference) == 1
    assert difference.repaired([0]) == longer


def test_an_attempt_without_other_faults_keeps_its_own_text_at_its_own() -> None:
    difference = Difference(VERSIONS)
    assert difference.attempt([]) == ATTEMPT
    assert difference.attempt([0, 1]) == ATTEMPT.replace("text = text.strip()", "text = text")


@pytest.mark.parametrize(
    "own", ['    return f"{number:_}"\n', "    number = abs(number)\n    return f'{number}!'\n"]
)
def test_an_attempt_without_a_fault_has_no_text_of_its_own_there(own: str) -> None:
    attempt = ATTEMPT.replace('    return f"{number:_}"\n', own)
    difference = Difference({"broken": BROKEN, "reference": FIXED, "hard_negative": attempt})
    assert difference.attempt([2]) == ATTEMPT.replace("{number:_}", "{number}")
    assert difference.attempt([]) == Difference({"broken": attempt, "reference": FIXED}).repaired([])


def test_what_an_attempt_adds_before_text_that_it_kept_goes_with_it() -> None:
    attempt = BROKEN.replace("    return f", "    number = round(number)\n    return f")
    difference = Difference({"broken": BROKEN, "reference": FIXED, "hard_negative": attempt})
    assert difference.attempt([2]) == BROKEN
    assert difference.attempt([0, 1]) == attempt


def test_beyond_six_neighbours_are_one_piece() -> None:
    names = "abcdefghi"
    gap = "\n\n"
    broken = gap.join(f"def {name}():\n    return 0\n" for name in names)
    fixed = gap.join(f"def {name}():\n    return 1\n" for name in names)
    difference = Difference({"broken": broken, "reference": fixed})
    assert len(difference) == 6
    assert difference.repaired(range(6)) == fixed
