"""Choose the innermost function at which every version still behaves as the outer calls saw it."""

from collections.abc import Container, Sequence
from dataclasses import replace

from authoring.model.digest import value_digest
from authoring.model.execution import How, Observed, Outcome, Package, Request, Runner
from authoring.model.observation import Compare
from authoring.model.wire import Wire
from authoring.reduction.carve.ask import Seen, answers_inside, ask_all, is_as_recorded, with_entry
from authoring.reduction.carve.candidates import candidates_of
from authoring.reduction.carve.entry import HELPERS, CarvedEntry, entry_calls, entry_params
from authoring.reduction.carve.looks import Look, look_again, looks_of
from authoring.reduction.carve.recipes import attributes_in, bindings_of, places_in, without
from authoring.reduction.carve.situation import Situation, brief
from authoring.scenario.inputs import is_same

__all__ = ["choose_entry", "differing", "recorded"]

_TRIED = 20
_DIFFERENT = 6
"""Different results that the reference must give at an entry, where it gives as many outside."""
_REACHED = 0.5
"""Share of the outer requests that have to reach an entry; half of it where all of the reproducer's do."""


def choose_entry(situation: Situation) -> CarvedEntry | None:
    """Return the entry with the least code below it at which every version's pattern shows, or None.

    The reference's arguments are given to every version. An entry qualifies where each version differs from the
    reference on the reproducer's requests exactly as it does outside, wherever it differs outside it differs there,
    most outer requests reach it, and what it gives is stable and varied. The reproducer's requests are tried first,
    at all candidates at once.
    """
    telling = situation.telling
    if not telling or any(f"def {name}(" in situation.reference.scenarios for name in HELPERS):
        return None
    first = situation.of_lifted
    tried = [
        (candidate, look)
        for candidate in candidates_of(situation, telling)[:_TRIED]
        for look in looks_of(first, candidate)
    ]
    seen = ask_all(first, [look for _, look in tried])
    for (candidate, look), each in zip(tried, seen, strict=True):
        if not _qualifies(first, each, telling):
            continue
        again = look_again(situation, candidate, look)
        if again is None:
            continue
        (whole,) = ask_all(situation, [again])
        if _qualifies(situation, whole, telling) and _leaves_outside(situation, again.entry):
            return _thinned(situation, again, whole)
    return None


def _qualifies(situation: Situation, seen: Seen, telling: Sequence[int]) -> bool:
    reached, right = set(seen.reached), seen.answers["reference"]
    asked = [
        at
        for at in range(len(situation.requests))
        if isinstance(situation.answers["reference"][at], Observed)
    ]
    share = _REACHED / 2 if set(range(situation.lifted)) & set(asked) <= reached else _REACHED
    differing = {at for at in asked if any(situation.differs(one, at) for one in situation.packages)}
    if not {*telling, *differing} <= reached or len(reached) < share * len(asked):
        return False
    for version, answers in seen.answers.items():
        for at, own, wanted in zip(seen.reached, answers, right, strict=True):
            differs = not is_same(own, wanted, Compare())
            if situation.differs(version, at) and not differs:
                return False
            if at < situation.lifted and differs and not situation.differs(version, at):
                return False
    return all(isinstance(one, Observed) for one in right) and _is_varied(situation, seen)


def _is_varied(situation: Situation, seen: Seen) -> bool:
    outside = {_text_of(situation.answers["reference"][at]) for at in seen.reached}
    inside = {_text_of(one) for one in seen.answers["reference"]}
    return len(inside) >= min(_DIFFERENT, len(outside))


def _text_of(outcome: Outcome) -> str:
    return value_digest([list(outcome.observations)]) if isinstance(outcome, Observed) else repr(outcome)


def _leaves_outside(situation: Situation, entry: CarvedEntry) -> bool:
    """Return whether outer requests are answered as before where a name that they use is bound for the entry."""
    outside = {one.name: one.original for one in situation.bindings}
    if all(outside.get(one.name, one.original) == one.original for one in entry.bindings):
        return True
    return all(
        situation.runner.observe(with_entry(package, entry), situation.requests, situation.how)
        == list(situation.answers[version])
        for version, package in situation.packages.items()
    )


def differing(
    situation: Situation, entry: CarvedEntry, rows: Sequence[tuple[str, Wire, Wire]]
) -> list[tuple[str, Wire, Wire]]:
    """Return the rows, the entry's parameters last in each, that some version answers unlike the reference."""
    inside = answers_inside(situation, entry, [inner for _, _, inner in rows])
    return [
        row
        for at, row in enumerate(rows)
        if any(not is_same(answers[at], inside["reference"][at], Compare()) for answers in inside.values())
    ]


def _thinned(situation: Situation, look: Look, seen: Seen) -> CarvedEntry:
    """Return a look's entry, whose recipes tell no attributes without which every version answers the same."""
    entry = look.entry
    if entry.reads is None:
        return entry
    params = [entry_params(entry, look.frames[at]) for at in seen.reached]
    wanted = {version: list(answers) for version, answers in seen.answers.items()}
    dropped: set[str] = set()
    names = sorted(attributes_in(params))
    size = len(names)
    while size:
        for start in range(0, len(names), size):
            fewer = dropped | set(names[start : start + size])
            if fewer == dropped:
                continue
            if answers_inside(situation, entry, [without(one, fewer) for one in params]) == wanted:
                dropped = fewer
        size //= 2
    places = _places(look, seen, dropped)
    owned = {one.name for one in bindings_of(entry.places) or ()} - {entry.called.partition(".")[0]}
    kept = {one.name for one in bindings_of(places) or ()}
    return replace(
        entry,
        reads=tuple(name for name in entry.reads if name not in dropped),
        places=places,
        bindings=tuple(one for one in entry.bindings if one.name in kept or one.name not in owned),
    )


def _places(look: Look, seen: Seen, dropped: Container[str]) -> tuple[str, ...]:
    """Return what recipes name, once attributes of some names are left out."""
    calls = [
        without(call.args, dropped)
        for at in seen.reached
        for call in entry_calls(look.frames[at], look.entry.file, look.entry.line)
    ]
    return tuple(sorted(places_in(calls)))


def recorded(
    runner: Runner, package: Package, entry: CarvedEntry, requests: Sequence[Request], how: How
) -> list[Wire | None]:
    """Return for each outer request the parameters that it gives the entry on a package; None where it gives none.

    None, too, where an outer call takes over half a second, or where objects that are made again do not do: the call
    raises or returns what the recorded one did not.
    """
    how = brief(how)
    traces = runner.trace(package, requests, how, entry.watched)
    found = [entry_params(entry, one.frames) if isinstance(one.outcome, Observed) else None for one in traces]
    if entry.reads is None:
        return found
    reached = [at for at, one in enumerate(found) if one is not None]
    inner = [Request(entry.scenario, found[at]) for at in reached]
    for at, answer in zip(reached, runner.observe(with_entry(package, entry), inner, how), strict=True):
        if not is_as_recorded(entry, traces[at].frames, answer):
            found[at] = None
    return found
