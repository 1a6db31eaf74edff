"""The ways to call a candidate with recorded arguments and to look at what it gives."""

import builtins
import keyword
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from authoring.model.capture import Binding
from authoring.model.execution import Frame, Watched
from authoring.reduction.carve.arguments import arguments_of, attribute_names, recipe_arguments, state_names
from authoring.reduction.carve.candidates import Candidate
from authoring.reduction.carve.definitions import module_of
from authoring.reduction.carve.entry import HELPERS, Argument, CarvedEntry, View, entry_calls
from authoring.reduction.carve.recipes import bindings_of, places_in
from authoring.reduction.carve.situation import Situation

__all__ = ["Look", "look_again", "looks_of"]


@dataclass(frozen=True, slots=True)
class Look:
    """An entry, and what ran of its function for each outer request."""

    entry: CarvedEntry
    frames: Sequence[Sequence[Frame]]


@dataclass(frozen=True, slots=True)
class _Call:
    """How a candidate is called."""

    arguments: tuple[Argument, ...]
    bindings: Mapping[str, str] = field(default_factory=dict)
    """Canonical names of classes that arguments need, with where these are from."""
    reads: tuple[str, ...] | None = None
    places: tuple[str, ...] = ()


def looks_of(situation: Situation, candidate: Candidate) -> list[Look]:
    """Return the looks at a candidate, the plainest arguments and the most telling results first."""
    return [*_plain(situation, candidate), *_recipes(situation, candidate)]


def look_again(situation: Situation, candidate: Candidate, look: Look) -> Look | None:
    """Return the look that makes arguments and looks at results as one of which fewer requests are known."""
    looks = (_plain if look.entry.reads is None else _recipes)(situation, candidate)
    return next((one for one in looks if one.entry.view == look.entry.view), None)


def _plain(situation: Situation, candidate: Candidate) -> list[Look]:
    """Return the looks whose arguments are data, or made of what is read of an object."""
    made = arguments_of(situation, candidate)
    if made is None:
        return []
    frames = _frames(situation, candidate, None)
    return [Look(entry, frames) for entry in _entries(situation, candidate, _Call(*made))]


def _recipes(situation: Situation, candidate: Candidate) -> list[Look]:
    """Return the looks whose arguments are recipes; none where some argument has none, or none needs one."""
    reads = attribute_names(situation, candidate)
    frames = _frames(situation, candidate, reads)
    file, line = candidate.definition.file, candidate.definition.line
    calls = [call for each in frames for call in entry_calls(each, file, line)]
    most = max((len(call.args["dict"]) for call in calls if call.args is not None), default=0)
    calls = [call for call in calls if call.args is not None and len(call.args["dict"]) == most]
    arguments = recipe_arguments(situation, candidate, calls)
    if arguments is None or not any(one.form == "recipe" for one in arguments):
        return []
    places = tuple(sorted(places_in(call.args for call in calls)))
    bound = bindings_of(places)
    if bound is None:
        return []
    call = _Call(arguments, {one.name: one.original for one in bound}, reads, places)
    return [Look(entry, frames) for entry in _entries(situation, candidate, call)]


def _frames(
    situation: Situation, candidate: Candidate, reads: tuple[str, ...] | None
) -> list[Sequence[Frame]]:
    definition = candidate.definition
    watched = Watched(definition.file, definition.line, reads)
    traces = situation.runner.trace(situation.reference, situation.requests, situation.how, watched)
    return [trace.frames for trace in traces]


def _entries(situation: Situation, candidate: Candidate, call: _Call) -> list[CarvedEntry]:
    """Return an entry for each way to look at what a candidate gives."""
    definition = candidate.definition
    bindings = dict(call.bindings)
    receiver = next((one for one in call.arguments if one.passed == "receiver"), None)
    owned = definition.kind in ("static", "class")
    if receiver is None:
        bound = definition.owner if owned else definition.name
        original = f"{module_of(definition.file)}:{bound}"
        if bindings.setdefault(bound, original) != original:
            return []
    arguments = call.arguments
    if receiver is not None and receiver.form == "recipe":
        seen = replace(receiver, attributes=state_names(situation, candidate))
        arguments = tuple(seen if one is receiver else one for one in arguments)
    name = definition.name.strip("_") or "entry"
    names = (name, f"{name}_inside", f"{name}_entry")
    taken = {*situation.functions, *HELPERS, *keyword.kwlist, *dir(builtins)}
    entry = CarvedEntry(
        scenario=next(one for one in names if one not in taken),
        original=f"{module_of(definition.file)}:{definition.qualname}",
        called=definition.qualname if owned else definition.name,
        file=definition.file,
        line=definition.line,
        bindings=tuple(Binding(name=one, original=original) for one, original in sorted(bindings.items())),
        arguments=arguments,
        view="value",
        is_property=definition.kind == "property",
        is_generator=definition.is_generator,
        has_many=candidate.has_many,
        reads=call.reads,
        places=call.places,
    )
    return [replace(entry, view=view) for view in _views(candidate, has_receiver=receiver is not None)]


def _views(candidate: Candidate, *, has_receiver: bool) -> list[View]:
    if candidate.definition.is_generator:
        return ["list", "texts", "parts"]
    returned = [one for one in candidate.calls if one.raised is None]
    if has_receiver and returned and all(one.has_result and one.result is None for one in returned):
        return ["state"]
    return ["value", "text"] if all(one.has_result for one in returned) else ["value", "text", "parts"]
