"""What a program plants is told: names that no release has, and what pyflakes complains of."""

from pathlib import Path

import pytest

from tests.measures.planted import complaints, names_bound, names_in, share_kept

PROGRAM = """import os.path as where
from json import loads


class Page:
    size = 3

    def turn(self, step, *rest, key=None):
        self.number = step
        try:
            return [one for one in rest]
        except ValueError as error:
            raise KeyError(key) from error
"""


def test_every_name_that_a_program_gives_is_found_and_none_that_it_only_reads() -> None:
    given = "where loads Page size turn self step rest key number one error"
    assert names_bound(PROGRAM) == frozenset(given.split())


@pytest.mark.parametrize(("known", "share", "new"), [("a b", 0.5, ("c", "d")), ("a b c d e", 1.0, ())])
def test_the_share_of_names_kept_counts_each_name_once(
    known: str, share: float, new: tuple[str, ...]
) -> None:
    assert share_kept("a = b = c = d = 1\na = 2\n", frozenset(known.split())) == (share, new)


def test_names_of_a_release_are_those_of_all_its_files(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "one.py").write_text("first = 'second'\n")
    (tmp_path / "inner" / "two.py").write_text("def third(): ...\n")
    (tmp_path / "note.txt").write_text("fourth")
    assert names_in([tmp_path]) == {"first", "second", "def", "third"}


@pytest.mark.parametrize(
    ("source", "rules"),
    [
        ("def f():\n    return missing\n", ("F821",)),
        ("import os\n", ("F401",)),
        ("def f():\n    left = 1\n    return 2\n", ("F841",)),
        ("def f(x):\n    return x\n", ()),
    ],
)
def test_pyflakes_complains_of_what_is_undefined_or_unused_and_of_nothing_else(
    source: str, rules: tuple[str, ...]
) -> None:
    said = complaints(source)
    assert tuple(line.split()[1] for line in said) == rules
