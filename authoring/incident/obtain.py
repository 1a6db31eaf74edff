"""Obtain the trees of an incident: releases, revisions or folders, and the pinned dependencies."""

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from authoring.incident.read import read_reproducer
from authoring.model.errors import UsageError
from authoring.model.incident import Dependency, Incident, Side
from authoring.scenario.lifting import with_fixtures
from authoring.system.files import read_tree
from authoring.system.git import revision_files
from authoring.system.packages import ObtainedTree, obtain_dependency, obtain_files, obtain_release, parse_pin

__all__ = ["Trees", "files_of_side", "obtain", "obtain_reproducer"]

_SIDES: tuple[Side, ...] = ("broken", "attempt", "fixed")
_ASIDE = frozenset(
    [
        "test",
        "tests",
        "testing",
        "doc",
        "docs",
        "example",
        "examples",
        "benchmark",
        "benchmarks",
        "scripts",
        "tools",
    ]
)
"""Top-level names that stray into distributions and are not what is imported."""


@dataclass(frozen=True, slots=True)
class Trees:
    """Every side as files, and what is needed to run it."""

    sides: dict[Side, ObtainedTree]
    """``broken``, ``attempt`` where there is one, ``fixed``."""
    dependencies: tuple[Path, ...]
    """Folders of the unpacked dependencies, in the order of their pins."""
    pins: tuple[Dependency, ...]
    """The pins with the digests of what was obtained."""
    import_name: str


def obtain(incident: Incident, folder: Path, cache: Path, python: str = "") -> Trees:
    """Return the trees of an incident, whose relative paths start at ``folder``.

    ``python`` (``3.12``) chooses among wheels with compiled code. Raises :class:`UsageError` INC024, INC025 and
    INC027, and what the sources raise (unknown package, version or revision, no network).
    """
    sides: dict[Side, ObtainedTree] = {}
    for side in _SIDES:
        label = getattr(incident, side)
        if label is not None:
            sides[side] = _obtain_side(incident, side, folder, cache, python)
    dependencies = tuple(obtain_dependency(pin, cache, python) for pin in incident.dependencies)
    pins = tuple(
        Dependency(name=parse_pin(pin)[0], version=parse_pin(pin)[1], sha256=tree.archive_sha256)
        for pin, tree in zip(incident.dependencies, dependencies, strict=True)
    )
    import_name = incident.import_name or _only_top_level(sides["fixed"], incident)
    _check(sides, incident, import_name)
    return Trees(sides, tuple(tree.path for tree in dependencies), pins, import_name)


def _obtain_side(incident: Incident, side: Side, folder: Path, cache: Path, python: str) -> ObtainedTree:
    label: str = getattr(incident, side)
    if incident.package is not None:
        return obtain_release(incident.package, label, cache, python)
    files = files_of_side(incident, side, folder)
    return obtain_files(files, cache, f"The side {side} ({label})", incident.import_name or "")


def files_of_side(incident: Incident, side: Side, folder: Path) -> dict[str, bytes]:
    """Return all files of a side that is a revision or a folder."""
    label: str = getattr(incident, side)
    if incident.repository is not None:
        return revision_files(folder / incident.repository, label)[1]
    return read_tree(folder / label)


def _only_top_level(tree: ObtainedTree, incident: Incident) -> str:
    names = [name for name in tree.top_levels if name not in _ASIDE and not name.startswith("_")]
    if len(names) == 1:
        return names[0]
    found = ", ".join(names[:6]) or "nothing that is imported"
    hint = f'Add import_name = "{names[0] if names else "…"}".'
    raise UsageError("INC024", f"The fixed side of {incident.id} holds {found}.", hint, stage="capture")


def _check(sides: dict[Side, ObtainedTree], incident: Incident, import_name: str) -> None:
    for side, tree in sides.items():
        top = tree.path / import_name.partition(".")[0]
        compiled = list(tree.path.glob(f"{top.name}.*so"))
        if not (top.is_dir() or top.with_suffix(".py").is_file() or compiled):
            held = ", ".join(tree.top_levels[:6])
            message = f"The {side} side of {incident.id} holds no {import_name} (it holds {held})."
            raise UsageError("INC025", message, "Correct import_name, or the side.", stage="capture")
    if sides["broken"].sha256 == sides["fixed"].sha256:
        message = f"The broken and the fixed side of {incident.id} hold the same files."
        raise UsageError("INC027", message, "Check what the two sides name.", stage="capture")


def obtain_reproducer(incident: Incident, folder: Path) -> tuple[str, str]:
    """Return the reproducer's text, and the pytest node within it that is meant (``""``: the whole text).

    Where the incident names a test, its module is taken from the fixed side of a repository or of folders, else from
    the incident's own folder; what a module of the side asks of conftest files is put at its end. Raises
    :class:`UsageError` INC009 or INC012.
    """
    if incident.test is None:
        return read_reproducer(incident, folder), ""
    path, _, node = incident.test.partition("::")
    if incident.package is None:
        files = files_of_side(incident, "fixed", folder)
        if path not in files:
            message = f"The fixed side of {incident.id} holds no {path}."
            raise UsageError("INC012", message, "Correct the path of the test.", stage="capture")
        above = [str(each / "conftest.py") for each in PurePosixPath(path).parents]
        conftests = [_text(files[each], each) for each in above if each in files]
        return with_fixtures(_text(files[path], path), conftests), node
    return read_reproducer(incident.model_copy(update={"reproducer": path}), folder), node


def _text(data: bytes, path: str) -> str:
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise UsageError("INC009", f"{path} is not UTF-8 text.", "", stage="capture") from error
