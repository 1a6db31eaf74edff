"""Licence and notices of a release, read from its core metadata and its licence files."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from email.parser import Parser
from email.policy import compat32

__all__ = ["Metadata", "licence_of", "notices_of", "read_metadata"]

_LICENCE_FILE = re.compile(r"(?:licen[cs]e|copying|copyright|notice|unlicense)(?:[._-].*)?", re.IGNORECASE)
_CODE = (".py", ".pyc", ".pyi", ".so", ".c", ".h", ".js", ".json", ".toml", ".cfg", ".html", ".css")
_SHORT = 80
_NOTICE_BYTES = 200_000


@dataclass(frozen=True, slots=True)
class Metadata:
    """The parts of PKG-INFO or METADATA that a task needs."""

    name: str
    version: str
    licence: str
    notice: str
    """Made of the metadata; empty where they state no licence."""
    text: str
    """The whole document, for a release that is laid out without its installer."""


def read_metadata(text: str) -> Metadata:
    """Read a core metadata document; missing fields are empty."""
    message = Parser(policy=compat32).parsestr(text, headersonly=True)
    return Metadata(
        _field(message, "Name"), _field(message, "Version"), licence_of(message), stated_notice(message), text
    )


def _field(message: Message, name: str) -> str:
    value = message.get(name)
    return str(value).strip() if value is not None else ""


def licence_of(message: Message) -> str:
    """Return the licence: the expression, else a short License field, else the classifiers, else its first
    line."""
    expression = _field(message, "License-Expression")
    if _is_told(expression):
        return expression
    field = _field(message, "License")
    lines = [line.strip() for line in field.splitlines() if line.strip()]
    if len(lines) == 1 and _is_told(lines[0]) and len(lines[0]) <= _SHORT:
        return lines[0]
    classifiers = [str(value) for value in message.get_all("Classifier", [])]
    names = [value.rpartition("::")[2].strip() for value in classifiers if value.startswith("License ::")]
    told = [name for name in names if _is_told(name) and name != "OSI Approved"]
    if told:
        return " AND ".join(dict.fromkeys(told))
    return lines[0][:_SHORT] if lines and _is_told(lines[0]) else ""


def stated_notice(message: Message) -> str:
    """Return a notice made of the metadata, for a release that states a licence but carries no licence
    file."""
    licence = licence_of(message)
    if not licence:
        return ""
    lines = [f"{_field(message, 'Name')} {_field(message, 'Version')}"]
    for name in ("Author", "Author-email", "Maintainer", "Home-page"):
        value = " ".join(_field(message, name).split())
        lines += [f"{name}: {value}"] if _is_told(value) else []
    return "\n".join([*lines, f"Licence: {licence}", "The release carries no licence file."]) + "\n"


def _is_told(text: str) -> bool:
    return text.strip().upper() not in {"", "UNKNOWN", "NONE", "N/A"}


def notices_of(files: Mapping[str, bytes], folders: tuple[str, ...]) -> tuple[str, ...]:
    """Return the texts of the licence files directly in ``folders`` (``""`` or ending in ``/``), by path,
    each once."""
    texts = []
    for path in sorted(files):
        folder, name = path[: path.rfind("/") + 1], path[path.rfind("/") + 1 :]
        inside = folder in folders or any(folder.startswith(one + "licenses/") for one in folders)
        if inside and _LICENCE_FILE.fullmatch(name) and not name.lower().endswith(_CODE):
            texts.append(_decoded(files[path][:_NOTICE_BYTES]))
    return tuple(dict.fromkeys(texts))


def _decoded(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n") + "\n"
