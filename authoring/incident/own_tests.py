"""Read the project's own tests: from its repository, from the disk, or out of the release that is tested."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from authoring.incident.obtain import files_of_side
from authoring.model.digest import sha256_hex, tree_digest
from authoring.model.errors import UsageError
from authoring.model.incident import Incident
from authoring.system.files import read_limited, read_tree
from authoring.system.packages import parse_pin

__all__ = ["OwnTests", "no_tests", "read_tests"]

_CAP_BYTES = 64 << 20
_BESIDE = "conftest.py"


@dataclass(frozen=True, slots=True)
class OwnTests:
    """Tests whose calls are to be recorded."""

    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    """What is copied into the box, by path."""
    copied: tuple[str, ...] = ()
    """The files and folders among them that hold the tests."""
    inside: tuple[str, ...] = ()
    """Files and folders of the release itself that hold tests."""
    pins: tuple[str, ...] = ()
    """What the tests import beside the package and its dependencies, ``name==version``."""

    def __bool__(self) -> bool:
        return bool(self.copied or self.inside)

    @property
    def facts(self) -> list[object]:
        """What another command's tests differ by, as JSON data."""
        digests = tree_digest(dict(self.files)) if self.files else sha256_hex(b"")
        return [digests, list(self.copied), list(self.inside), list(self.pins)] if self else []


def read_tests(names: Sequence[str], pins: Sequence[str], incident: Incident, folder: Path) -> OwnTests:
    """Return the tests of these names, files or folders.

    Those of a repository or of folders are looked for on the fixed side, then on the disk; else on the disk, then in
    the release, where whoever obtains it looks. Raises :class:`UsageError` INC013 where there is none, WSP036 for a
    pin of another form.
    """
    files: dict[str, bytes] = {}
    copied: list[str] = []
    inside: list[str] = []
    side = files_of_side(incident, "fixed", folder) if names and incident.package is None else {}
    for name in names:
        found = (_of_side(side, name) or _of_disk(Path(name))) if name else None
        if found is not None:
            place, texts = found
            files |= texts
            copied.append(place)
        elif incident.package is not None and _is_inside(name):
            inside.append(PurePosixPath(name).as_posix())
        else:
            raise no_tests(name)
    for pin in pins:
        parse_pin(pin)
    return OwnTests(files, tuple(copied), tuple(inside), tuple(pins))


def no_tests(name: str) -> UsageError:
    """Return the error that there are no tests of a name."""
    return UsageError(
        "INC013",
        f"There are no tests at {ascii(name)[:120]}.",
        "Give a file or folder of tests: of the fixed side, on the disk, or inside the release.",
        stage="capture",
    )


def _of_side(side: Mapping[str, bytes], name: str) -> tuple[str, dict[str, bytes]] | None:
    """Return the path of tests on a side and their files, with what configures them in the folders above."""
    place = PurePosixPath(name)
    texts = {path: data for path, data in side.items() if PurePosixPath(path).is_relative_to(place)}
    above = [(parent / _BESIDE).as_posix() for parent in place.parents]
    return (place.as_posix(), texts | {path: side[path] for path in above if path in side}) if texts else None


def _of_disk(path: Path) -> tuple[str, dict[str, bytes]] | None:
    """Return the name of tests on the disk and their files; a file alone, with what configures it beside it."""
    if path.is_dir():
        name = path.resolve().name
        return name, {f"{name}/{inner}": data for inner, data in read_tree(path, _CAP_BYTES).items()}
    if not path.is_file():
        return None
    beside = [path, path.with_name(_BESIDE)]
    return path.name, {one.name: read_limited(one, _CAP_BYTES) for one in beside if one.is_file()}


def _is_inside(name: str) -> bool:
    place = PurePosixPath(name)
    return bool(place.parts) and not place.is_absolute() and ".." not in place.parts
