"""Folders of packages without their compiled parts, so that what stands in for these in Python runs."""

from pathlib import Path

from authoring.model.digest import sha256_hex
from authoring.system.files import publish_tree, read_tree

__all__ = ["without_extensions"]

_SUFFIXES = (".so", ".pyd", ".dylib")


def without_extensions(folder: Path, cache: Path) -> Path:
    """Return the folder, or a copy below ``cache`` that lacks its compiled modules; of one folder always the same."""
    if not any(path.name.endswith(_SUFFIXES) for path in folder.rglob("*") if path.is_file()):
        return folder
    place = cache / "pure" / sha256_hex(str(folder.resolve()).encode("utf-8", "surrogateescape"))
    if not place.is_dir():
        files = {name: data for name, data in read_tree(folder).items() if not name.endswith(_SUFFIXES)}
        publish_tree(place, files)
    return place
