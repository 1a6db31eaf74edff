"""Settings from their five places: defaults, pyproject.toml, authoring.toml, the environment, flags."""

import difflib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from authoring.model.configuration import Configuration
from authoring.model.errors import UsageError
from authoring.system.files import read_text_limited

__all__ = ["PREFIX", "Loaded", "load", "setting_names"]

PREFIX = "AUTHORING_"
"""Variables of the environment that begin so are settings, except those in :data:`RESERVED`."""

RESERVED = {
    "AUTHORING_BENCH_CACHE",
    "AUTHORING_DEBUG",
    "AUTHORING_KEY_FILE",
    "AUTHORING_TASK",
    "AUTHORING_WORKSPACE",
}
"""Variables with a meaning of their own, which are no settings."""

_MAX_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings in force, and where each comes from."""

    values: Configuration
    origins: dict[str, str]
    """By dotted name: ``default``, a file's path, a variable's name, or ``flag``."""


def load(
    workspace: Path | None,
    overrides: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Loaded:
    """Return the settings in force for a workspace (or for none).

    ``overrides`` are flags by dotted name (``budget.trials``); None as a value means not given. Raises
    :class:`UsageError`: WSP040 for an unknown setting, with the nearest known name; WSP041 for a value that
    it cannot have; WSP042 for a file that is no TOML.
    """
    values: dict[str, Any] = {}
    origins = dict.fromkeys(setting_names(), "default")
    for origin, given in _sources(
        workspace, overrides or {}, os.environ if environment is None else environment
    ):
        for name, value in given.items():
            _check_known(name, origin)
            values[name] = value
            origins[name] = origin
    return Loaded(_validated(values, origins), origins)


def setting_names() -> list[str]:
    """Return the dotted names of all settings, sorted."""
    return sorted(_types(Configuration))


def _types(model: type[BaseModel], prefix: str = "") -> dict[str, type]:
    found: dict[str, type] = {}
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            found |= _types(kind, f"{prefix}{name}.")
        else:
            found[prefix + name] = kind if isinstance(kind, type) else str
    return found


def _sources(
    workspace: Path | None, overrides: Mapping[str, Any], environment: Mapping[str, str]
) -> list[tuple[str, dict[str, Any]]]:
    sources: list[tuple[str, dict[str, Any]]] = []
    if workspace is not None:
        for filename, table in (("pyproject.toml", ("tool", "authoring")), ("authoring.toml", ())):
            path = workspace / filename
            if path.exists():
                sources.append((str(path), _flat(_table(path, table))))
    for variable in sorted(environment):
        if variable.startswith(PREFIX) and variable not in RESERVED:
            name = _name_of(variable)
            sources.append((variable, {name: _converted(name, environment[variable])}))
    sources.append(("flag", {name: value for name, value in overrides.items() if value is not None}))
    return sources


def _table(path: Path, table: tuple[str, ...]) -> dict[str, Any]:
    try:
        content: Any = tomllib.loads(read_text_limited(path, _MAX_BYTES))
    except tomllib.TOMLDecodeError as error:
        raise UsageError("WSP042", f"{path} is not TOML: {error}.", "Mend that line.") from error
    for word in table:
        content = content.get(word, {}) if isinstance(content, dict) else {}
    return content if isinstance(content, dict) else {}


def _flat(content: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in content.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value
    return flat


def _name_of(variable: str) -> str:
    """Return the setting that a variable names: ``AUTHORING_BUDGET_TRIALS`` is ``budget.trials``."""
    word = variable.removeprefix(PREFIX).lower()
    return next((name for name in setting_names() if name.replace(".", "_") == word), word)


def _converted(name: str, text: str) -> Any:
    """Return a variable's text as the setting's type; what does not convert is left for the check to
    refuse."""
    kind = _types(Configuration).get(name, str)
    if kind is bool:
        return {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}.get(
            text.lower(), text
        )
    try:
        return kind(text)
    except ValueError:
        return text


def _check_known(name: str, origin: str) -> None:
    names = setting_names()
    if name in names:
        return
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"Do you mean {near[0]}?" if near else "`authoring config show` lists the settings."
    raise UsageError("WSP040", f"{origin} sets {ascii(name)[1:-1]}, which is no setting.", hint)


def _validated(values: Mapping[str, Any], origins: Mapping[str, str]) -> Configuration:
    nested: dict[str, Any] = {}
    for name, value in values.items():
        *sections, last = name.split(".")
        place = nested
        for section in sections:
            place = place.setdefault(section, {})
        place[last] = float(value) if _is_whole_rate(name, value) else value
    try:
        return Configuration.model_validate(nested)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        raise UsageError(
            "WSP041",
            f"{origins.get(name, 'A setting')} gives {name} a value that it cannot have: {first['msg']}.",
            "`authoring config show` lists the settings with their values.",
        ) from error


def _is_whole_rate(name: str, value: Any) -> bool:
    return type(value) is int and _types(Configuration).get(name) is float
