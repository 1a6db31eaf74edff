"""Archives of package releases, obtained with pip's own index machinery in a process of its own."""

import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from authoring.model.digest import sha256_hex
from authoring.model.errors import AuthoringError, CannotJudgeError, UsageError
from authoring.system.files import read_limited, storage

__all__ = ["Archive", "download", "later_releases", "parse_pin"]

_PROGRAM = Path(__file__).with_name("pip_program.py")
_MAX_BYTES = 256 << 20
_TIMEOUT_S = 900
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?", re.ASCII)
_VERSION = re.compile(r"[A-Za-z0-9.!+_-]{1,80}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Archive:
    """A wheel or source archive as it came."""

    filename: str
    data: bytes

    @property
    def sha256(self) -> str:
        """The digest of the bytes, in hex."""
        return sha256_hex(self.data)


def parse_pin(pin: str) -> tuple[str, str]:
    """Return name and version of ``name==version``; raise :class:`UsageError` WSP036 for anything else."""
    name, separator, version = (part.strip() for part in pin.partition("=="))
    if not separator:
        raise _no_pin(pin)
    check_release(name, version)
    return name, version


def check_release(name: str, version: str) -> None:
    """Raise :class:`UsageError` WSP036 unless the texts can be a distribution's name and a version."""
    if not _NAME.fullmatch(name) or not _VERSION.fullmatch(version) or version.startswith("-"):
        raise _no_pin(f"{name}=={version}")


def _no_pin(text: str) -> UsageError:
    return UsageError("WSP036", f"{ascii(text)[:120]} is not a pinned package.", "Write it as name==1.2.3.")


def download(name: str, version: str, python: str = "") -> Archive:
    """Obtain the archive of a release that fits a Python: a pure wheel, else a wheel, else the source
    archive.

    ``python`` is a version such as ``3.12`` (empty: the tool's own). Nothing of the release is built or
    run. Raises :class:`UsageError` WSP030 (package), WSP031 (version), WSP034 (digest, size), WSP036
    (texts) and :class:`CannotJudgeError` WSP032 (no answer from an index), WSP035 (pip), WSP008 (disk).
    """
    check_release(name, version)
    with storage(Path(tempfile.gettempdir())), tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "archive"
        words = ["fetch", name, version, python or "-", str(target), str(_MAX_BYTES)]
        answer = _ask(words, target.parent)
        if answer.get("status") != "found":
            raise _refusal(answer, name, version)
        archive = Archive(str(answer["filename"]), read_limited(target, _MAX_BYTES))
    if archive.sha256 != answer["sha256"]:
        raise CannotJudgeError("WSP009", f"The archive of {name} {version} changed while it was stored.")
    return archive


def later_releases(name: str, version: str, python: str = "", *, most: int) -> tuple[str, ...]:
    """Return the final releases after a version: the newest of each minor series, nearest first, at most ``most``.

    The version's own series counts where it went on. Withdrawn releases, pre-releases and those without an archive
    that fits the Python (``3.12``; empty: the tool's own) are left out. Raises what :func:`download` raises.
    """
    check_release(name, version)
    with storage(Path(tempfile.gettempdir())), tempfile.TemporaryDirectory() as folder:
        answer = _ask(["later", name, version, python or "-", str(most)], Path(folder))
    if answer.get("status") != "found":
        raise _refusal(answer, name, version)
    return tuple(str(one) for one in answer["versions"])


def _ask(arguments: list[str], folder: Path) -> dict[str, Any]:
    words = [sys.executable, "-P", str(_PROGRAM), *arguments]
    try:
        done = subprocess.run(
            words,
            cwd=folder,
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        return {"status": "silent", "reason": f"no answer within {_TIMEOUT_S} s"}
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    try:
        answer = json.loads(lines[-1])
    except (ValueError, IndexError):
        noise = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return {"status": "pip", "reason": noise[-1][:200] if noise else f"exit status {done.returncode}"}
    return answer if isinstance(answer, dict) else {"status": "pip", "reason": "an answer that is no object"}


def _refusal(answer: dict[str, Any], name: str, version: str) -> AuthoringError:
    reason = ascii(answer.get("reason", ""))[1:-1]
    filename = str(answer.get("filename", ""))
    no_archive = "Choose another version."
    refusals: dict[str, AuthoringError] = {
        "unknown-package": UsageError(
            "WSP030", f"No index has a package {name}.", "Check the name's spelling."
        ),
        "unknown-version": UsageError(
            "WSP031", f"{name} has no version {version} for this Python.", _known(answer, version)
        ),
        "silent": CannotJudgeError(
            "WSP032", f"A package index did not answer for {name} ({reason}).", "Check the network."
        ),
        "bad-version": _no_pin(f"{name}=={version}"),
        "too-large": UsageError("WSP034", f"The archive {filename} is too large.", no_archive),
        "wrong-digest": UsageError(
            "WSP034", f"The archive {filename} is not what the index says it is.", no_archive
        ),
        "full": CannotJudgeError("WSP008", "There is no space left for a download.", "Free some space."),
    }
    failed = CannotJudgeError("WSP035", f"Pip failed ({reason}).", "Run: python -m ensurepip --upgrade")
    return refusals.get(str(answer.get("status")), failed)


def _known(answer: dict[str, Any], version: str) -> str:
    versions = [str(one) for one in answer.get("versions", [])]
    near = get_close_matches(version, versions, n=5, cutoff=0.0)
    return f"Versions near it: {', '.join(near)}." if near else "Look at its releases."
