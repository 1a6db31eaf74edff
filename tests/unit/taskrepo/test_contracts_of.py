"""A contract is of the incident that its contract.toml names."""

from pathlib import Path

import pytest

from authoring.system.workspace import Workspace
from authoring.taskrepo.contracts_of import contracts_of, incident_of


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    for name in ("one", "one--first", "one--second", "one--alone", "other"):
        tmp_path.joinpath("contracts", name).mkdir(parents=True)
    for name, incident in (
        ("one--first", "one"),
        ("one--second", "one"),
        ("one--alone", "one--alone"),
        ("other", "other"),
    ):
        tmp_path.joinpath("contracts", name, "contract.toml").write_text(f'incident = "{incident}"\n')
    for name in ("one", "one--alone", "other"):
        tmp_path.joinpath("incidents", name).mkdir(parents=True)
    return Workspace(tmp_path)


def test_an_incident_has_the_contracts_that_name_it(workspace: Workspace) -> None:
    assert contracts_of(workspace, "one") == ("one--first", "one--second")
    assert contracts_of(workspace, "other") == ()
    assert contracts_of(workspace, "nowhere") == ()


def test_a_contract_leads_to_its_incident_and_an_incident_to_itself(workspace: Workspace) -> None:
    named = {name: incident_of(workspace, name) for name in ("one--first", "one--alone", "one", "nowhere")}
    assert named == {"one--first": "one", "one--alone": "one--alone", "one": "one", "nowhere": "nowhere"}


def test_a_contract_that_cannot_be_read_is_known_by_its_name(workspace: Workspace) -> None:
    workspace.path("contracts", "one--first", "contract.toml").write_text("no toml [")
    assert contracts_of(workspace, "one") == ("one--first", "one--second")
    assert incident_of(workspace, "one--first") == "one"


def test_an_incident_without_a_contract_yet_is_no_contract_of_another_one(workspace: Workspace) -> None:
    workspace.path("contracts", "one--alone", "contract.toml").unlink()
    assert contracts_of(workspace, "one") == ("one--first", "one--second")
    assert incident_of(workspace, "one--alone") == "one--alone"
