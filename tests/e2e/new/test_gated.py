"""A gate opens only for what passes the hidden checks, and only an open gate makes a tag."""

import json
import shutil
from pathlib import Path

import pytest

from tests.e2e.new.job import ORDERS, Desk, Told, git

pytestmark = pytest.mark.timeout(1500)


@pytest.fixture(scope="module")
def released(desk: Desk, authored: tuple[Path, Told]) -> Path:
    """A copy of the workspace, with a release 1.0.0."""
    workspace = shutil.copytree(authored[0], desk.home / "released", symlinks=True)
    told = desk.run("release", "1.0.0", "--workspace", workspace)
    assert told.code == 0, told.err
    return workspace


@pytest.fixture(scope="module")
def repository(desk: Desk) -> Path:
    """The order service's own repository: a commit for each side, tagged with its name."""
    place = desk.home / "service"
    place.mkdir()
    git(place, "init", "--quiet")
    for side in ("broken", "attempt", "fixed"):
        shutil.copytree(ORDERS.parent / side, place, dirs_exist_ok=True)
        git(place, "add", "--all")
        git(
            place,
            "-c",
            "user.name=Some One",
            "-c",
            "user.email=one@example.org",
            "commit",
            "--quiet",
            "-m",
            side,
        )
        git(place, "tag", side)
    return place


def test_a_release_verifies_here_and_in_a_clone_of_the_public_repository(desk: Desk, released: Path) -> None:
    assert desk.run("verify", "1.0.0", "--workspace", released).code == 0
    clone = desk.home / "public-clone"
    git(desk.home, "clone", "--quiet", str(released / "public"), str(clone))
    assert desk.run("verify", "1.0.0", "--workspace", clone).code == 0


@pytest.mark.parametrize("revision", ["broken", "attempt"])
def test_a_wrong_revision_gets_no_tag(desk: Desk, released: Path, repository: Path, revision: str) -> None:
    words = ("gate", "repo", "1.0.0", "--repo", repository, "--rev", revision, "--workspace", released)
    told = desk.run(*words, "--tag", f"checked-{revision}", "--json")
    assert told.code == 1, told.out + told.err
    assert told.document["data"]["decision"]["open"] is False
    assert f"checked-{revision}" not in git(repository, "tag").splitlines()


def test_the_fixed_revision_gets_a_tag_that_another_clone_verifies(
    desk: Desk, released: Path, repository: Path
) -> None:
    words = ("gate", "repo", "1.0.0", "--repo", repository, "--rev", "fixed", "--workspace", released)
    told = desk.run(*words, "--tag", "checked-fixed", "--json")
    assert told.code == 0, told.out + told.err
    assert git(repository, "rev-parse", "checked-fixed^{commit}") == git(
        repository, "rev-parse", "fixed^{commit}"
    )
    clone = desk.home / "service-clone"
    git(desk.home, "clone", "--quiet", str(repository), str(clone))
    checked = desk.run("gate", "check", "checked-fixed", "--repo", clone, "--workspace", released)
    assert checked.code == 0, checked.err


def test_an_agent_that_does_nothing_scores_nothing(desk: Desk, released: Path) -> None:
    told = desk.run("gate", "agent", "1.0.0", "--command", "true", "--workspace", released, "--json")
    assert told.code == 1, told.out + told.err
    decision = told.document["data"]["decision"]
    assert decision["passed"] == 0
    assert decision["judged"] >= 5


def test_an_agent_that_returns_the_reference_scores_all(desk: Desk, released: Path) -> None:
    answers = desk.home / "predictions.jsonl"
    rows = [
        {
            "task": f"orders-page-cursor/{place.name}",
            "files": {"program.py": (place / "reference.py").read_text()},
        }
        for place in sorted((released / "hidden" / "orders-page-cursor").iterdir())
    ]
    answers.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    told = desk.run("gate", "agent", "1.0.0", "--predictions", answers, "--workspace", released, "--json")
    assert told.code == 0, told.out + told.err
    decision = told.document["data"]["decision"]
    assert decision["passed"] == decision["judged"] == len(rows)
