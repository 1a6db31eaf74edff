"""Find the file of a dotted module below the folders of a version."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Native", "Roots", "SourceFile", "module_of", "read_source"]

_FIELD = re.compile(r"^(Name|Version):[ \t]*(\S+)", re.MULTILINE)
_CODING = re.compile(rb"\A(?:[^\n]*\n)?[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_NATIVE = (".so", ".pyd")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A module that is Python text."""

    name: str
    """Dotted name."""
    path: Path
    file: str
    """The path relative to its root with forward slashes: how a trace names it."""
    is_package: bool

    @property
    def package(self) -> str:
        """What ``__package__`` is inside the module."""
        return self.name if self.is_package else self.name.rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class Native:
    """A module that exists only as a compiled extension."""

    name: str


class Roots:
    """The folders that are searched for modules, in order: a version's tree, then its dependencies."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)
        self._found: dict[str, SourceFile | Native | None] = {}
        self._are_folders: dict[str, bool] = {}

    def find(self, name: str) -> SourceFile | Native | None:
        """Return the module of that dotted name, or None where no folder holds it (the standard library, say)."""
        if name not in self._found:
            self._found[name] = self._search(name)
        return self._found[name]

    def is_folder(self, name: str) -> bool:
        """Tell whether a dotted name is a folder without ``__init__.py`` that holds modules."""
        if name not in self._are_folders:
            paths = (folder.joinpath(*name.split(".")) for folder in self._folders)
            self._are_folders[name] = any(path.is_dir() and any(path.glob("**/*.py")) for path in paths)
        return self._are_folders[name]

    def distributions(self) -> dict[str, str]:
        """Return the versions of the distributions whose metadata lie in the folders, by name as written."""
        found: dict[str, str] = {}
        for folder in self._folders:
            for path in sorted([*folder.glob("*.dist-info/METADATA"), *folder.glob("*.egg-info/PKG-INFO")]):
                fields = dict(
                    _FIELD.findall(path.read_text(encoding="utf-8", errors="replace").partition("\n\n")[0])
                )
                found.setdefault(fields.get("Name", ""), fields.get("Version", ""))
                found.setdefault(fields.get("Name", "").lower(), fields.get("Version", ""))
        return dict(sorted(found.items()))

    def _search(self, name: str) -> SourceFile | Native | None:
        for folder in self._folders:
            base = folder.joinpath(*name.split("."))
            for path, is_package in (
                (base / "__init__.py", True),
                (base.with_name(base.name + ".py"), False),
            ):
                if path.is_file():
                    return SourceFile(name, path, path.relative_to(folder).as_posix(), is_package)
            if base.parent.is_dir() and any(
                path.name.startswith(base.name + ".") and path.suffix in _NATIVE
                for path in base.parent.iterdir()
            ):
                return Native(name)
        return None


def module_of(file: str) -> str:
    """Return the dotted name of the module in a file, given relative to its root."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def read_source(path: Path) -> str:
    """Return a module's text with plain line breaks; ``UnicodeDecodeError`` or ``LookupError`` on a bad encoding."""
    data = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    declared = _CODING.match(data)
    text = data.decode(declared[1].decode("ascii") if declared else "utf-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")
