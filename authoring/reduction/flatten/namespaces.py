"""Stand-ins for modules that the package uses as objects, and for what loads modules by name."""

from collections.abc import Iterable, Mapping, Sequence

from authoring.reduction.flatten.grow import Growth
from authoring.reduction.flatten.names import Named
from authoring.reduction.flatten.resolve import Defined, External, Loader, ModuleObject
from authoring.reduction.flatten.version import Version
from authoring.reduction.sources.index import Unit

__all__ = ["loader_texts", "loader_things", "namespace_places", "namespace_text", "namespace_things"]

_TYPES = External("types", "", "types")
_IMPORTLIB = External("importlib", "", "importlib")
_TABLE = Loader("MODULES")


def namespace_things(growth: Growth, version: Version) -> Iterable[Named]:
    """Yield what the stand-ins of modules need a name for."""
    for module in _modules(growth, version):
        yield ModuleObject(module)
        yield _TYPES
        for name in _carried(growth, version, module):
            found = version.resolver.attribute(module, name)
            if isinstance(found, External):
                yield found


def namespace_places(growth: Growth, version: Version, units: Sequence[Unit]) -> dict[int, list[str]]:
    """Return after which statement each module's stand-in is made: the last one of what it carries, or -1."""
    places: dict[int, list[str]] = {}
    for module in _modules(growth, version):
        carried = {version.resolver.attribute(module, name) for name in _carried(growth, version, module)}
        binding = [
            position
            for position, unit in enumerate(units)
            if any(Defined(unit.module, name) in carried for name in unit.binds)
        ]
        places.setdefault(max(binding, default=-1), []).append(module)
    return places


def namespace_text(growth: Growth, version: Version, module: str, names: Mapping[Named, str]) -> str:
    """Return the statement that makes a module's stand-in, and enters it among those that are loaded by name."""
    pairs = [f"__name__={module!r}"]
    for name in _carried(growth, version, module):
        found = version.resolver.attribute(module, name)
        if isinstance(found, Defined | External | ModuleObject) and found in names:
            pairs.append(f"{name}={names[found]}")
    own = names[ModuleObject(module)]
    text = f"{own} = {names[_TYPES]}.SimpleNamespace({', '.join(pairs)})\n"
    if module in growth.loadable(version) and _TABLE in names:
        text += f"{names[_TABLE]}[{module!r}] = {own}\n"
    return text


def loader_things(loaders: Sequence[Loader]) -> Iterable[Named]:
    """Yield what the loading by name needs a name for."""
    if not loaders:
        return
    yield _TABLE
    yield _IMPORTLIB
    yield Loader("import_module")
    yield from loaders


def loader_texts(loaders: Sequence[Loader], names: Mapping[Named, str]) -> list[str]:
    """Return the functions that load modules by name."""
    if not loaders:
        return []
    table, importlib, load = names[_TABLE], names[_IMPORTLIB], names[Loader("import_module")]
    texts = [
        f"{table} = {{}}\n",
        f"def {load}(name, package=None):\n"
        f"    name = '.'.join((package, name.lstrip('.'))) if name.startswith('.') else name\n"
        f"    return {table}[name] if name in {table} else {importlib}.import_module(name)\n",
    ]
    if Loader("__import__") in loaders:
        texts.append(
            f"def {names[Loader('__import__')]}(name, globals=None, locals=None, fromlist=(), level=0):\n"
            f"    module = {load}(name)\n"
            f"    return module if fromlist else {table}.get(name.partition('.')[0], module)\n"
        )
    return texts


def _modules(growth: Growth, version: Version) -> list[str]:
    found = {*growth.kept.modules, *growth.loadable(version)}
    return sorted(module for module in found if version.index.is_module(module))


def _carried(growth: Growth, version: Version, module_name: str) -> list[str]:
    """Return the names that a module's stand-in carries: all that are kept of it."""
    module = version.index.module(module_name)
    if module is None:
        return []
    names = {item.name for item in growth.kept.names if item.module == module_name}
    names.update(name for name in module.imports if name in growth.kept.attributes)
    for _, item in module.stars:
        other = module.absolute(item)
        names.update(found.name for found in growth.kept.names if found.module == other)
    return sorted(name for name in names if version.resolver.attribute(module_name, name) is not None)
