"""The programs of a committed contract do what the trees do that they were reduced from."""

from pathlib import Path

import pytest

from tests.e2e.new.job import Told
from tests.measures.expected import assert_faithful

pytestmark = pytest.mark.timeout(1500)


def test_our_own_programs_do_what_their_trees_do_on_inputs_that_nobody_saw(
    authored: tuple[Path, Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_faithful(authored[0], "orders-page-cursor", monkeypatch)
