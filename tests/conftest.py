"""What all tests share: golden files and the flag that rewrites them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

ROOT = Path(__file__).parents[1]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flag of ``./dev golden``."""
    parser.addoption(
        "--rewrite-golden", action="store_true", help="write golden files anew instead of comparing"
    )


collect_ignore_glob = ["data/*"]
"""Incidents and attacks are data: nothing of them is imported here."""

_TOGETHER = {"cheats": "boxes", "execution": "boxes", "new": "new"}
"""Folders of end-to-end tests that share a workspace or the machine's sockets, and so a worker."""
_APART = {"releases"}
"""Folders of which every test is long and stands for itself."""


class _ByFile(LoadScopeScheduling):
    """Hands out the tests of a file together, and those of a folder that shares something."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        parts = file.split("/")
        if parts[:2] != ["tests", "e2e"]:
            return file
        return nodeid if parts[2] in _APART else _TOGETHER.get(parts[2], file)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    """Say how tests are shared out among workers."""
    return _ByFile(config, log)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with a committed file (path from the project's root), or write it with the flag."""

    def compare(name: str, text: str) -> None:
        path = ROOT / name
        if request.config.getoption("--rewrite-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.is_file(), f"{name} is missing; run ./dev golden"
        assert path.read_text(encoding="utf-8") == text, f"{name} is out of date; run ./dev golden"

    return compare
