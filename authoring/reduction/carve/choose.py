"""Choose the innermost function at which every version still behaves as the outer calls saw it."""

from collections.abc import Sequence
from dataclasses import replace

from authoring.model.capture import Binding
from authoring.model.digest import value_digest
from authoring.model.execution import How, Observed, Outcome, Package, Request, Runner
from authoring.model.observation import Compare
from authoring.model.variants import VersionName
from authoring.model.wire import Wire
from authoring.reduction.carve.arguments import arguments_of
from authoring.reduction.carve.candidates import Candidate, candidates_of
from authoring.reduction.carve.definitions import module_of
from authoring.reduction.carve.entry import CarvedEntry, View, entry_params
from authoring.reduction.carve.situation import Situation
from authoring.reduction.carve.texts import entry_original, entry_scenarios
from authoring.scenario.inputs import is_same

__all__ = ["choose_entry", "recorded"]

_TRIED = 12
_DIFFERENT = 8
"""Different results that the reference must give at an entry, where it gives as many outside."""
_REACHED = 0.5


def choose_entry(situation: Situation) -> CarvedEntry | None:
    """Return the entry with the least code below it at which every version's pattern shows, or None.

    The reference's arguments are given to every version. An entry qualifies where each version differs from the
    reference on the reproducer's requests exactly as it does outside, wherever it differs outside it differs there,
    most outer requests reach it, and what it gives is stable and varied.
    """
    telling = situation.telling
    if not telling:
        return None
    for candidate in candidates_of(situation, telling)[:_TRIED]:
        for entry in _entries(situation, candidate):
            if _qualifies(situation, entry, telling):
                return entry
    return None


def _entries(situation: Situation, candidate: Candidate) -> list[CarvedEntry]:
    """Return the ways to call a candidate and look at its result, the most telling first."""
    definition = candidate.definition
    made = arguments_of(situation, candidate)
    if made is None:
        return []
    arguments, bindings = made
    receiver = any(one.passed == "receiver" for one in arguments)
    owned = definition.kind in ("static", "class")
    if owned:
        bindings[definition.owner] = f"{module_of(definition.file)}:{definition.owner}"
    elif not receiver:
        bindings[definition.name] = f"{module_of(definition.file)}:{definition.name}"
    outside = {one.name: one.original for one in situation.bindings}
    if any(outside.get(name, original) != original for name, original in bindings.items()):
        return []
    name = definition.name.strip("_") or "entry"
    names = (name, f"{name}_inside", f"{name}_entry")
    entry = CarvedEntry(
        scenario=next(one for one in names if one not in situation.functions),
        called=definition.qualname if owned else definition.name,
        file=definition.file,
        line=definition.line,
        bindings=tuple(Binding(name=one, original=original) for one, original in sorted(bindings.items())),
        arguments=arguments,
        view="value",
        is_property=definition.kind == "property",
        has_many=candidate.has_many,
    )
    return [replace(entry, view=view) for view in _views(candidate, receiver=receiver)]


def _views(candidate: Candidate, *, receiver: bool) -> list[View]:
    if candidate.definition.is_generator:
        return ["list"]
    returned = [one for one in candidate.calls if one.raised is None]
    if receiver and returned and all(one.has_result and one.result is None for one in returned):
        return ["state"]
    return ["value", "text"]


def _qualifies(situation: Situation, entry: CarvedEntry, telling: Sequence[int]) -> bool:
    params = _recorded(situation, entry)
    reached = [at for at, one in enumerate(params) if one is not None]
    asked = [
        at
        for at in range(len(situation.requests))
        if isinstance(situation.answers["reference"][at], Observed)
    ]
    if not set(telling) <= set(reached) or len(reached) < _REACHED * len(asked):
        return False
    inside = _answers(situation, entry, [params[at] for at in reached])
    right = inside["reference"]
    for version, answers in inside.items():
        for at, own, wanted in zip(reached, answers, right, strict=True):
            differs = not is_same(own, wanted, Compare())
            if situation.differs(version, at) and not differs:
                return False
            if at < situation.lifted and differs and not situation.differs(version, at):
                return False
    return all(isinstance(one, Observed) for one in right) and _is_varied(situation, right, reached)


def _is_varied(situation: Situation, inside: Sequence[Outcome], reached: Sequence[int]) -> bool:
    outside = {_text_of(situation.answers["reference"][at]) for at in reached}
    return len({_text_of(one) for one in inside}) >= min(_DIFFERENT, len(outside))


def _text_of(outcome: Outcome) -> str:
    return value_digest([list(outcome.observations)]) if isinstance(outcome, Observed) else repr(outcome)


def _recorded(situation: Situation, entry: CarvedEntry) -> list[Wire | None]:
    return recorded(situation.runner, situation.reference, entry, situation.requests, situation.how)


def recorded(
    runner: Runner, package: Package, entry: CarvedEntry, requests: Sequence[Request], how: How
) -> list[Wire | None]:
    """Return for each outer request the parameters that it gives the entry on a package; None where it gives none."""
    traces = runner.trace(package, requests, how, (entry.file, entry.line))
    return [entry_params(entry, one.frames) if isinstance(one.outcome, Observed) else None for one in traces]


def _answers(
    situation: Situation, entry: CarvedEntry, params: Sequence[Wire]
) -> dict[VersionName, list[Outcome]]:
    requests = [Request(entry.scenario, one) for one in params]
    return {
        version: situation.runner.observe(
            replace(
                package,
                scenarios=entry_scenarios(package.scenarios, entry),
                original=entry_original(package.original, entry),
            ),
            requests,
            situation.how,
        )
        for version, package in situation.packages.items()
    }
