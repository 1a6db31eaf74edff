"""Choose the innermost function at which every version still behaves as the outer calls saw it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from authoring.model.capture import Binding
from authoring.model.digest import value_digest
from authoring.model.execution import How, Observed, Outcome, Package, Request, Runner, Watched
from authoring.model.observation import Compare
from authoring.model.variants import VersionName
from authoring.model.wire import Wire
from authoring.reduction.carve.arguments import arguments_of, attribute_names, recipe_arguments, state_names
from authoring.reduction.carve.candidates import Candidate, candidates_of
from authoring.reduction.carve.definitions import module_of
from authoring.reduction.carve.entry import HELPERS, Argument, CarvedEntry, View, entry_calls, entry_params
from authoring.reduction.carve.recipes import attributes_in, bindings_of, places_in, without
from authoring.reduction.carve.situation import Situation
from authoring.reduction.carve.texts import entry_original, entry_scenarios
from authoring.scenario.inputs import is_same

__all__ = ["choose_entry", "differing", "recorded"]

_TRIED = 20
_DIFFERENT = 6
"""Different results that the reference must give at an entry, where it gives as many outside."""
_MISSED = ("AttributeError", "TypeError", "NameError")
"""What is raised where an object that was made again lacks something."""
_REACHED = 0.5
"""Share of the outer requests that have to reach an entry; half of it where all of the reproducer's do."""


def choose_entry(situation: Situation) -> CarvedEntry | None:
    """Return the entry with the least code below it at which every version's pattern shows, or None.

    The reference's arguments are given to every version. An entry qualifies where each version differs from the
    reference on the reproducer's requests exactly as it does outside, wherever it differs outside it differs there,
    most outer requests reach it, and what it gives is stable and varied.
    """
    telling = situation.telling
    if not telling or any(f"def {name}(" in situation.reference.scenarios for name in HELPERS):
        return None
    first = situation.of_lifted
    for candidate in candidates_of(situation, telling)[:_TRIED]:
        for look in _entries(first, candidate):
            if not _qualifies(first, look, telling):
                continue
            entry = _same_look(situation, candidate, look)
            if entry is not None and _qualifies(situation, entry, telling):
                return _thinned(situation, entry)
    return None


def _same_look(situation: Situation, candidate: Candidate, look: CarvedEntry) -> CarvedEntry | None:
    """Return the entry that makes arguments and looks at results as another one, of which fewer calls are known."""
    wanted = look.view, look.reads is None
    entries = _entries(situation, candidate)
    return next((one for one in entries if (one.view, one.reads is None) == wanted), None)


def _entries(situation: Situation, candidate: Candidate) -> Iterator[CarvedEntry]:
    """Yield the ways to call a candidate and look at its result, the plainest and most telling first."""
    made = arguments_of(situation, candidate)
    if made is not None:
        arguments, classes = made
        yield from _viewed(situation, candidate, arguments, classes, _Recipes())
    recipes = _recipes(situation, candidate)
    if recipes is not None:
        yield from _viewed(situation, candidate, recipes.arguments, recipes.bindings, recipes)


@dataclass(frozen=True, slots=True)
class _Recipes:
    """Arguments that calls told as recipes."""

    arguments: tuple[Argument, ...] = ()
    bindings: Mapping[str, str] = field(default_factory=dict)
    reads: tuple[str, ...] | None = None
    places: tuple[str, ...] = ()


def _recipes(situation: Situation, candidate: Candidate) -> _Recipes | None:
    """Return a candidate's arguments as recipes; None where some argument has none, or none needs one."""
    file, line = candidate.definition.file, candidate.definition.line
    reads = attribute_names(situation, candidate)
    traces = situation.runner.trace(
        situation.reference, situation.requests, situation.how, Watched(file, line, reads)
    )
    calls = [call for trace in traces for call in entry_calls(trace.frames, file, line)]
    arguments = recipe_arguments(situation, candidate, calls)
    if arguments is None or not any(one.form == "recipe" for one in arguments):
        return None
    places = places_in(call.args for call in calls)
    bound = bindings_of(places)
    if bound is None:
        return None
    return _Recipes(arguments, {one.name: one.original for one in bound}, reads, tuple(sorted(places)))


def _viewed(
    situation: Situation,
    candidate: Candidate,
    arguments: tuple[Argument, ...],
    classes: Mapping[str, str],
    recipes: _Recipes,
) -> list[CarvedEntry]:
    """Return an entry for each way to look at what a candidate gives."""
    definition = candidate.definition
    bindings = dict(classes)
    receiver = any(one.passed == "receiver" for one in arguments)
    owned = definition.kind in ("static", "class")
    if not receiver:
        bound = definition.owner if owned else definition.name
        original = f"{module_of(definition.file)}:{bound}"
        if bindings.setdefault(bound, original) != original:
            return []
    name = definition.name.strip("_") or "entry"
    names = (name, f"{name}_inside", f"{name}_entry")
    entry = CarvedEntry(
        scenario=next(one for one in names if one not in {*situation.functions, *HELPERS}),
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
        reads=recipes.reads,
        places=recipes.places,
    )
    found = [replace(entry, view=view) for view in _views(candidate, has_state=receiver)]
    if recipes.reads is not None:
        return [one if one.view != "state" else _with_state(situation, candidate, one) for one in found]
    return found


def _with_state(situation: Situation, candidate: Candidate, entry: CarvedEntry) -> CarvedEntry:
    """Return an entry that looks at those attributes of its receiver that its function names and that are data."""

    def looking(names: Sequence[str]) -> CarvedEntry:
        receiver = next(one for one in entry.arguments if one.passed == "receiver")
        other = replace(receiver, attributes=tuple(names))
        return replace(entry, arguments=tuple(other if one is receiver else one for one in entry.arguments))

    params = [one for one in _recorded(situation, looking([])) if one is not None][: situation.lifted]
    requests = [Request(entry.scenario, one) for one in params]

    def is_data(name: str) -> bool:
        package = _with_entry(situation.reference, looking([name]))
        answers = situation.runner.observe(package, requests, situation.how)
        return all(isinstance(one, Observed) for one in answers)

    return looking([name for name in state_names(situation, candidate) if is_data(name)])


def _views(candidate: Candidate, *, has_state: bool) -> list[View]:
    if candidate.definition.is_generator:
        return ["list", "texts", "parts"]
    returned = [one for one in candidate.calls if one.raised is None]
    if has_state and returned and all(one.has_result and one.result is None for one in returned):
        return ["state"]
    return ["value", "text"] if all(one.has_result for one in returned) else ["value", "text", "parts"]


def _qualifies(situation: Situation, entry: CarvedEntry, telling: Sequence[int]) -> bool:
    params = _recorded(situation, entry)
    reached = [at for at, one in enumerate(params) if one is not None]
    asked = [
        at
        for at in range(len(situation.requests))
        if isinstance(situation.answers["reference"][at], Observed)
    ]
    share = _REACHED / 2 if set(range(situation.lifted)) & set(asked) <= set(reached) else _REACHED
    differing = {at for at in asked if any(situation.differs(one, at) for one in situation.packages)}
    if not {*telling, *differing} <= set(reached) or len(reached) < share * len(asked):
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
    return (
        all(isinstance(one, Observed) for one in right)
        and _is_varied(situation, right, reached)
        and _leaves_outside(situation, entry)
    )


def _leaves_outside(situation: Situation, entry: CarvedEntry) -> bool:
    """Return whether outer requests are answered as before where a name that they use is bound for the entry."""
    outside = {one.name: one.original for one in situation.bindings}
    if all(outside.get(one.name, one.original) == one.original for one in entry.bindings):
        return True
    return all(
        situation.runner.observe(_with_entry(package, entry), situation.requests, situation.how)
        == list(situation.answers[version])
        for version, package in situation.packages.items()
    )


def _is_varied(situation: Situation, inside: Sequence[Outcome], reached: Sequence[int]) -> bool:
    outside = {_text_of(situation.answers["reference"][at]) for at in reached}
    return len({_text_of(one) for one in inside}) >= min(_DIFFERENT, len(outside))


def _text_of(outcome: Outcome) -> str:
    return value_digest([list(outcome.observations)]) if isinstance(outcome, Observed) else repr(outcome)


def differing(
    situation: Situation, entry: CarvedEntry, rows: Sequence[tuple[str, Wire, Wire]]
) -> list[tuple[str, Wire, Wire]]:
    """Return the rows, the entry's parameters last in each, that some version answers unlike the reference."""
    inside = _answers(situation, entry, [inner for _, _, inner in rows])
    return [
        row
        for at, row in enumerate(rows)
        if any(not is_same(answers[at], inside["reference"][at], Compare()) for answers in inside.values())
    ]


def _thinned(situation: Situation, entry: CarvedEntry) -> CarvedEntry:
    """Return an entry whose recipes tell no attributes without which every version answers the same."""
    if entry.reads is None:
        return entry
    params = [one for one in _recorded(situation, entry) if one is not None]
    wanted = _answers(situation, entry, params)
    dropped: set[str] = set()
    names = sorted(attributes_in(params))
    size = len(names)
    while size:
        for start in range(0, len(names), size):
            fewer = dropped | set(names[start : start + size])
            if fewer != dropped and wanted == _answers(
                situation, entry, [without(one, fewer) for one in params]
            ):
                dropped = fewer
        size //= 2
    return replace(entry, reads=tuple(name for name in entry.reads if name not in dropped))


def _recorded(situation: Situation, entry: CarvedEntry) -> list[Wire | None]:
    return recorded(situation.runner, situation.reference, entry, situation.requests, situation.how)


def recorded(
    runner: Runner, package: Package, entry: CarvedEntry, requests: Sequence[Request], how: How
) -> list[Wire | None]:
    """Return for each outer request the parameters that it gives the entry on a package; None where it gives none.

    None, too, where objects that are made again do not do: where something is raised that was not.
    """
    traces = runner.trace(package, requests, how, entry.watched)
    found = [entry_params(entry, one.frames) if isinstance(one.outcome, Observed) else None for one in traces]
    if entry.reads is None:
        return found
    reached = [at for at, one in enumerate(found) if one is not None]
    answers = runner.observe(
        _with_entry(package, entry), [Request(entry.scenario, found[at]) for at in reached], how
    )
    for at, answer in zip(reached, answers, strict=True):
        calls = entry_calls(traces[at].frames, entry.file, entry.line)
        if not _raises_alike([one.raised for one in calls if one.raised is not None], answer):
            found[at] = None
    return found


def _raises_alike(recorded: Sequence[str], answer: Outcome) -> bool:
    """Return whether a scenario's calls raised as the recorded ones; a class of the package shows as a base of it."""
    if not isinstance(answer, Observed):
        return False
    raised = [one["raised"]["type"] for one in answer.observations if "raised" in one]
    alike = [own == wanted or own not in _MISSED for own, wanted in zip(raised, recorded, strict=False)]
    return len(raised) == len(recorded) and all(alike)


def _with_entry(package: Package, entry: CarvedEntry) -> Package:
    return replace(
        package,
        scenarios=entry_scenarios(package.scenarios, entry),
        original=entry_original(package.original, entry),
    )


def _answers(
    situation: Situation, entry: CarvedEntry, params: Sequence[Wire]
) -> dict[VersionName, list[Outcome]]:
    requests = [Request(entry.scenario, one) for one in params]
    return {
        version: situation.runner.observe(_with_entry(package, entry), requests, situation.how)
        for version, package in situation.packages.items()
    }
