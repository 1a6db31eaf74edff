"""The program that asks pip's configured indexes for one release and fetches one archive of it, or for the releases
after one; runs in a process.

``pip download`` builds a source archive to learn its metadata, which runs code of the package. This asks
pip's own finder, with pip's own session and settings, for the links, and stores the best archive as bytes:
nothing of the package is built or run. Arguments: ``fetch``, name, version, Python version (or ``-``), target file,
size bound in bytes; or ``later``, name, version, Python version (or ``-``), most releases. Prints one JSON object with
a ``status``.
"""

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pip._internal.cli.cmdoptions import make_target_python
from pip._internal.commands.download import DownloadCommand
from pip._vendor.packaging.version import InvalidVersion, Version

__all__ = ["main"]

_CHUNK = 1 << 16


def main(verb: str, *arguments: str) -> dict[str, Any]:
    """Do what the verb says; return the answer that is printed."""
    return (later if verb == "later" else fetched)(*arguments)


def fetched(name: str, version: str, python: str, target: str, max_bytes: str) -> dict[str, Any]:
    """Find a release and fetch its archive."""
    try:
        wanted = Version(version)
    except InvalidVersion:
        return {"status": "bad-version"}
    command, options = prepared(python)
    with command.main_context():
        session = command.get_default_session(options)
        silent = watch(session)
        candidates = find(command, options, session, name)
        fitting = [candidate.link for candidate in candidates if candidate.version == wanted]
        if not fitting and silent:
            return {"status": "silent", "reason": silent[0]}
        if not candidates:
            return {"status": "unknown-package"}
        if not fitting:
            versions = sorted({candidate.version for candidate in candidates})
            return {"status": "unknown-version", "versions": [str(one) for one in versions]}
        link = min(fitting, key=preference)
        return fetch(session, link, Path(target), int(max_bytes))


def later(name: str, version: str, python: str, most: str) -> dict[str, Any]:
    """Find the releases after one: the newest of each minor series, those nearest to it first, at most so many."""
    try:
        start = Version(version)
    except InvalidVersion:
        return {"status": "bad-version"}
    command, options = prepared(python)
    with command.main_context():
        session = command.get_default_session(options)
        silent = watch(session)
        candidates = find(command, options, session, name)
    if silent:
        return {"status": "silent", "reason": silent[0]}
    if not candidates:
        return {"status": "unknown-package"}
    found = [candidate.version for candidate in candidates if not candidate.link.is_yanked]
    return {"status": "found", "versions": [str(one) for one in newest_of_series(found, start)[: int(most)]]}


def newest_of_series(versions: Iterable[Version], start: Version) -> list[Version]:
    """Return the newest final release after ``start`` of each series (epoch, major, minor), in their order."""
    newest: dict[tuple[int, int, int], Version] = {}
    for one in sorted(set(versions)):
        if one > start and not one.is_prerelease and one.local is None and one.public != start.public:
            newest[one.epoch, one.major, one.minor] = one
    return list(newest.values())


def prepared(python: str) -> tuple[Any, Any]:
    """Return pip's download command with its options for a Python."""
    command = DownloadCommand("download", "")
    words = ["--no-input", "--no-deps", "--no-binary", ":none:", "--only-binary", ":none:"]
    options, _ = command.parse_args(words if python == "-" else [*words, "--python-version", python])
    return command, options


def find(command: Any, options: Any, session: Any, name: str) -> list[Any]:
    """Return every candidate that fits the target Python's tags, whatever the release says of Python
    versions."""
    finder = command._build_package_finder(
        options=options,
        session=session,
        target_python=make_target_python(options),
        ignore_requires_python=True,
    )
    return list(finder.find_all_candidates(name))


def watch(session: Any) -> list[str]:
    """Make the session note every request that was not answered: pip itself passes over them in silence."""
    silent: list[str] = []
    ask = session.request

    def request(method: str, url: str, *args: Any, **named: Any) -> Any:
        try:
            response = ask(method, url, *args, **named)
        except Exception as error:
            silent.append(type(error).__name__)
            raise
        if response.status_code not in (200, 304, 404, 410):
            silent.append(f"status {response.status_code}")
        return response

    session.request = request
    return silent


def preference(link: Any) -> tuple[int, str]:
    """Order archives: a wheel without compiled code, another wheel, a source archive; then by name."""
    if not link.is_wheel:
        return 2, link.filename
    return (0 if link.filename.endswith("-none-any.whl") else 1), link.filename


def fetch(session: Any, link: Any, target: Path, max_bytes: int) -> dict[str, Any]:
    """Store the archive behind a link and compare it with the digest that the index gave."""
    digest = hashlib.sha256()
    named = link.hash_name if link.hash_name in hashlib.algorithms_guaranteed else None
    stated = hashlib.new(named) if named else None
    size = 0
    try:
        response = session.get(
            link.url_without_fragment, headers={"Accept-Encoding": "identity"}, stream=True
        )
        if response.status_code != 200:
            return {"status": "silent", "reason": f"status {response.status_code}"}
        with target.open("wb") as stream:
            for chunk in chunks(response):
                size += len(chunk)
                if size > max_bytes:
                    return {"status": "too-large", "filename": link.filename}
                stream.write(chunk)
                digest.update(chunk)
                if stated:
                    stated.update(chunk)
    except OSError as error:
        full = error.errno == 28
        return {"status": "full" if full else "silent", "reason": type(error).__name__}
    if stated and stated.hexdigest() != link.hash:
        return {"status": "wrong-digest", "filename": link.filename}
    return {"status": "found", "filename": link.filename, "sha256": digest.hexdigest(), "size": size}


def chunks(response: Any) -> Iterator[bytes]:
    """Yield the body as it came: no transfer encoding is undone, and a local file has no stream of its
    own."""
    raw = response.raw
    if hasattr(raw, "stream"):
        yield from raw.stream(_CHUNK, decode_content=False)
    else:
        yield from iter(lambda: raw.read(_CHUNK), b"")


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(*sys.argv[1:])) + "\n")
