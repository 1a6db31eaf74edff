"""Where an incident comes from, and how the same command is told from another one."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit

from authoring.incident.masking import mask
from authoring.incident.obtain import obtain_reproducer
from authoring.model.digest import sha256_hex, tree_digest, value_digest
from authoring.model.incident import Incident
from authoring.system.files import read_tree
from authoring.system.git import resolve

__all__ = ["Source", "incident_toml", "load_source"]

_SIDES = ("broken", "attempt", "fixed")


@dataclass(frozen=True, slots=True)
class Source:
    """An incident with its reproducer, before anything was obtained or run."""

    incident: Incident
    folder: Path
    """What relative paths of the incident start at."""
    reproducer: str
    only: str
    """The pytest node that is meant; empty: the whole reproducer."""
    sha256: str
    """Digest of the incident, the masked reproducer and what revisions and folders stand for now."""


def load_source(incident: Incident, folder: Path, python: str = "") -> Source:
    """Read the reproducer and digest all that the author gave; raises what the sources raise (WSP…, INC…)."""
    reproducer, only = obtain_reproducer(incident, folder)
    stated = incident.model_dump(mode="json", exclude={"facts"})
    for name in ("repository", *_SIDES) if incident.package is None else ():
        stated.pop(name)
    digest = value_digest(
        [stated, _sides(incident, folder), sha256_hex(mask(reproducer).text.encode()), python]
    )
    return Source(incident, folder, reproducer, only, digest)


def _sides(incident: Incident, folder: Path) -> list[list[str]]:
    """Return what the sides stand for: releases by name, revisions by commit, folders by content."""
    labels = [(side, getattr(incident, side)) for side in _SIDES if getattr(incident, side) is not None]
    if incident.repository is not None:
        repository = folder / incident.repository
        return [[side, resolve(repository, label)] for side, label in labels]
    if incident.directories:
        return [[side, tree_digest(read_tree(folder / label))] for side, label in labels]
    return [[side, label] for side, label in labels]


def incident_toml(incident: Incident) -> str:
    """Return an incident as the file that :func:`authoring.incident.read.read_incident` reads."""
    document = tomlkit.document()
    data: dict[str, Any] = incident.model_dump(mode="json", exclude_defaults=True)
    facts = data.pop("facts", {})
    for name in ("id", *(name for name in data if name != "id")):
        document.add(name, data[name])
    if facts:
        document.add("facts", {key: facts[key] for key in sorted(facts)})
    return tomlkit.dumps(document)
