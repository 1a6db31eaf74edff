"""One runner for the tests of boxes."""

from collections.abc import Iterator

import pytest

from authoring.execution import BoxRunner


@pytest.fixture(scope="session")
def runner() -> Iterator[BoxRunner]:
    with BoxRunner() as runner:
        yield runner
