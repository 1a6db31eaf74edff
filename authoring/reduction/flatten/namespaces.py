"""Stand-ins for modules that the package uses as objects, and for what loads modules by name."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from authoring.reduction.flatten.grow import Growth
from authoring.reduction.flatten.names import Named
from authoring.reduction.flatten.plan import Plan
from authoring.reduction.flatten.resolve import Defined, External, Loader, ModuleObject, Resolution
from authoring.reduction.flatten.version import Version

__all__ = ["Step", "loader_texts", "loader_things", "namespace_steps", "namespace_text", "namespace_things"]

_TYPES = External("types", "", "types")
_SYS = External("sys", "", "sys")
_IMPORTLIB = External("importlib", "", "importlib")
_TABLE = Loader("MODULES")


def namespace_things(growth: Growth, version: Version) -> Iterable[Named]:
    """Yield what the stand-ins of modules need a name for."""
    for module in _modules(growth, version):
        yield ModuleObject(module)
        yield _TYPES
        if growth.policy.live or module in growth.imported_by_text(version):
            yield _SYS
        for name in _carried(growth, version, module):
            found = version.resolver.attribute(module, name)
            if isinstance(found, External):
                yield found


@dataclass(frozen=True, slots=True)
class Step:
    """A statement about a module's stand-in, and the position of the unit it stands behind (-1: the first line)."""

    position: int
    module: str
    names: tuple[str, ...]
    is_first: bool


def namespace_steps(growth: Growth, version: Version, plans: Sequence[Plan]) -> list[Step]:
    """Return how the stand-ins are made: behind all that they carry, or name by name where they are used early."""
    steps: list[Step] = []
    early = _used_early(plans)
    for module in _modules(growth, version):
        carried: dict[str, Resolution | None] = {
            name: version.resolver.attribute(module, name) for name in _carried(growth, version, module)
        }
        bound = {name: _binding_position(meaning, plans) for name, meaning in carried.items()}
        if module in early:
            steps.append(Step(-1, module, tuple(name for name in bound if bound[name] < 0), True))
            steps.extend(Step(place, module, (name,), False) for name, place in bound.items() if place >= 0)
        else:
            steps.append(Step(max(bound.values(), default=-1), module, tuple(bound), True))
    return sorted(steps, key=lambda step: (step.position, step.module, not step.is_first, step.names))


def _used_early(plans: Sequence[Plan]) -> set[str]:
    """Return the modules whose objects are used while modules are imported, or by the module itself."""
    return {
        target.meaning.module
        for plan in plans
        for use, target in plan.uses
        if isinstance(target.meaning, ModuleObject)
        and (not use.deferred or target.meaning.module == plan.unit.module)
    }


def _binding_position(meaning: Resolution | None, plans: Sequence[Plan]) -> int:
    """Return the position of the first statement that binds a thing, or -1 for things from outside."""
    if not isinstance(meaning, Defined):
        return -1
    places = (
        position
        for position, plan in enumerate(plans)
        if plan.unit.module == meaning.module and meaning.name in plan.unit.binds
    )
    return next(places, -1)


def namespace_text(growth: Growth, version: Version, step: Step, names: Mapping[Named, str]) -> str:
    """Return the statement of a step; the first one enters the stand-in among those that are loaded by name.

    Where stand-ins are to be live and all names are the module's own, the flat program itself is the stand-in, so that
    what is set from outside, such as a patch for a test, is what its functions read.
    """
    own = names[ModuleObject(step.module)]
    pairs: list[tuple[str, str]] = []
    for name in step.names:
        found = version.resolver.attribute(step.module, name)
        if isinstance(found, Defined | External | ModuleObject) and found in names:
            pairs.append((name, names[found]))
    is_live = growth.policy.live and all(name == value for name, value in pairs)
    if not step.is_first:
        if is_live:
            return ""
        return "".join(f"{own}.{name} = {value}\n" for name, value in pairs)
    values = ", ".join([f"__name__={step.module!r}", *(f"{name}={value}" for name, value in pairs)])
    text = f"{own} = {names[_TYPES]}.SimpleNamespace({values})\n"
    if is_live:
        text = f"{own} = {names[_SYS]}.modules[__name__]\n"
    if step.module in growth.imported_by_text(version):
        text += f"{names[_SYS]}.modules[{step.module!r}] = {own}\n"
    if step.module in growth.loadable(version) and _TABLE in names:
        text += f"{names[_TABLE]}[{step.module!r}] = {own}\n"
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
    found = {*growth.kept.modules, *growth.loadable(version), *growth.imported_by_text(version)}
    return sorted(module for module in found if version.index.is_module(module))


def _carried(growth: Growth, version: Version, module_name: str) -> list[str]:
    """Return the names that a module's stand-in carries: all that are kept of it."""
    module = version.index.module(module_name)
    if module is None:
        return []
    names = {item.name for item in growth.kept.names if item.module == module_name}
    names.update(name for name in module.imports if name in growth.kept.attributes)
    if module_name in growth.imported_by_text(version):
        names.update(name for name in module.imports if name in growth.kept.texts)
    for _, item in module.stars:
        other = module.absolute(item)
        names.update(found.name for found in growth.kept.names if found.module == other)
    return sorted(name for name in names if version.resolver.attribute(module_name, name) is not None)
