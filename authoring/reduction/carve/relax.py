"""Find what of an entry's results its callers never look at: an inner order, None instead of False (DESIGN.md 4.2).

The releases run once more with results of the entry that are altered in that respect. Where no outer observation
changes for it, what is altered is no part of the behaviour, and no contract may ask for it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from authoring.model.execution import Observed, Outcome, Request
from authoring.model.observation import Compare, normalised
from authoring.model.variants import VersionName
from authoring.model.wire import Wire
from authoring.reduction.carve.ask import answers_inside
from authoring.reduction.carve.entry import CarvedEntry
from authoring.reduction.carve.situation import Situation
from authoring.scenario.inputs import is_same

__all__ = ["altered_original", "relaxed_compare"]

_EVIDENCE = 3
"""Recorded inputs at which the alteration changes the result, at least."""
_ASKED = 200
"""Recorded inputs with which outer observations are compared, at most."""
_NOTHING = [{"value": None}]

_ALTERATIONS: dict[str, str] = {
    "order": (
        "def _altered(value):\n"
        "    if type(value) in (list, tuple):\n"
        "        return type(value)(_altered(one) for one in reversed(value))\n"
        "    if type(value) is dict:\n"
        "        return {key: _altered(held) for key, held in reversed(value.items())}\n"
        "    return value\n"
    ),
    "nothing": (
        "def _altered(value):\n"
        "    is_nothing = value is None or value is False or type(value) in (str, bytes, list, tuple, dict, set)\n"
        "    return (False if value is None else None) if is_nothing and not value else value\n"
    ),
}
_STEPS: dict[str, dict[str, Any]] = {"order": {"order": "any"}, "nothing": {"nothing": "same"}}
_BIND = """\


_bind_exact = bind


{alteration}

def bind(package):
    import functools
    import sys

    found = _bind_exact(package)
    holder = sys.modules[{module!r}]
    *owners, name = {qualname!r}.split(".")
    for owner in owners:
        holder = getattr(holder, owner)
    held = vars(holder)[name]
    is_property = isinstance(held, property)
    function = held.fget if is_property else getattr(held, "__func__", held)

    @functools.wraps(function)
    def altered(*args, **options):
        result = function(*args, **options)
        return iter(_altered(list(result))) if {is_generator} else _altered(result)

    put = property(altered, held.fset, held.fdel) if is_property else altered
    put = type(held)(altered) if isinstance(held, (staticmethod, classmethod)) else put
    setattr(holder, name, put)
    for module in list(sys.modules.values()):
        for key, value in list(vars(module).items()):
            if value is held:
                setattr(module, key, put)
    return found
"""


def altered_original(original: str, entry: CarvedEntry, name: str) -> str:
    """Return original.py under which the package's entry gives altered results to whoever calls it.

    ``name``: ``order`` reverses what has an order; ``nothing`` makes None of what is empty or False, and False of None.
    """
    module, _, qualname = entry.original.partition(":")
    bind = _BIND.format(
        alteration=_ALTERATIONS[name], module=module, qualname=qualname, is_generator=entry.is_generator
    )
    return original.rstrip() + "\n" + bind


def relaxed_compare(
    situation: Situation, entry: CarvedEntry, rows: Sequence[tuple[str, Wire, Wire]]
) -> Compare:
    """Return how an entry's observations are compared: as strictly as outer observations can tell.

    ``rows`` were recorded: outer scenario and parameters, and those of the entry. A relaxation needs results that it
    alters, and must leave every difference between the versions.
    """
    inside = answers_inside(situation, entry, [inner for _, _, inner in rows])
    chosen = [at for at in range(len(rows)) if isinstance(inside["reference"][at], Observed)][:_ASKED]
    compare = Compare()
    for name, step in _STEPS.items():
        wider = compare.model_copy(update=step)
        if (
            sum(_is_altered(inside["reference"][at], name) for at in chosen) >= _EVIDENCE
            and _keeps_differences(inside, compare, wider)
            and _is_unseen(situation, entry, [Request(rows[at][0], rows[at][1]) for at in chosen], name)
        ):
            compare = wider
    return compare


def _is_altered(outcome: Outcome, name: str) -> bool:
    """Tell whether an alteration shows in a result."""
    if not isinstance(outcome, Observed):
        return False
    if name == "nothing":
        return any(normalised([one], Compare(nothing="same")) == _NOTHING for one in outcome.observations)
    return normalised(outcome.observations, Compare(order="any")) != list(outcome.observations)


def _keeps_differences(
    inside: Mapping[VersionName, Sequence[Outcome]], compare: Compare, wider: Compare
) -> bool:
    """Tell whether versions that differ from the reference at some inputs still do at the same ones."""
    return all(
        is_same(own, right, compare) == is_same(own, right, wider)
        for answers in inside.values()
        for own, right in zip(answers, inside["reference"], strict=True)
    )


def _is_unseen(situation: Situation, entry: CarvedEntry, outer: Sequence[Request], name: str) -> bool:
    """Tell whether no release answers an outer request otherwise with altered results."""
    for package in situation.packages.values():
        altered = replace(package, original=altered_original(package.original, entry, name))
        before, after = (situation.runner.observe(one, outer, situation.how) for one in (package, altered))
        if not all(is_same(one, other, Compare()) for one, other in zip(before, after, strict=True)):
            return False
    return True
