"""Where an incident comes from, and how the same command is told from another one."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomlkit

from authoring.incident.masking import mask
from authoring.incident.obtain import obtain_reproducer
from authoring.incident.own_tests import OwnTests, read_tests
from authoring.incident.read import read_incident
from authoring.model.capture import Capture
from authoring.model.digest import sha256_hex, tree_digest, value_digest
from authoring.model.errors import UsageError
from authoring.model.incident import Incident
from authoring.system.files import read_limited, read_text_limited, read_tree
from authoring.system.git import resolve
from authoring.taskrepo.contracts_of import incident_of
from authoring.taskrepo.stages.work import Work

__all__ = [
    "ATTACHMENTS",
    "Source",
    "incident_toml",
    "load_source",
    "read_capture",
    "remember_source",
    "reproducer_name",
    "stored_source",
]

ATTACHMENTS = ("comment.txt", "traceback.txt")
"""Names of the attachments that are kept beside an incident."""

_ATTACHMENT_CAP = 1 << 20
_CAPTURE_CAP = 64 << 20
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
    python: str = ""
    """``--python``; empty: the newest version that the incident names and that is found."""
    attachments: Mapping[str, str] = field(default_factory=dict)
    """Masked texts by the name of their file, such as ``comment.txt``."""
    tests: OwnTests = field(default_factory=OwnTests)
    """The project's own tests, to record from."""


def load_source(
    incident: Incident,
    folder: Path,
    python: str = "",
    attachments: Mapping[str, Path] | None = None,
    tests: Sequence[str] = (),
    test_pins: Sequence[str] = (),
) -> Source:
    """Read the reproducer, the attachments and the project's own tests, and digest all that the author gave.

    Raises what the sources raise (WSP…, INC…).
    """
    reproducer, only = obtain_reproducer(incident, folder)
    texts = {
        name: mask(read_text_limited(path, _ATTACHMENT_CAP)).text
        for name, path in sorted((attachments or {}).items())
    }
    stated = incident.model_dump(mode="json", exclude={"facts"})
    for name in ("repository", *_SIDES) if incident.package is None else ():
        stated.pop(name)
    masked = sha256_hex(mask(reproducer).text.encode())
    own = read_tests(tests, test_pins, incident, folder)
    digest = value_digest([stated, _sides(incident, folder), masked, python, texts, *own.facts])
    return Source(incident, folder, reproducer, only, digest, python, texts, own)


def remember_source(work: Work, source: Source) -> None:
    """Leave in the journal what a later stage needs to go on by the id alone."""
    facts = {
        "incident": source.incident.model_dump(mode="json"),
        "folder": str(source.folder.absolute()),
        "only": source.only,
        "python": source.python,
    }
    work.journal.put("source", source.incident.id, facts)


def stored_source(work: Work, identity: str) -> Source:
    """Return the source of an incident that was captured in this workspace.

    ``identity`` is the incident's id, or that of one of its contracts. Raises :class:`UsageError` TSK011 where there
    is none. In a clone without the journal, releases and revisions are found again by what incident.toml says.
    """
    if not work.workspace.path("incidents", identity).is_dir():
        identity = incident_of(work.workspace, identity)
    place = work.workspace.path("incidents", identity)
    if not (place / "capture.json").is_file():
        raise UsageError(
            "TSK011",
            f"No incident {ascii(identity)[:90]} was captured in this workspace.",
            f"Run: authoring capture {identity} --incident FILE",
        )
    captured = read_capture(place / "capture.json")
    facts = work.journal.get("source", identity)
    if facts is None:
        incident, folder = read_incident(place / "incident.toml")
        facts = {"folder": str(folder), "only": "", "python": ""}
    else:
        incident = Incident.model_validate_json(json.dumps(facts["incident"]))
    return Source(
        incident,
        Path(facts["folder"]),
        read_text_limited(place / reproducer_name(incident), _ATTACHMENT_CAP),
        facts["only"],
        captured.source_sha256,
        facts["python"],
        {
            name: read_text_limited(place / name, _ATTACHMENT_CAP)
            for name in ATTACHMENTS
            if (place / name).is_file()
        },
    )


def read_capture(path: Path) -> Capture:
    """Return the capture document of an incident; raise :class:`UsageError` TSK012 where it is none."""
    try:
        return Capture.from_json(read_limited(path, _CAPTURE_CAP))
    except ValueError as error:
        raise UsageError(
            "TSK012",
            f"{path} is no capture document: {str(error).splitlines()[0]}.",
            "Restore it from the history, or delete the incident's folder and capture it anew.",
            stage="capture",
        ) from error


def reproducer_name(incident: Incident) -> str:
    """Return the name under which the reproducer lies in the incident's folder."""
    return Path(incident.test.partition("::")[0] if incident.test else incident.reproducer).name


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
