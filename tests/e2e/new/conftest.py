"""Our own incident authored once for all that only look at it."""

from pathlib import Path

import pytest

from tests.e2e.new.job import ORDERS, Desk, Told


@pytest.fixture(scope="session")
def authored(desk: Desk) -> tuple[Path, Told]:
    """The workspace in which our own incident was committed by one command, and what the command answered."""
    workspace = desk.workspace("orders")
    told = desk.run("new", "orders-page-cursor", "--incident", ORDERS, "--workspace", workspace, "--json")
    assert told.code == 0, told.out + told.err
    return workspace, told
