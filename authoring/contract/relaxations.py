"""More tolerant comparisons of a scenario, the least tolerant first, for what another right program does otherwise."""

import ast
import builtins
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from authoring.model.observation import Compare, ExceptionBase, FloatTolerance, Observation

__all__ = ["Relaxation", "common_base", "relaxations"]

_TOLERANCE = 1e-9
_TOO_WIDE = frozenset({"object", "BaseException", "Exception"})
"""Classes that say nothing of what went wrong."""


@dataclass(frozen=True, slots=True)
class Relaxation:
    """A comparison, and in words what of it is more tolerant."""

    names: tuple[str, ...]
    compare: Compare


def relaxations(compare: Compare, base: ExceptionBase | None) -> Iterator[Relaxation]:
    """Yield the comparisons that are more tolerant in one respect, in two, then in all.

    ``base`` is what the exceptions in dispute have in common, where they have something.
    """
    steps: dict[str, dict[str, Any]] = {
        "exception": {"exception": "type"},
        **({} if base is None else {f"exception {base.base}": {"exception": base}}),
        "nothing": {"nothing": "same"},
        "args": {"args": "ignored"},
        "order": {"order": "any"},
        "floats": {"floats": FloatTolerance(rel=_TOLERANCE)},
    }
    if compare.exception != "type+message":
        del steps["exception"]
    changing = [name for name, step in steps.items() if compare.model_copy(update=step) != compare]
    for size in dict.fromkeys((1, 2, len(changing))):
        for names in combinations(changing, size):
            relaxed = compare
            for name in names:
                relaxed = relaxed.model_copy(update=steps[name])
            if names:
                yield Relaxation(names, relaxed)


def common_base(
    pairs: Sequence[tuple[Sequence[Observation], Sequence[Observation]]], sources: Sequence[str]
) -> ExceptionBase | None:
    """Return the nearest built-in class of all exceptions that differ in pairs of observations.

    ``sources`` are programs in which classes of their own are looked for. None where only the class of all exceptions
    is common to them, where one of them is not known, or where none differ.
    """
    names = sorted({name for pair in pairs for name in _differing(*pair)})
    classes = _classes(sources)
    chains = [_chain(name, classes) for name in names]
    common = [each for each in (chains or [[]])[0] if all(each in chain for chain in chains)]
    known = [
        each for each in common if each not in _TOO_WIDE and isinstance(getattr(builtins, each, None), type)
    ]
    if not known:
        return None
    return ExceptionBase(base=known[0], types=tuple(name for name in names if not hasattr(builtins, name)))


def _differing(left: Sequence[Observation], right: Sequence[Observation]) -> set[str]:
    """Return the names of the exceptions that end both of two lists of observations, where they differ."""
    if not left or not right or "raised" not in left[-1] or "raised" not in right[-1]:
        return set()
    found = {str(each[-1]["raised"]["type"]) for each in (left, right)}
    return found if len(found) > 1 else set()


def _classes(sources: Sequence[str]) -> Mapping[str, str]:
    """Return by the name of a class the name of its first base."""
    return {
        node.name: node.bases[0].id
        for source in sources
        for node in ast.parse(source).body
        if isinstance(node, ast.ClassDef) and node.bases and isinstance(node.bases[0], ast.Name)
    }


def _chain(name: str, classes: Mapping[str, str]) -> list[str]:
    """Return the names of a class and of its bases, as far as they are known."""
    chain: list[str] = []
    while name in classes and name not in chain:
        chain.append(name)
        name = classes[name]
    kind = getattr(builtins, name, None)
    if not (isinstance(kind, type) and issubclass(kind, BaseException)):
        return [*chain, name]
    return [*chain, *(base.__name__ for base in kind.__mro__)]
