"""A place to work in, for the tests that run whole commands."""

import pytest

from tests.e2e.new.job import Desk


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A folder with a home, a key and workspaces of its own."""
    return Desk(tmp_path_factory.mktemp("desk"))
