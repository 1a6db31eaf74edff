"""Rename a program's own identifiers after rendering, by scope, together with the scenarios that use them.

A name takes part only when every place that could mean it is known to: what reflection, text, foreign classes
or calls of unknown functions might reach by its spelling stays as it is. What this analysis cannot see,
running the scenarios does: :func:`keep_faithful` drops every renaming that changes an observation.
"""

import builtins
import keyword
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from authoring.variants.occurrences import Kind, Occurrence, Occurrences, find_occurrences

__all__ = [
    "OwnNames",
    "foreign_attributes",
    "keep_faithful",
    "own_names",
    "rename_program",
    "rename_scenarios",
]

_OWN_CLASS = frozenset({"cls", "__class__"})
_COPYING = frozenset({"replace", "_replace", "partial", "partialmethod", "make_dataclass"})
_WHOLESALE = frozenset({"locals", "globals", "vars", "eval", "exec", "dir", "compile"})


@dataclass(frozen=True, slots=True)
class OwnNames:
    """What the programs of a task call their own, over all versions."""

    eligible: frozenset[str]
    """Names that may be renamed."""
    attributes: frozenset[str]
    callables: frozenset[str]
    globals: frozenset[str]
    taken: frozenset[str]
    """Names that no new name may be."""


def own_names(programs: Sequence[str], scenarios: str, texts: Iterable[str] = ()) -> OwnNames:
    """Return which names of the programs may change; ``texts`` are strings that parameters carry."""
    versions = [find_occurrences(source) for source in programs]
    outside = find_occurrences(scenarios)
    spoken = frozenset(texts).union(outside.spoken, *(version.spoken for version in versions))
    callables = frozenset().union(*(version.callables for version in versions))
    attributes = frozenset().union(*(version.attributes for version in versions))
    unsafe: set[str] = set(spoken) & _called(versions, Kind.GLOBAL, Kind.PARAMETER, Kind.ATTRIBUTE)
    for version in versions:
        unsafe |= _unsafe_in(version, callables, attributes)
    unsafe |= _unsafe_outside(outside, callables, attributes, _called(versions, Kind.PARAMETER))
    named = _called(versions, Kind.GLOBAL, Kind.LOCAL, Kind.PARAMETER) | attributes
    everywhere = outside.identifiers.union(*(version.identifiers for version in versions))
    return OwnNames(
        eligible=frozenset(name for name in named - unsafe if _is_renameable(name)),
        attributes=attributes,
        callables=callables,
        globals=frozenset(_called(versions, Kind.GLOBAL)),
        taken=frozenset(everywhere | spoken | attributes | {"p", "seen", "program"}),
    )


def _called(versions: Sequence[Occurrences], *kinds: Kind) -> set[str]:
    return {name for version in versions for kind in kinds for name in version.named(kind)}


def _is_renameable(name: str) -> bool:
    return (
        len(name) > 1 and not name.startswith("__") and name not in ("self", "cls") and name.strip("_") != ""
    )


def _unsafe_in(version: Occurrences, callables: frozenset[str], attributes: frozenset[str]) -> set[str]:
    if version.reflects & _WHOLESALE:
        return set(version.identifiers)
    unsafe = version.imported | version.foreign_members | version.shown
    unsafe |= attributes & foreign_attributes()
    if version.reflects & {"getattr", "__dict__", "__slots__"}:
        unsafe |= attributes
    if version.reflects & {"__name__", "__qualname__"}:
        unsafe |= callables
    if "__annotations__" in version.reflects:
        unsafe |= attributes | version.named(Kind.PARAMETER)
    return unsafe | {found.name for found in version.found if _is_ambiguous(found, version, callables)}


def _is_ambiguous(found: Occurrence, version: Occurrences, callables: frozenset[str]) -> bool:
    """Return whether a keyword might or might not be one of ours."""
    if found.kind is not Kind.KEYWORD or found.context in callables or found.context in _OWN_CLASS:
        return False
    ours = (
        version.named(Kind.GLOBAL)
        | version.named(Kind.LOCAL)
        | version.named(Kind.PARAMETER)
        | version.attributes
    )
    if found.context is None or found.context in ours or found.context in _COPYING:
        return True
    return bool(found.mentions & callables)


def _unsafe_outside(
    outside: Occurrences, callables: frozenset[str], attributes: frozenset[str], parameters: set[str]
) -> set[str]:
    """Return what the scenarios use in a way that cannot be followed."""
    if outside.reflects & (_WHOLESALE | {"getattr", "__dict__"}):
        return set(callables | attributes | parameters)
    unsafe = {
        item.name
        for item in outside.found
        if item.kind is Kind.KEYWORD and _is_unclear(item, outside, callables)
    }
    if outside.attributes & callables:
        unsafe |= outside.named(Kind.PARAMETER)
    if outside.reflects & {"__name__", "__qualname__"}:
        unsafe |= callables
    return unsafe | (outside.attributes & outside.foreign_members) | outside.imported


def _is_unclear(found: Occurrence, outside: Occurrences, callables: frozenset[str]) -> bool:
    if found.context in callables:
        return found.context in outside.callables
    return found.context is None or found.context not in dir(builtins) or "program" in found.mentions


def rename_program(source: str, names: OwnNames, vocabulary: Mapping[str, str]) -> str:
    """Return a version's source under a vocabulary of eligible names."""
    found = find_occurrences(source)

    def is_ours(item: Occurrence) -> bool:
        if item.kind is Kind.ATTRIBUTE:
            return item.name in names.attributes and item.context not in found.imported
        return item.kind is not Kind.KEYWORD or item.context in names.callables or item.context in _OWN_CLASS

    return _spliced(
        source, [item for item in found.found if item.name in vocabulary and is_ours(item)], vocabulary
    )


def rename_scenarios(scenarios: str, names: OwnNames, vocabulary: Mapping[str, str]) -> str:
    """Return scenarios.py as it uses the renamed program."""
    found = find_occurrences(scenarios)

    def is_ours(item: Occurrence) -> bool:
        if item.kind is Kind.KEYWORD:
            return item.context in names.callables
        if item.kind is not Kind.ATTRIBUTE or item.context in found.imported:
            return False
        return item.name in (names.globals if item.context == "program" else names.attributes)

    return _spliced(
        scenarios, [item for item in found.found if item.name in vocabulary and is_ours(item)], vocabulary
    )


def _spliced(source: str, places: Sequence[Occurrence], vocabulary: Mapping[str, str]) -> str:
    data = source.encode()
    for item in sorted(set(places), key=lambda item: -item.start):
        data = (
            data[: item.start] + vocabulary[item.name].encode() + data[item.start + len(item.name.encode()) :]
        )
    return data.decode()


def keep_faithful(
    vocabulary: Mapping[str, str], is_faithful: Callable[[Mapping[str, str]], bool]
) -> dict[str, str]:
    """Return the largest part of a vocabulary, found by halving, under which every observation stays.

    Nothing is asked about the empty vocabulary, which is faithful by definition.
    """
    if not vocabulary or is_faithful(vocabulary):
        return dict(vocabulary)
    if len(vocabulary) == 1:
        return {}
    names = sorted(vocabulary)
    middle = len(names) // 2
    left = keep_faithful({name: vocabulary[name] for name in names[:middle]}, is_faithful)
    right = keep_faithful({name: vocabulary[name] for name in names[middle:]}, is_faithful)
    both = left | right
    if not left or not right:
        return both
    return both if is_faithful(both) else left


@lru_cache(maxsize=1)
def foreign_attributes() -> frozenset[str]:
    """Return the attribute names of the standard library's classes (of Python 3.11 to 3.13): never ours for
    sure.
    """
    text = (resources.files("authoring.variants") / "foreign_attributes.txt").read_text(encoding="ascii")
    return frozenset(text.split())


def is_free(name: str, names: OwnNames) -> bool:
    """Return whether a new name would collide with nothing."""
    known = keyword.iskeyword(name) or keyword.issoftkeyword(name) or name in dir(builtins)
    return name.isidentifier() and not known and name not in names.taken and name not in foreign_attributes()
