"""Read an incident from its incident.toml, or from the options of the command line (DESIGN.md 5.2)."""

import difflib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from authoring.incident.fields import FIELDS, RELEASE, REVISION, Problem, plain_facts
from authoring.model.errors import UsageError
from authoring.model.incident import MEASURED_KEYS, Incident
from authoring.system.files import read_text_limited

__all__ = ["incident_from_options", "read_incident", "read_reproducer"]

INCIDENT_CAP_BYTES = 256 << 10
REPRODUCER_CAP_BYTES = 512 << 10
_DEPTH_CAP = 40
_STAGE = "capture"
_SOURCES = ("package", "repository", "directories")


def read_incident(path: Path) -> tuple[Incident, Path]:
    """Return the incident that a file states, and the folder that its paths are relative to.

    Raises :class:`UsageError` INC001 to INC009 with file, field and hint; nothing is written or run.
    """
    table = _read_table(path)
    folder = path.parent
    incident = _incident(table, str(path))
    _check_paths(incident, folder, str(path))
    return incident, folder


def incident_from_options(
    incident_id: str,
    *,
    broken: str,
    fixed: str,
    attempt: str | None = None,
    package: str | None = None,
    repository: str | None = None,
    directories: bool = False,
    reproducer: Path | None = None,
    test: str | None = None,
    details: Mapping[str, Any] | None = None,
) -> tuple[Incident, Path]:
    """Return the incident that options state, and its folder: the one of the reproducer.

    Folders of ``directories`` and the repository may lie anywhere, since a person typed them; they become
    absolute.
    ``details`` are further keys of incident.toml. Raises :class:`UsageError` as :func:`read_incident` does.
    """
    table: dict[str, Any] = {"id": incident_id, "broken": broken, "fixed": fixed, "attempt": attempt}
    table |= {"package": package, "repository": repository, "test": test}
    table = {key: value for key, value in table.items() if value is not None} | dict(details or {})
    if directories:
        sides = {
            side: str(Path(table[side]).absolute())
            for side in ("broken", "fixed", "attempt")
            if side in table
        }
        table |= sides | {"directories": True}
    if repository is not None:
        table["repository"] = str(Path(repository).absolute())
    if reproducer is not None:
        table["reproducer"] = reproducer.name
    incident = _incident(table, "the options")
    folder = reproducer.parent if reproducer is not None else Path.cwd()
    if incident.test is None:
        read_reproducer(incident, folder)
    return incident, folder


def read_reproducer(incident: Incident, folder: Path) -> str:
    """Return the reproducer's text; raise :class:`UsageError` INC008 or INC009."""
    path = folder / incident.reproducer
    _check_inside(path, folder, "reproducer", str(folder))
    try:
        text = read_text_limited(path, REPRODUCER_CAP_BYTES)
    except UsageError as error:
        hint = (
            "Put the reproducer beside incident.toml, as repro.py or under the name that `reproducer` gives."
        )
        raise UsageError("INC009", f"The reproducer: {error.message}", hint, stage=_STAGE) from error
    if "\x00" in text:
        raise UsageError("INC009", f"The reproducer {path} holds NUL.", "Save it as text.", stage=_STAGE)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _read_table(path: Path) -> dict[str, Any]:
    if path.is_dir():
        hint = f"Did you mean {path / 'incident.toml'}?"
        raise UsageError("INC001", f"{path} is a folder.", hint, stage=_STAGE)
    try:
        text = read_text_limited(path, INCIDENT_CAP_BYTES)
    except UsageError as error:
        raise UsageError("INC001", error.message, error.hint, stage=_STAGE) from error
    if path.is_symlink() and not _is_inside(path, path.parent):
        raise UsageError(
            "INC001", f"{path} is a link that leads out of its folder.", "Copy it.", stage=_STAGE
        )
    if _nesting(text) > _DEPTH_CAP:
        raise UsageError("INC002", f"{path} is nested too deeply.", "Keep it flat.", stage=_STAGE)
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise UsageError(
            "INC002", f"{path} is not TOML: {error}.", "Mend that line.", stage=_STAGE
        ) from error


def _nesting(text: str) -> int:
    depth = deepest = 0
    for letter in text:
        depth += (letter in "[{") - (letter in "]}")
        deepest = max(deepest, depth)
    dotted = max((line.split("=", 1)[0].count(".") for line in text.splitlines()), default=0)
    return max(deepest, dotted)


def _incident(table: dict[str, Any], where: str) -> Incident:
    _check_keys(table, where)
    values = {key: FIELDS[key](table[key], _problem(where, key)) for key in FIELDS if key in table}
    values["facts"] = _facts(table, where)
    _check_missing(values, where)
    _check_contradictions(values, table, where)
    return Incident(**values)


def _problem(where: str, key: str) -> Problem:
    def problem(code: str, message: str, hint: str) -> UsageError:
        return UsageError(code, f"In {where}, {key} {message}.", hint, stage=_STAGE)

    return problem


def _facts(table: dict[str, Any], where: str) -> dict[str, Any]:
    facts = table.get("facts", {})
    if not isinstance(facts, dict):
        raise _problem(where, "facts")("INC005", "must be a table", "Write [facts] on a line of its own.")
    measured = {key: table[key] for key in table if key in MEASURED_KEYS and key != "facts"}
    both = facts | measured
    return {key: plain_facts(both[key], _problem(where, key)) for key in sorted(both)}


def _check_keys(table: dict[str, Any], where: str) -> None:
    known = sorted(set(FIELDS) | MEASURED_KEYS)
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key[:100].lower(), known, 1, 0.0)[0]
            message = f"In {where}, the key {ascii(key)[:80]} is not known"
            raise UsageError(
                "INC003", f"{message}; the nearest is {near}.", f"Did you mean {near}?", stage=_STAGE
            )


def _check_missing(values: dict[str, Any], where: str) -> None:
    for key in ("id", "broken", "fixed"):
        if key not in values:
            raise UsageError("INC004", f"In {where}, {key} is missing.", f'Add {key} = "…".', stage=_STAGE)
    if not any(values.get(key) for key in _SOURCES):
        hint = 'Add package = "…", repository = "…" or directories = true.'
        raise UsageError("INC004", f"In {where}, the source is missing.", hint, stage=_STAGE)


def _check_contradictions(values: dict[str, Any], table: dict[str, Any], where: str) -> None:
    given = [key for key in _SOURCES if values.get(key)]
    if len(given) > 1:
        raise _contradiction(where, f"{' and '.join(given)} are given together", "Keep one source.")
    if "reproducer" in table and "test" in table:
        raise _contradiction(where, "reproducer and test are given together", "Keep one of them.")
    for one, other in (("broken", "fixed"), ("attempt", "broken"), ("attempt", "fixed")):
        if one in values and values[one] == values[other]:
            raise _contradiction(
                where, f"{one} and {other} are both {ascii(values[one])[:80]}", "Name two sides."
            )
    form = RELEASE if values.get("package") else REVISION if values.get("repository") else None
    for side in ("broken", "fixed", "attempt"):
        if form is not None and side in values:
            form(values[side], _problem(where, side))


def _contradiction(where: str, message: str, hint: str) -> UsageError:
    return UsageError("INC007", f"In {where}, {message}.", hint, stage=_STAGE)


def _check_paths(incident: Incident, folder: Path, where: str) -> None:
    if incident.directories:
        for side in ("broken", "fixed", "attempt"):
            name = getattr(incident, side)
            if name is not None:
                _check_inside(folder / name, folder, side, where)
                _check_folder(folder / name, side, where)
    if incident.test is None:
        _check_inside(folder / incident.reproducer, folder, "reproducer", where)
        read_reproducer(incident, folder)
    else:
        _check_inside(folder / incident.test.split("::")[0], folder, "test", where)


def _check_folder(path: Path, side: str, where: str) -> None:
    if not path.is_dir():
        message = f"In {where}, {side} names {path}, which is no folder."
        raise UsageError("INC006", message, "Give a folder beside the file.", stage=_STAGE)


def _is_inside(path: Path, folder: Path) -> bool:
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):
        return False


def _check_inside(path: Path, folder: Path, key: str, where: str) -> None:
    if not _is_inside(path, folder) or path.resolve() == folder.resolve():
        message = f"In {where}, {key} leads out of the incident's folder."
        hint = "Give a relative path of something that lies beside incident.toml; links out are refused."
        raise UsageError("INC008", message, hint, stage=_STAGE)
