"""Say what a name means: which definition of which module, through imports, re-exports, stars and module attributes."""

import builtins
import re
from dataclasses import dataclass

import libcst as cst

from authoring.reduction.flatten.stand_ins import StandIn, is_stand_in_module, stand_in
from authoring.reduction.sources.index import Index, Module, Unit
from authoring.reduction.sources.roots import SourceFile, module_of, read_source
from authoring.reduction.sources.scan import ImportName, Scope, Use
from authoring.reduction.sources.tree import descendants

__all__ = [
    "Builtin",
    "DataReader",
    "Defined",
    "External",
    "Loader",
    "ModuleObject",
    "Resolution",
    "Resolver",
    "Special",
    "Target",
    "Unbound",
]

_BUILTINS = frozenset(dir(builtins)) | {"__class__", "WindowsError", "__builtins__", "__debug__"}
_SPECIAL = frozenset({"__name__", "__package__", "__file__", "__doc__", "__path__", "__spec__", "__loader__"})


@dataclass(frozen=True, slots=True, order=True)
class Defined:
    """A name of a module's top level."""

    module: str
    name: str


@dataclass(frozen=True, slots=True, order=True)
class ModuleObject:
    """A module of the version as an object."""

    module: str


@dataclass(frozen=True, slots=True, order=True)
class External:
    """A module that is imported from elsewhere, or one of its attributes."""

    module: str
    attribute: str
    name: str
    """The name that it was bound to."""


@dataclass(frozen=True, slots=True, order=True)
class Builtin:
    """A built-in name."""

    name: str


@dataclass(frozen=True, slots=True, order=True)
class Special:
    """A module attribute such as ``__name__``, which has a value before anything is bound."""

    module: str
    name: str


@dataclass(frozen=True, slots=True, order=True)
class Unbound:
    """A name that nothing binds."""

    name: str


@dataclass(frozen=True, slots=True, order=True)
class Loader:
    """What loads a module whose name is known only when it runs: ``import_module`` or ``__import__``."""

    name: str


@dataclass(frozen=True, slots=True, order=True)
class DataReader:
    """What reads a data file beside the modules: of ``importlib.resources``, ``pkgutil``, ``pathlib``, or ``open``."""

    name: str


Resolution = Defined | ModuleObject | External | Builtin | Special | Unbound | Loader | DataReader


@dataclass(frozen=True, slots=True)
class Target:
    """What a use means, and how many of the attributes that follow belong to it."""

    meaning: Resolution
    consumed: int


class Resolver:
    """Resolution of names in one version."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.finds_data = False
        """Whether modules find data files by where they lie, in any version."""
        self._names: dict[tuple[str, str], Resolution] = {}
        self._uses: dict[tuple[str, Use], Target] = {}

    def name(self, module: Module, name: str) -> Resolution:
        """Return what a name means at the top level of a module."""
        key = (module.name, name)
        if key not in self._names:
            self._names[key] = Unbound(name)
            self._names[key] = self._find(module, name)
        return self._names[key]

    def attribute(self, module_name: str, name: str) -> Resolution | None:
        """Return what an attribute of a module means, or None where the module binds no such name."""
        known = stand_in(module_name, name)
        if known is not None:
            return _standing(known)
        module = self.index.module(module_name)
        if module is not None:
            found = self.name(module, name)
            if not isinstance(found, Builtin | Unbound):
                return found
            if name in module.bindings:
                return Defined(module_name, name)
        inner = f"{module_name}.{name}"
        if self.is_module(inner):
            return ModuleObject(inner)
        return self._made_on_demand(module, name) if module is not None else None

    def _made_on_demand(self, module: Module, name: str) -> Resolution | None:
        """Return what a module's ``__getattr__`` gives, its own or that of the object which stands for the module.

        It is the one definition of that name in a module that ran.
        """
        module_name = module.name
        if "__getattr__" not in read_source(module.source.path):
            return None
        pattern = re.compile(rf"^(?:(?:async[ \t]+)?def|class)[ \t]+{name}\b|^{name}[ \t]*[:=]", re.MULTILINE)
        found: list[Resolution] = []
        for file in self.index.executed.files():
            other = self.index.roots.find(module_of(file))
            if not isinstance(other, SourceFile) or other.name == module_name or other.file != file:
                continue
            inside = other.name.startswith(module_name.partition(".")[0] + ".")
            if inside and pattern.search(read_source(other.path)):
                meaning = self.attribute(other.name, name)
                found.extend([meaning] if meaning is not None else [])
        return found[0] if len(set(found)) == 1 else None

    def is_module(self, name: str) -> bool:
        """Tell whether a dotted name is a module of the version, or one that stand-ins make up for."""
        return self.index.is_module(name) or is_stand_in_module(name)

    def imported(self, module: Module, item: ImportName) -> Resolution:
        """Return what an import binds."""
        name = module.absolute(item)
        if not item.is_from:
            top = name if item.renamed else name.partition(".")[0]
            return ModuleObject(top) if self.is_module(top) else External(top, "", item.name)
        if not self.is_module(name):
            return External(name, item.attribute, item.name)
        found = self.attribute(name, item.attribute)
        return Unbound(item.attribute) if found is None else found

    def use(self, module: Module, unit: Unit, use: Use) -> Target:
        """Return what a use means."""
        key = (module.name, use)
        if key not in self._uses:
            self._uses[key] = self._follow(self._base(module, unit, use), use)
        return self._uses[key]

    def local_import(self, module: Module, unit: Unit, scope: Scope, name: str) -> Resolution | None:
        """Return what a name means that only imports inside a function or class bind; None where they are not ours."""
        items = [item for item in unit.scan.imports if item.scope is scope and item.name == name]
        found = [self.imported(module, item) for item in items]
        ours = [meaning for meaning in found if not isinstance(meaning, External)]
        return ours[-1] if ours and len(ours) == len(found) else None

    def exports(self, module: Module, name: str) -> bool:
        """Tell whether a star import of the module may bind the name."""
        listed = self.listed(module)
        return not name.startswith("_") if listed is None else name in listed

    def listed(self, module: Module) -> list[str] | None:
        """Return the names in a module's ``__all__`` as far as they can be read from its text, or None."""
        units = module.bindings.get("__all__")
        if units is None:
            return None
        names: list[str] = []
        for unit in units:
            for node in unit.scan.module.body:
                names.extend(_texts(node))
                names.extend(self._listed_elsewhere(module, unit))
        return names

    def _listed_elsewhere(self, module: Module, unit: Unit) -> list[str]:
        names: list[str] = []
        for use in unit.scan.uses:
            if use.chain and use.chain[-1].attr.value == "__all__":
                target = self.use(module, unit, use).meaning
                other = (
                    self.index.module(target.module) if isinstance(target, Defined | ModuleObject) else None
                )
                names.extend(
                    (self.listed(other) if other is not None and other is not module else None) or []
                )
        return names

    def _find(self, module: Module, name: str) -> Resolution:
        if name in module.bindings:
            return Defined(module.name, name)
        if name in module.imports:
            return self.imported(module, module.imports[name][-1][1])
        for _, item in reversed(module.stars):
            other = self.index.module(module.absolute(item))
            if other is not None and self.exports(other, name):
                found = self.name(other, name)
                if not isinstance(found, Builtin | Unbound | Special):
                    return found
        if name in _SPECIAL:
            return Special(module.name, name)
        if module.source.is_package and self.index.is_module(f"{module.name}.{name}"):
            return ModuleObject(f"{module.name}.{name}")
        if name in _BUILTINS:
            return Builtin(name)
        for _, item in reversed(module.stars):
            if not self.index.is_module(module.absolute(item)):
                return External(module.absolute(item), name, name)
        return Unbound(name)

    def _base(self, module: Module, unit: Unit, use: Use) -> Resolution:
        if use.role == "module":
            return ModuleObject(module.name)
        if use.home.kind == "module":
            found = self.name(module, use.name)
            if isinstance(found, Defined) and self._is_before_binding(module, unit, use):
                return Builtin(use.name)
            is_written = use.role in ("store", "declare")
            return (
                Defined(module.name, use.name)
                if is_written and isinstance(found, Unbound | Builtin)
                else found
            )
        return self.local_import(module, unit, use.home, use.name) or Unbound(use.name)

    def _is_before_binding(self, module: Module, unit: Unit, use: Use) -> bool:
        """Tell whether a built-in name is read before the module binds it (``next = getattr(x, "next", next)``)."""
        if use.name not in _BUILTINS or use.deferred or use.role != "load":
            return False
        return all(other.index >= unit.index for other in module.bindings.get(use.name, ()))

    def _follow(self, meaning: Resolution, use: Use) -> Target:
        consumed = 0
        for attribute in use.chain:
            if not isinstance(meaning, ModuleObject):
                break
            last = consumed == len(use.chain) - 1
            found = self.attribute(meaning.module, attribute.attr.value)
            if found is None and last and use.chain_role == "store":
                found = Defined(meaning.module, attribute.attr.value)
            if found is None:
                break
            meaning, consumed = found, consumed + 1
        if isinstance(meaning, External):
            return self._known_function(meaning, use, consumed)
        if meaning == Builtin("__import__"):
            return Target(Loader("__import__"), consumed)
        if meaning == Builtin("open") and self.finds_data and use.role == "load":
            return Target(DataReader("open"), consumed)
        return Target(meaning, consumed)

    def _known_function(self, meaning: External, use: Use, consumed: int) -> Target:
        """Return a function of the standard library that loads modules or reads data as what it is."""
        known = _WITH_PATHS if self.finds_data else _FUNCTIONS
        dotted = meaning.module + (f".{meaning.attribute}" if meaning.attribute else "")
        for count in range(consumed, len(use.chain) + 1):
            if count > consumed:
                dotted += f".{use.chain[count - 1].attr.value}"
            if dotted in known:
                return Target(known[dotted], count)
            if self.finds_data and dotted == "pathlib.Path" and _is_called(use, count):
                return Target(DataReader("Path"), count)
        return Target(meaning, consumed)


def _is_called(use: Use, count: int) -> bool:
    """Return whether what a use names with so many of its attributes is what a call calls."""
    named = use.chain[count - 1] if count else use.node
    return any(isinstance(node, cst.Call) and node.func is named for node in descendants(use.statement))


_FUNCTIONS: dict[str, Resolution] = {
    "importlib.import_module": Loader("import_module"),
    "importlib.metadata.version": DataReader("version"),
    "importlib_metadata.version": DataReader("version"),
    "pkgutil.get_data": DataReader("get_data"),
    "pkg_resources.resource_string": DataReader("get_data"),
    "pkg_resources.resource_stream": DataReader("open_binary"),
}
for _name in ("read_text", "read_binary", "open_text", "open_binary", "files", "path", "as_file"):
    _FUNCTIONS[f"importlib.resources.{_name}"] = DataReader(_name)
    _FUNCTIONS[f"importlib_resources.{_name}"] = DataReader(_name)


_WITH_PATHS: dict[str, Resolution] = {
    **_FUNCTIONS,
    "io.open": DataReader("open"),
    "codecs.open": DataReader("codecs_open"),
    "os.path.exists": DataReader("exists"),
    "os.path.getmtime": DataReader("getmtime"),
    "os.path.getsize": DataReader("getsize"),
    "os.path.isfile": DataReader("is_file"),
    "os.stat": DataReader("stat"),
}


def _standing(known: StandIn) -> Resolution:
    if known.module == "builtins" and known.attribute:
        return Builtin(known.attribute)
    return External(known.module, known.attribute, known.attribute or known.module.partition(".")[0])


def _texts(node: cst.CSTNode) -> list[str]:
    """Return the literal strings of a statement such as ``__all__ = ["a", "b"]``."""
    if isinstance(node, cst.SimpleString):
        value = node.evaluated_value
        return [value] if isinstance(value, str) else []
    return [text for child in node.children for text in _texts(child)]
