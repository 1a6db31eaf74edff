"""Ask every version at entries inside the package, several at once: each asking costs an import of the package."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from authoring.model.execution import Frame, Observed, Outcome, Package, Request
from authoring.model.observation import Compare, equal
from authoring.model.variants import VersionName
from authoring.model.wire import Wire
from authoring.reduction.carve.entry import CarvedEntry, entry_calls, entry_params
from authoring.reduction.carve.looks import Look
from authoring.reduction.carve.recipes import bindings_of
from authoring.reduction.carve.situation import Situation
from authoring.reduction.carve.texts import entry_original, entry_scenarios

__all__ = ["Seen", "answers_inside", "ask_all", "is_as_recorded", "with_entry"]

_MISSED = ("AttributeError", "TypeError", "NameError")
"""What is raised where an object that was made again lacks something."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What versions give at an entry."""

    reached: Sequence[int]
    """The outer requests that reach it with arguments that can be made again."""
    answers: Mapping[VersionName, Sequence[Outcome]]
    """For each of these."""


def with_entry(package: Package, entry: CarvedEntry) -> Package:
    """Return a release whose scenarios call an entry too."""
    return replace(
        package,
        scenarios=entry_scenarios(package.scenarios, entry),
        original=entry_original(package.original, entry),
    )


def answers_inside(
    situation: Situation, entry: CarvedEntry, params: Sequence[Wire]
) -> dict[VersionName, list[Outcome]]:
    """Return what every version gives at an entry with some parameters."""
    requests = [Request(entry.scenario, one) for one in params]
    return {
        version: situation.runner.observe(with_entry(package, entry), requests, situation.brief)
        for version, package in situation.packages.items()
    }


def ask_all(situation: Situation, looks: Sequence[Look]) -> list[Seen]:
    """Return what every version gives at the entries of some looks, in their order."""
    found: list[Seen] = []
    for group in _groups(looks):
        found += _ask(situation, group)
    return found


def _groups(looks: Sequence[Look]) -> list[list[Look]]:
    """Return looks that can stand in one text, one after the other: no two bind one name to different things."""
    groups: list[list[Look]] = []
    for look in looks:
        if not groups or not _fit([*groups[-1], look]):
            groups.append([])
        groups[-1].append(look)
    return groups


def _fit(looks: Sequence[Look]) -> bool:
    bound: dict[str, str] = {}
    places = {place for one in looks for place in one.entry.places}
    return bindings_of(places) is not None and all(
        bound.setdefault(binding.name, binding.original) == binding.original
        for one in looks
        for binding in one.entry.bindings
    )


def _ask(situation: Situation, looks: Sequence[Look]) -> list[Seen]:
    """Ask of all looks at once, each by a scenario name of its own."""
    places = tuple(sorted({place for one in looks for place in one.entry.places}))
    bindings = tuple({binding.name: binding for one in looks for binding in one.entry.bindings}.values())
    entries = [
        replace(
            one.entry,
            scenario=f"look_{at}",
            places=places if one.entry.reads is not None else (),
            bindings=bindings,
        )
        for at, one in enumerate(looks)
    ]
    params = [
        [_params(situation, one.entry, at, frames) for at, frames in enumerate(one.frames)] for one in looks
    ]
    rows = [(look, at) for look, each in enumerate(params) for at, one in enumerate(each) if one is not None]
    requests = [Request(entries[look].scenario, params[look][at]) for look, at in rows]
    scenarios, original = situation.reference.scenarios, situation.reference.original
    for entry in entries:
        scenarios = entry_scenarios(scenarios, entry)
    original = entry_original(original, entries[0])
    answers = {
        version: situation.runner.observe(
            replace(package, scenarios=scenarios, original=original), requests, situation.brief
        )
        for version, package in situation.packages.items()
    }
    return [
        _seen(
            one,
            [at for look, at in rows if look == number],
            {
                version: [given for (look, _), given in zip(rows, each, strict=True) if look == number]
                for version, each in answers.items()
            },
        )
        for number, one in enumerate(looks)
    ]


def _params(situation: Situation, entry: CarvedEntry, at: int, frames: Sequence[Frame]) -> Wire | None:
    if not isinstance(situation.answers["reference"][at], Observed):
        return None
    return entry_params(entry, frames)


def _seen(look: Look, reached: Sequence[int], answers: Mapping[VersionName, Sequence[Outcome]]) -> Seen:
    """Return what was seen, without the requests for which objects that were made again do not do."""
    if look.entry.reads is None:
        return Seen(reached, answers)
    kept = [
        place
        for place, at in enumerate(reached)
        if is_as_recorded(look.entry, look.frames[at], answers["reference"][place])
    ]
    return Seen(
        [reached[place] for place in kept],
        {version: [each[place] for place in kept] for version, each in answers.items()},
    )


def is_as_recorded(entry: CarvedEntry, frames: Sequence[Frame], answer: Outcome) -> bool:
    """Return whether a scenario's calls did what the recorded ones did, as far as that was told.

    A class of the package shows as a base of it where it is raised.
    """
    if not isinstance(answer, Observed):
        return False
    calls = entry_calls(frames, entry.file, entry.line)
    recorded = [one.raised for one in calls if one.raised is not None]
    raised = [one["raised"]["type"] for one in answer.observations if "raised" in one]
    alike = [own == wanted or own not in _MISSED for own, wanted in zip(raised, recorded, strict=False)]
    if len(raised) != len(recorded) or not all(alike):
        return False
    if entry.view != "value":
        return True
    given = [one["value"] for one in answer.observations if "value" in one]
    returned = [one for one in calls if one.raised is None]
    return all(
        not call.has_result or equal(({"value": call.result},), ({"value": own},), Compare())
        for call, own in zip(returned, given, strict=False)
    )
