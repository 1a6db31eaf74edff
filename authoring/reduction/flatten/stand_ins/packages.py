"""Whole packages of others for which texts of our own stand in: what programs use of them, in a few plain lines.

A text is used only where every release gives the same answers with it.
"""

from importlib import resources
from pathlib import Path

from authoring.model.digest import value_digest
from authoring.system.files import publish_tree, read_tree

__all__ = ["with_stand_ins"]

_PARTS = ("validators", "converters", "setters", "filters", "exceptions")
_PACKAGES: dict[tuple[str, ...], dict[str, str]] = {
    ("attr", "attrs"): {
        "attr/__init__.py": "attr.txt",
        "attrs/__init__.py": "attrs.txt",
        **{f"{top}/{part}.py": f"{part}.txt" for top in ("attr", "attrs") for part in _PARTS},
    }
}
"""By the import packages of a distribution: the files in their place, and the texts that they hold."""


def with_stand_ins(folder: Path, cache: Path) -> Path:
    """Return a dependency's folder, or a copy below ``cache`` in which stand-ins take their packages' places."""
    found = [tops for tops in _PACKAGES if any((folder / top).is_dir() for top in tops)]
    if not found:
        return folder
    files = {path: _text(name) for tops in found for path, name in _PACKAGES[tops].items()}
    digest = value_digest([str(folder.resolve()), {path: text.decode() for path, text in files.items()}])
    place = cache / "stand-ins" / digest
    if not place.is_dir():
        gone = tuple(f"{top}/" for tops in found for top in tops)
        rest = {name: data for name, data in read_tree(folder).items() if not name.startswith(gone)}
        publish_tree(place, {**rest, **files})
    return place


def _text(name: str) -> bytes:
    return (resources.files(__package__) / "texts" / name).read_bytes()
