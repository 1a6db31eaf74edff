"""Choose the name that each definition has in the flat program, the same in all versions.

Canonical names win, then classes whose metaclass sees their names, imported names, other classes, functions and data;
a later one of two equal names becomes ``<module>_<name>``. A name is not free where a local variable of the same name
hides it.
"""

import keyword
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from authoring.reduction.flatten.resolve import DataReader, Defined, External, Loader, ModuleObject

__all__ = ["LOADER_NAMES", "Demand", "Named", "choose"]

Named = Defined | External | ModuleObject | Loader | DataReader


LOADER_NAMES = {"import_module": "import_module", "__import__": "import_by_name", "MODULES": "MODULES"}
"""Flat names of what loads modules by name."""


@dataclass(slots=True)
class Demand:
    """What is known of one thing that needs a name."""

    thing: Named
    rank: int
    """0 class, 1 function, 2 data; things outside and canonical names go first anyway."""
    is_seen: bool = False
    """Whether it is a class with a metaclass, which sees its name before the program could set that right."""
    versions: set[str] = field(default_factory=set)
    hidden_by: set[str] = field(default_factory=set)
    """Names that are local at a place where the thing is used."""


def choose(
    demands: Iterable[Demand],
    canonical: Mapping[Named, str],
    reserved: frozenset[str],
    free_text: frozenset[str],
) -> dict[Named, str]:
    """Return a name for each thing.

    ``reserved`` are names that nothing may take (canonical names of other things, built-ins that are used);
    ``free_text`` are names that occur unresolved in kept code and mean something else.
    """
    taken: dict[str, set[str]] = {}
    chosen: dict[Named, str] = {}
    for demand in sorted(demands, key=lambda item: _order(item, canonical)):
        name = next(
            name
            for name in _candidates(demand.thing, canonical)
            if _is_free(name, demand, taken, canonical.get(demand.thing), reserved | free_text)
        )
        chosen[demand.thing] = name
        taken.setdefault(name, set()).update(demand.versions)
    return chosen


def _order(demand: Demand, canonical: Mapping[Named, str]) -> tuple[object, ...]:
    thing = demand.thing
    if thing in canonical:
        return (0, canonical[thing])
    if isinstance(thing, External):
        return (
            2,
            bool(thing.attribute),
            thing.name != (thing.attribute or thing.module),
            thing.module,
            thing.attribute,
            thing.name,
        )
    if isinstance(thing, Loader | DataReader):
        return (5, thing.name)
    if isinstance(thing, ModuleObject):
        return (4, thing.module)
    place = 1 if demand.is_seen else 3
    return (place, demand.rank, thing.name.startswith("_"), thing.module.count("."), thing.module, thing.name)


def _is_free(
    name: str, demand: Demand, taken: Mapping[str, set[str]], own: str | None, reserved: frozenset[str]
) -> bool:
    if keyword.iskeyword(name) or name in demand.hidden_by:
        return False
    if name != own and name in reserved:
        return False
    return demand.versions.isdisjoint(taken.get(name, ()))


def _candidates(thing: Named, canonical: Mapping[Named, str]) -> Iterator[str]:
    if thing in canonical:
        yield canonical[thing]
    name, module = _own_name(thing)
    yield name
    parts = [part.strip("_") or part for part in module.split(".")]
    for count in range(1, len(parts) + 1):
        yield "_".join([*parts[-count:], name.lstrip("_")])
    number = 2
    while True:
        yield f"{name}_{number}"
        number += 1


_READER_NAMES = {
    "open": "open_data",
    "codecs_open": "open_text_data",
    "exists": "exists_or_data",
    "getmtime": "time_of_file_or_data",
    "getsize": "size_of_file_or_data",
    "is_file": "is_file_or_data",
    "stat": "stat_or_data",
    "Path": "DataPath",
}


def _own_name(thing: Named) -> tuple[str, str]:
    if isinstance(thing, Loader):
        return LOADER_NAMES[thing.name], "loaded"
    if isinstance(thing, DataReader):
        return _READER_NAMES.get(thing.name, thing.name), "data"
    if isinstance(thing, Defined):
        return thing.name, thing.module
    if isinstance(thing, External):
        return thing.name, thing.module
    return thing.module.rpartition(".")[2], thing.module
