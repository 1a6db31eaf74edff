"""Which contracts an incident has, and which incident a contract is of, as the workspace's folders say."""

import tomllib

from authoring.system.workspace import Workspace

__all__ = ["contracts_of", "incident_of"]

_MARK = "--"
"""What stands between an incident's id and what tells its contract from others."""


def contracts_of(workspace: Workspace, incident: str) -> tuple[str, ...]:
    """Return the ids of the contracts that an incident was separated into, sorted; none where it has one contract.

    One whose contract.toml cannot be read is taken for one by its name, so that its author can be told of it, unless
    it has the id of another incident, whose contract is not drafted yet.
    """
    folder = workspace.path("contracts")
    names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    own = [name for name in names if name.startswith(incident + _MARK)]
    return tuple(name for name in own if incident_of(workspace, name) == incident)


def incident_of(workspace: Workspace, identity: str) -> str:
    """Return the id of a contract's incident; an id that is no contract's is its own."""
    stated = _stated(workspace, identity)
    if stated is not None or workspace.path("incidents", identity).is_dir():
        return stated or identity
    before = identity.rpartition(_MARK)[0]
    return before if before and workspace.path("incidents", before).is_dir() else identity


def _stated(workspace: Workspace, contract: str) -> str | None:
    """Return the incident that a contract.toml names; None where there is none that can be read."""
    try:
        text = workspace.path("contracts", contract, "contract.toml").read_text(encoding="utf-8")
        return str(tomllib.loads(text)["incident"])
    except (OSError, ValueError, KeyError):
        return None
