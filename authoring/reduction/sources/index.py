"""The index of a version: what each reachable module binds at its top level, and where."""

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import libcst as cst

from authoring.model.errors import RefusedError
from authoring.reduction.sources.chunks import split
from authoring.reduction.sources.evidence import Executed
from authoring.reduction.sources.roots import Native, Roots, SourceFile, read_source
from authoring.reduction.sources.scan import ImportName, Scan, scan
from authoring.reduction.sources.specialise import Branches, specialise

__all__ = ["Index", "Module", "Unit"]

_DEFINITION = re.compile(r"(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)")
_BLANK_LINES = re.compile(r"\A(?:[ \t\f]*(?:#[^\n]*)?\n)*")
_TABLE = re.compile(r"([A-Za-z_]\w*)[ \t]*=[ \t]*[\[{\"'0-9]")


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """A top-level statement of a module, conditions resolved: the grain of what is kept."""

    module: str
    index: int
    line: int
    """Its first line in the file."""
    text: str
    binds: tuple[str, ...]
    kind: str
    """``definition``, ``import``, ``table`` (one name bound to a long literal, not yet analysed) or ``other``."""
    forced: bool
    """Whether it was chosen without having run."""

    @property
    def scan(self) -> Scan:
        """The analysis of its text."""
        return scan(self.text)


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """A module's top level."""

    source: SourceFile
    units: tuple[Unit, ...]
    bindings: Mapping[str, tuple[Unit, ...]]
    """The units that bind a name by anything but an import."""
    imports: Mapping[str, tuple[tuple[Unit, ImportName], ...]]
    stars: tuple[tuple[Unit, ImportName], ...]
    at_import: frozenset[int] | None
    """Lines that ran while it was imported; None where nothing was recorded."""
    in_calls: frozenset[int]

    @property
    def name(self) -> str:
        """The dotted name."""
        return self.source.name

    def absolute(self, item: ImportName) -> str:
        """Return the dotted module that an import statement of this module names."""
        if not item.level:
            return item.module
        parts = self.source.package.split(".")
        base = ".".join(parts[: len(parts) - item.level + 1])
        return f"{base}.{item.module}" if item.module else base


class Index:
    """The modules of one version, read when they are first asked for."""

    def __init__(self, folders: Sequence[Path], executed: Executed) -> None:
        self.roots = Roots(folders)
        self.executed = executed
        self._modules: dict[str, Module | None] = {}

    def module(self, name: str) -> Module | None:
        """Return a module of the version; None where it has none of that name that is Python text.

        Raises :class:`RefusedError` RED001 where its text cannot be read as Python.
        """
        if name not in self._modules:
            source = self.roots.find(name)
            self._modules[name] = self._read(source) if isinstance(source, SourceFile) else None
        return self._modules[name]

    def is_module(self, name: str) -> bool:
        """Tell whether a dotted name is a module or a folder of modules of this version."""
        return isinstance(self.roots.find(name), SourceFile) or self.roots.is_folder(name)

    def read(self) -> list[Module]:
        """Return the modules that were read so far, by name."""
        return [module for _, module in sorted(self._modules.items()) if module is not None]

    def _read(self, source: SourceFile) -> Module:
        try:
            return self._indexed(source, read_source(source.path))
        except (cst.ParserSyntaxError, UnicodeDecodeError, LookupError) as error:
            raise RefusedError(
                "RED001",
                f"{source.file} cannot be read as Python: {str(error).splitlines()[0]}.",
                "Choose releases whose files the supported Pythons can import.",
                stage="reduce",
                proof=source.file,
            ) from error

    def _indexed(self, source: SourceFile, text: str) -> Module:
        at_import, in_calls = self.executed.of(source.file)
        ran = None if at_import is None else at_import | in_calls
        branches = Branches(ran, lambda item: self._is_missing(source, item))
        units: list[Unit] = []
        for chunk in split(text):
            for piece in specialise(chunk, branches):
                unit = _unit(source.name, len(units), piece.line, piece.text, piece.forced)
                if piece.forced or ran is None or _has_run(unit, ran):
                    units.append(unit)
        return _module(source, tuple(units), at_import, in_calls)

    def _is_missing(self, source: SourceFile, item: ImportName) -> bool:
        name = Module(source, (), {}, {}, (), None, frozenset()).absolute(item)
        candidates = [name, f"{name}.{item.attribute}"] if item.is_from else [name]
        if any(isinstance(self.roots.find(candidate), Native) for candidate in candidates):
            return True
        if name.partition(".")[0] in sys.stdlib_module_names:
            return False
        known = self.is_module(name)
        return not known and self.executed.of(source.file)[0] is None


def _unit(module: str, index: int, line: int, text: str, forced: bool) -> Unit:
    head = text
    while head.startswith("@"):
        head = _after_decorator(head)
    definition = _DEFINITION.match(head)
    if definition:
        return Unit(module, index, line, text, (definition[1],), "definition", forced)
    table = _TABLE.match(text)
    if table and text.count("\n") > 20 and "=" not in _first_line_rest(text, table.end()):
        return Unit(module, index, line, text, (table[1],), "table", forced)
    found = scan(text)
    is_import = text.startswith(("import", "from")) and bool(found.imports)
    return Unit(module, index, line, text, found.binds, "import" if is_import else "other", forced)


def _first_line_rest(text: str, start: int) -> str:
    return text[start : text.index("\n", start)]


def _after_decorator(text: str) -> str:
    """Return the text after the first decorator: it ends with the first line break outside brackets."""
    first = split(text[1:])[0].text
    return _BLANK_LINES.sub("", text[1 + len(first) :], count=1)


def _has_run(unit: Unit, ran: frozenset[int]) -> bool:
    """Tell whether any line of the statement ran."""
    return not ran.isdisjoint(range(unit.line, unit.line + unit.text.count("\n")))


def _module(
    source: SourceFile, units: tuple[Unit, ...], at_import: frozenset[int] | None, in_calls: frozenset[int]
) -> Module:
    bindings: dict[str, list[Unit]] = {}
    imports: dict[str, list[tuple[Unit, ImportName]]] = {}
    stars: list[tuple[Unit, ImportName]] = []
    for unit in units:
        if unit.kind == "definition":
            bindings.setdefault(unit.binds[0], []).append(unit)
            continue
        found = None if unit.kind == "table" else unit.scan
        top = [] if found is None else [item for item in found.imports if item.scope.kind == "module"]
        for item in top:
            if item.name == "*":
                stars.append((unit, item))
            else:
                imports.setdefault(item.name, []).append((unit, item))
        for name in unit.binds:
            if found is None or name in found.scope.assigned:
                bindings.setdefault(name, []).append(unit)
    return Module(
        source,
        units,
        {name: tuple(found_units) for name, found_units in bindings.items()},
        {name: tuple(found_items) for name, found_items in imports.items()},
        tuple(stars),
        at_import,
        in_calls,
    )
