"""Interpreters found by version; each is run and asked before it is believed."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from authoring.model.errors import CannotJudgeError

__all__ = ["Interpreter", "available_interpreters", "find_interpreter"]

_QUESTION = """\
import json, os, sys, sysconfig
print(json.dumps({"version": "%d.%d.%d" % sys.version_info[:3], "binary": os.path.realpath(sys.executable),
    "prefix": sys.base_prefix, "library": os.path.dirname(os.__file__), "implementation": sys.implementation.name,
    "release": sys.version_info[3] == "final"}))
"""
_OLDEST = (3, 10)
_ASK_S = 20.0
_OWN = Path(sys.executable)


@dataclass(frozen=True, slots=True)
class Interpreter:
    """An interpreter that answered."""

    version: str
    """Full version, ``3.12.1``."""
    binary: Path
    """The real binary behind links and shims."""
    prefix: Path
    """``sys.base_prefix``."""
    library: Path
    """The folder of the standard library."""

    @property
    def series(self) -> str:
        """Major and minor version, ``3.12``."""
        return ".".join(self.version.split(".")[:2])


def _key(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


@lru_cache(maxsize=256)
def ask(command: Path) -> Interpreter | None:
    """Run an interpreter and return what it says of itself, or None where it does not answer as CPython."""
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": os.environ.get("HOME", "/")}
    try:
        done = subprocess.run(
            [command, "-I", "-S", "-c", _QUESTION],
            capture_output=True,
            timeout=_ASK_S,
            check=True,
            env=environment,
            stdin=subprocess.DEVNULL,
        )
        answer = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    if answer["implementation"] != "cpython" or _key(answer["version"])[:2] < _OLDEST:
        return None
    found = Interpreter(
        answer["version"], Path(answer["binary"]), Path(answer["prefix"]), Path(answer["library"])
    )
    return _real(found)


def _real(found: Interpreter) -> Interpreter:
    """Prefer the binary of the installation to a copy in a virtual environment."""
    binary = found.prefix / "bin" / f"python{found.series}"
    if found.binary.is_relative_to(found.prefix) or not binary.exists():
        return found
    return Interpreter(found.version, binary.resolve(), found.prefix, found.library)


def _roots() -> Iterator[Path]:
    home = Path(os.environ.get("HOME", "/"))
    pyenv = Path(os.environ.get("PYENV_ROOT", home / ".pyenv"))
    data = Path(os.environ.get("XDG_DATA_HOME", home / ".local/share"))
    managed = Path(os.environ.get("UV_PYTHON_INSTALL_DIR", data / "uv/python"))
    for folder in (pyenv / "versions", managed):
        if folder.is_dir():
            yield from sorted(folder.iterdir())


_NAME = re.compile(r"python3\.[0-9]+")


def _candidates() -> Iterator[Path]:
    """Yield what may be an interpreter: the tool's own, version managers' folders, and PATH."""
    yield Path(sys.executable)
    for root in _roots():
        for command in sorted((root / "bin").glob("python3.*")):
            if _NAME.fullmatch(command.name):
                yield command
    for part in os.environ.get("PATH", "").split(os.pathsep):
        folder = Path(part)
        if part and folder.is_absolute() and folder.is_dir():
            yield from (command for command in sorted(folder.glob("python3*")) if _on_path(command.name))


def _on_path(name: str) -> bool:
    return name == "python3" or _NAME.fullmatch(name) is not None


def _hint(command: Path) -> str | None:
    """Return the version that a path claims, to ask only those that can match."""
    if _NAME.fullmatch(command.name):
        return command.name.removeprefix("python")
    return None


def available_interpreters() -> tuple[Interpreter, ...]:
    """Return every interpreter that answers, newest version first, one for each full version."""
    found: dict[str, Interpreter] = {}
    for command in _candidates():
        answer = ask(command)
        if answer is not None:
            found.setdefault(answer.version, answer)
    return tuple(sorted(found.values(), key=lambda one: _key(one.version), reverse=True))


def find_interpreter(version: str = "") -> Interpreter:
    """Return the newest interpreter of a version such as ``3.12`` or ``3.12.1``; empty: the tool's own.

    Raise :class:`CannotJudgeError` where none answers.
    """
    if not version:
        own = ask(_OWN)
        if own is None:
            raise CannotJudgeError("EXE002", "The interpreter that runs the tool does not answer.")
        return own
    if not re.fullmatch(r"[0-9]+(\.[0-9]+){1,2}", version):
        raise CannotJudgeError(
            "EXE002", f"{version[:40]!a} is no version of Python.", "Write it as 3.12 or 3.12.1."
        )
    return _find(version)


@lru_cache(maxsize=64)
def _find(version: str) -> Interpreter:
    series = ".".join(version.split(".")[:2])
    matching = []
    for command in _candidates():
        if _hint(command) in (None, series):
            answer = ask(command)
            if answer is not None and version in (answer.version, answer.series):
                matching.append(answer)
    if not matching:
        raise CannotJudgeError(
            "EXE002",
            f"No Python {version} was found that answers when it is run.",
            f"Install one, for example with `pyenv install {version}` or `uv python install {version}`.",
        )
    return max(matching, key=lambda one: _key(one.version))
