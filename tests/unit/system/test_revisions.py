"""What HEAD names, while another process may still be writing."""

from pathlib import Path
from typing import Any, cast

import pytest

from authoring.model.errors import CannotJudgeError
from authoring.system.git import head_in

COMMIT = b"0123456789abcdef0123456789abcdef01234567\n"


class Told:
    """A repository that answers what it is told to, question by question."""

    root = Path("repo")

    def __init__(self, *answers: bytes) -> None:
        self.answers = list(answers)

    def succeeds(self, *words: str) -> bytes:
        return self.answers.pop(0)


def head_of(*answers: bytes) -> str | None:
    return head_in(cast(Any, Told(*answers)))


def test_a_commit_that_comes_between_two_questions_is_no_damage() -> None:
    assert head_of(b"", COMMIT, COMMIT) == COMMIT.decode().strip()


def test_a_repository_without_commits_has_none() -> None:
    assert head_of(b"", b"", b"") is None


def test_a_head_that_names_what_is_not_there_is_told() -> None:
    with pytest.raises(CannotJudgeError) as refused:
        head_of(b"", COMMIT, b"", COMMIT)
    assert refused.value.code == "WSP013"
