"""Cuts of the domain: proposed with what they save, taken when accepted, kept to by every later stage."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from authoring.model.cuts import Cuts
from authoring.model.task import Checks, HiddenChecks
from authoring.model.wire import decode
from authoring.scenario.domain import cuts_of
from tests.e2e.new.job import DATA, Desk, Told

pytestmark = pytest.mark.timeout(1500)

ID = "quoted-labels"
INCIDENT = DATA / "service" / ID / "incident.toml"
QUOTES = 'Excluding inputs whose `text` holds "\'"'


@pytest.fixture(scope="module")
def narrowed(desk: Desk) -> tuple[Path, Told]:
    """A workspace in which the incident was committed with cuts, and what the command answered."""
    workspace = desk.thrifty_workspace("cuts")
    told = desk.run("new", ID, "--incident", INCIDENT, "--workspace", workspace, "--accept-cuts", "--json")
    assert told.code == 0, told.out + told.err
    return workspace, told


@pytest.fixture(scope="module")
def proposed(desk: Desk) -> tuple[Path, Told]:
    """A workspace in which the incident was reduced without cuts, and what the command answered."""
    workspace = desk.workspace("proposed")
    assert desk.run("capture", ID, "--incident", INCIDENT, "--workspace", workspace).code == 0
    told = desk.run("reduce", ID, "--workspace", workspace, "--json")
    assert told.code == 0, told.out + told.err
    return workspace, told


def texts(folder: Path, name: str, kind: type[Checks]) -> list[str]:
    """Return the texts of all checks and pools of a task."""
    document = kind.from_json((folder / name).read_bytes())
    wires: list[Any] = [check.params for check in document.checks]
    if isinstance(document, HiddenChecks):
        wires += [wire for pool in document.pools for wire in pool.inputs]
    return [decode(wire)["text"] for wire in wires]


def test_a_cut_is_proposed_and_not_taken_unless_it_is_accepted(
    desk: Desk, proposed: tuple[Path, Told]
) -> None:
    workspace, told = proposed
    cuts = told.document["data"]["reduction"]["cuts"]
    first = cuts["proposed"][0]
    assert cuts["taken"] == []
    assert first["sentence"].startswith(QUOTES)
    assert first["checks"] == ["check_2"]
    assert first["saves"] > cuts["nodes"] / 4
    assert any(one["nodes"] > 20 and "'" in decode(one["params"])["text"] for one in cuts["held"])
    assert cuts_of((workspace / "contracts" / ID / "domain.py").read_text()) == ()
    assert "'Red, dark', green" in (workspace / "contracts" / ID / "domain.py").read_text()
    assert QUOTES in desk.run("reduce", ID, "--workspace", workspace).out.replace("\n", " ")


def test_an_accepted_cut_stands_in_the_domain_and_its_code_is_gone(narrowed: tuple[Path, Told]) -> None:
    place = narrowed[0] / "contracts" / ID
    document = Cuts.from_json((place / "cuts.json").read_bytes())
    domain = (place / "domain.py").read_text()
    assert [one.sentence for one in document.taken] == list(cuts_of(domain))
    assert document.taken[0].sentence == f"{QUOTES} (saves {document.taken[0].saves} nodes)"
    assert "'Red, dark', green" not in domain
    for version in ("broken", "reference"):
        assert "_quoted" not in (place / "program" / f"{version}.py").read_text()
    assert narrowed[1].document["data"]["reduction"]["cuts"] == json.loads((place / "cuts.json").read_text())


def test_no_check_and_no_pool_of_any_variant_holds_what_was_cut_off(narrowed: tuple[Path, Told]) -> None:
    workspace, told = narrowed
    variants = told.document["data"]["variants"]
    asked = [text for path in variants["public"] for text in texts(workspace / path, "checks.json", Checks)]
    for path in variants["hidden"]:
        asked += texts(workspace / path, "hidden_checks.json", HiddenChecks)
    asked += texts(workspace / "hidden" / ID / "base", "hidden_checks.json", HiddenChecks)
    assert len(asked) > 200
    assert not any("'" in text for text in asked)
    prompt = (workspace / "public" / "tasks" / ID / "base" / "prompt.md").read_text()
    assert QUOTES in prompt
    assert "saves" not in prompt


def test_a_cut_stays_accepted_and_is_shown(desk: Desk, narrowed: tuple[Path, Told]) -> None:
    workspace, told = narrowed
    again = desk.run("new", ID, "--incident", INCIDENT, "--workspace", workspace, "--json")
    assert (again.code, again.document["data"]["measure"]) == (0, {}), again.out
    assert again.document["data"]["commits"] == told.document["data"]["commits"]
    shown = desk.run("show", ID, "--workspace", workspace, "--json").document["data"]
    assert shown["cuts"]["taken"][0]["sentence"].startswith(QUOTES)
    assert "Cuts of the domain" in desk.run("show", ID, "--workspace", workspace).out


def test_a_domain_that_its_author_narrowed_is_kept_to_and_never_cut(
    desk: Desk, proposed: tuple[Path, Told], tmp_path: Path
) -> None:
    workspace = tmp_path / "edited"
    shutil.copytree(proposed[0], workspace, symlinks=True)
    domain = workspace / "contracts" / ID / "domain.py"
    head, mark, tail = domain.read_text().partition("def labels(constants):")
    mine = "def allows_labels(p):\n    return \"'\" not in p['text']\n\n\n"
    tail = tail.replace("anew)\n", "anew).filter(allows_labels)\n").replace(
        "CUTS = []", "CUTS = ['No quotes']"
    )
    domain.write_text(head + mine + mark + tail)
    edited = domain.read_text()
    told = desk.run("reduce", ID, "--workspace", workspace, "--accept-cuts", "--json")
    assert told.code == 0, told.out + told.err
    assert domain.read_text() == edited
    assert told.document["data"]["reduction"]["cuts"]["taken"] == []
    for version in ("broken", "hard_negative", "reference"):
        assert "_quoted" not in (domain.parent / "program" / f"{version}.py").read_text()
